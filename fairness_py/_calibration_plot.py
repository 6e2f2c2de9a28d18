"""The plot of calibration within groups."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pandas as pd
import seaborn as sns

from .plots import MUTED, _about_small, _axes, _check_result, _groups, _ink, _legend, _line_style, _write_notes

if TYPE_CHECKING:
    from matplotlib.artist import Artist
    from matplotlib.axes import Axes

    from ._result import ParityResult
    from .plots import Palette


def plot_calibration(result: ParityResult, *, ax: Axes | None = None, palette: Palette | None = None) -> Axes:
    """Draw the calibration curve of each group, and the histogram of its scores below.

    In each bin of scores, the observed rate is drawn over the mean score, with its interval; a group whose scores are
    calibrated follows the diagonal. The histogram shows of each group the share of its rows with scores in each
    twentieth of 0 to 1. Curves of groups with fewer than 30 rows are dashed.

    Parameters
    ----------
    result : ParityResult
        What `calibration_within_groups` returned.
    ax : matplotlib.axes.Axes, optional
        Where to draw; by default on a new pyplot figure, of the size that the labels need.
    palette : str, sequence or mapping, optional
        The groups' colours: the name of a seaborn palette, a colour for each group in the order of the table, or a
        mapping from each group to a colour. By default colours that colour-blind readers tell apart, and for more than
        10 groups shades from dark to light.

    Returns
    -------
    matplotlib.axes.Axes
        The axes, with a line a group, the diagonal, and a legend. ``ax.child_axes[0]`` holds the histogram.

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
    below = ax.inset_axes((0, 0, 1, 0.19), sharex=ax)  # where the axis of rates, from -0.34 on, is below 0
    curves: pd.DataFrame = result["Calibration"]
    shares = result["Histogram"] / result["Histogram"].sum(axis=0).clip(lower=1)
    n_bins = len(curves) // len(groups)
    entries: list[tuple[Artist, str]] = []
    for place, group in enumerate(groups):
        curve = curves.iloc[place * n_bins : (place + 1) * n_bins]
        curve = curve[curve["n"] > 0]
        style = _line_style(group, group.n)
        (handle,) = ax.plot(curve["Mean score"], curve["Observed rate"], marker="o", markersize=4, **style)
        ax.vlines(curve["Mean score"], curve["Lower"], curve["Upper"], color=group.colour, linewidth=1, alpha=MUTED)
        below.stairs(shares.iloc[:, place], np.linspace(0, 1, len(shares) + 1), **style)
        entries.append((handle, group.described(f"n = {group.n:,}")))
    (diagonal,) = ax.plot([0, 1], [0, 1], color=_ink(ax), alpha=MUTED, linewidth=1, linestyle=":", zorder=1)
    entries.append((diagonal, "calibrated"))
    ax.set(xlabel="Score", ylabel="Observed rate", xlim=(-0.02, 1.02), ylim=(-0.34, 1.02), yticks=np.linspace(0, 1, 6))
    ax.spines["left"].set_bounds(0, 1)
    below.set(ylabel="Share", ylim=(0, None))
    below.tick_params(bottom=False, labelbottom=False)
    below.patch.set_visible(False)
    _legend(ax, [text for _, text in entries], [handle for handle, _ in entries], corner="upper left")
    _write_notes(
        ax,
        f"points: bins of scores; lines: {100 * curves.attrs['conf_level']:g} % intervals",
        _about_small(group.n for group in groups if group.n),
    )
    sns.despine(ax=ax)
    sns.despine(ax=below)
    return ax
