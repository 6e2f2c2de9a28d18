"""The plot of calibration within groups."""

from __future__ import annotations

from typing import TYPE_CHECKING

import matplotlib as mpl
import numpy as np
import seaborn as sns

from ._figure import ParityFigure
from ._glyphs import isolate
from ._labels import r_text
from .plots import SMALL, _legend, colours

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from ._result import ParityResult


def plot_calibration(result: ParityResult, *, ax: Axes | None = None) -> Axes:
    """Draw the calibration curve of each group, and the histogram of its scores below.

    Parameters
    ----------
    result : ParityResult
        What `calibration_within_groups` returned.
    ax : matplotlib.axes.Axes, optional
        Where to draw; by default on a new figure that pyplot does not know.

    Returns
    -------
    matplotlib.axes.Axes
        The axes: in each bin the observed rate over the mean score, with its interval; a dashed diagonal, on which
        the curve of a calibrated score lies. ``ax.child_axes[0]`` holds the histogram: of each group, the share of its
        rows with scores in each twentieth of 0 to 1. Groups with fewer than 30 rows are dotted.

    Raises
    ------
    ValueError
        If the result is not one of `calibration_within_groups`.

    See Also
    --------
    plot_parity, plot_probabilities, plot_roc

    Examples
    --------
    >>> from fairness_py import calibration_within_groups, load_compas, plot_calibration
    >>> result = calibration_within_groups(load_compas(), "Two_yr_Recidivism", "Female", "probability")
    >>> plot_calibration(result).get_ylabel()
    'Observed rate'
    """
    if "Calibration" not in result:
        raise ValueError("result must be one of calibration_within_groups: other metrics have no calibration curves.")
    ax = ParityFigure(7, 6).subplots() if ax is None else ax
    below = ax.inset_axes((0, -0.32, 1, 0.24), sharex=ax)
    curves, histogram = result["Calibration"], result["Histogram"]
    sizes = histogram.sum(axis=0).to_numpy()
    n_bins = int(curves["Bin"].max())
    texts = []
    for place, colour in enumerate(colours(len(sizes))):
        style = ":" if sizes[place] < SMALL else "-"
        curve = curves.iloc[place * n_bins : (place + 1) * n_bins]
        curve = curve[curve["n"] > 0]
        score, rate = curve["Mean score"].to_numpy(), curve["Observed rate"].to_numpy()
        texts.append(isolate(r_text(histogram.columns[place]), f" (n = {sizes[place]})"))
        ax.plot(score, rate, color=colour, linestyle=style, marker="o", markersize=4, label=f"group {len(texts)}")
        ax.vlines(score, curve["Lower"], curve["Upper"], color=colour, linewidth=1, alpha=0.6)
        shares = histogram.iloc[:, place].to_numpy() / max(sizes[place], 1)
        below.stairs(shares, np.linspace(0, 1, len(shares) + 1), color=colour, linestyle=style)
    ax.plot(
        [0, 1], [0, 1], linestyle="--", linewidth=1, color=mpl.rcParams["axes.edgecolor"], zorder=0, label="calibrated"
    )
    texts.append("calibrated")
    ax.set(ylabel="Observed rate", xlim=(-0.02, 1.02), ylim=(-0.02, 1.02))
    ax.tick_params(labelbottom=False)
    below.set(xlabel="Score", ylabel="Share of\nthe group", ylim=(0, None))
    ax.set_title(
        f"points: bins of scores; lines: {100 * curves.attrs['conf_level']:g} % intervals",
        fontsize="small",
        loc="left",
        alpha=0.8,
    )
    _legend(ax, texts)
    sns.despine(ax=ax)
    sns.despine(ax=below)
    return ax
