"""The plot of calibration within groups."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pandas as pd
import seaborn as sns

from .plots import (
    MUTED,
    _about_small,
    _axes,
    _check_result,
    _groups,
    _ink,
    _legend,
    _line_style,
    _make_room,
    _no_handle,
    _write_notes,
)

if TYPE_CHECKING:
    from matplotlib.artist import Artist
    from matplotlib.axes import Axes
    from matplotlib.lines import Line2D

    from ._result import ParityResult
    from .plots import Palette, _Group

SMALL_BIN = 10  # rows; the rate of a smaller bin says next to nothing
FAINT = 0.25  # opacity


def plot_calibration(result: ParityResult, *, ax: Axes | None = None, palette: Palette | None = None) -> Axes:
    """Draw the calibration curve of each group, and the histogram of its scores below.

    In each bin of scores, the observed rate is drawn over the mean score, with its interval; a group whose scores are
    calibrated follows the diagonal. The histogram shows of each group the share of its rows with scores in each
    twentieth of 0 to 1. Curves of groups with fewer than 30 rows are dashed.

    The curve of a group leads through its bins of at least 10 rows. The rates of smaller bins, which jump between 0
    and 1 by chance, are hollow points without a line, and their intervals are faint. The table has them all.

    Parameters
    ----------
    result : ParityResult
        What `calibration_within_groups` returned.
    ax : matplotlib.axes.Axes, optional
        Where to draw; by default on a new pyplot figure, of the size that the labels need. The layout of the figure
        has to make room for the labels: give it one, as in ``plt.subplots(layout="constrained")``. In a figure that has
        none, and the margins of your rcParams, room is made by the figure's ``tight_layout()``.
    palette : str, sequence or mapping, optional
        The groups' colours: the name of a seaborn palette, a colour for each group in the order of the table, or a
        mapping from each group to a colour. By default colours that colour-blind readers tell apart, and for more than
        10 groups shades from dark to light.

    Returns
    -------
    matplotlib.axes.Axes
        The axes, with a line a group, broken where a bin is small, the diagonal, and a legend. ``ax.child_axes[0]``
        holds the histogram.

    Raises
    ------
    TypeError
        If `result` is no result of a metric function or `ax` is not one ``Axes``.
    ValueError
        If the result is not one of `calibration_within_groups`; if `palette` names no palette or has no colour for some
        group.

    See Also
    --------
    plot_parity : Draw a bar a group.
    plot_probabilities : Draw the density of the predicted probabilities of each group.

    Examples
    --------
    >>> from matplotlib.figure import Figure
    >>> from fairness_py import calibration_within_groups, load_compas, plot_calibration
    >>> result = calibration_within_groups(load_compas(), "Two_yr_Recidivism", "Female", "probability")
    >>> ax = plot_calibration(result, ax=Figure(layout="constrained").subplots())
    >>> ax.get_ylabel()
    'Observed rate'
    """
    _check_result(result)
    if "Calibration" not in result:
        raise ValueError(
            "result must be one of calibration_within_groups, which has calibration curves; "
            f"this one is of {result.metric.name}."
        )
    groups = _groups(result, palette)
    ax = _axes(ax, plot_calibration, result)
    below = ax.inset_axes((0, -0.34, 1, 0.26), transform=ax.get_yaxis_transform(), sharex=ax)  # of rates, below 0
    curves: pd.DataFrame = result["Calibration"]
    shares = result["Histogram"] / result["Histogram"].sum(axis=0).clip(lower=1)
    n_bins = len(curves) // len(groups)
    entries: list[tuple[Artist, str]] = []
    for place, group in enumerate(groups):
        curve = curves.iloc[place * n_bins : (place + 1) * n_bins]
        handle = _draw_curve(ax, curve[curve["n"] > 0], group)
        if group.n:
            below.stairs(shares.iloc[:, place], np.linspace(0, 1, len(shares) + 1), **_line_style(group, group.n))
        entries.append(
            (handle if group.n else _no_handle(), group.described(f"n = {group.n:,}", has_curve=group.n > 0))
        )
    (diagonal,) = ax.plot([0, 1], [0, 1], color=_ink(ax), alpha=MUTED, linewidth=1, linestyle=":", zorder=1)
    entries.append((diagonal, "calibrated"))
    ax.set(xlabel="Score", ylabel="Observed rate", xlim=(-0.02, 1.02), ylim=(-0.34, 1.02), yticks=np.linspace(0, 1, 6))
    ax.spines["left"].set_bounds(0, 1)
    below.set(ylabel="Share", ylim=(0, None))
    below.tick_params(bottom=False, labelbottom=False)
    below.patch.set_visible(False)
    _legend(ax, [text for _, text in entries], [handle for handle, _ in entries])
    _write_notes(
        ax,
        f"points: bins of scores; lines: {100 * curves.attrs['conf_level']:g} % intervals",
        f"hollow: bins of fewer than {SMALL_BIN} rows" if curves["n"].between(1, SMALL_BIN - 1).any() else "",
        _about_small(group.n for group in groups if group.n),
    )
    sns.despine(ax=ax)
    sns.despine(ax=below)
    _make_room(ax)
    return ax


def _draw_curve(ax: Axes, curve: pd.DataFrame, group: _Group) -> Line2D:
    """Draw rates with their intervals, those of small bins so that they do not hide the others; return the line."""
    score, rate, is_small = curve["Mean score"], curve["Observed rate"], curve["n"] < SMALL_BIN
    (line,) = ax.plot(score, rate.mask(is_small), marker="o", markersize=4, **_line_style(group, group.n))
    ax.scatter(score[is_small], rate[is_small], s=16, facecolor="none", edgecolor=[group.colour], linewidth=1)
    shades = [(*group.colour, FAINT if small else MUTED) for small in is_small]
    ax.vlines(score, curve["Lower"], curve["Upper"], colors=shades, linewidth=1)
    return line
