"""The plots of a result: bars of the parities, densities of the probabilities, ROC curves.

Each function draws on an `Axes` and returns it, so that a plot can stand in a figure of your own. The groups keep one
colour in all plots of a result; colours and fonts of everything else are those of your rcParams or seaborn theme.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import matplotlib as mpl
import numpy as np
import numpy.typing as npt
import seaborn as sns
from matplotlib.transforms import blended_transform_factory

from ._figure import ParityFigure
from ._glyphs import as_is, isolate, n_cells
from ._labels import r_text

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from ._result import ParityResult

SMALL = 30  # groups with fewer rows are drawn as uncertain
ALPHA = 0.5
MOST_DISTINCT = 10  # colours of the colour-blind safe palette


def plot_parity(result: ParityResult, *, ax: Axes | None = None) -> Axes:
    """Draw a bar a group: the metric relative to the base group.

    The base stands on top, the others below it in the order of the table. Bars of groups with fewer than 30 rows are
    hatched. A dashed line shows the value of no disparity.

    Parameters
    ----------
    result : ParityResult
        What a metric function returned.
    ax : matplotlib.axes.Axes, optional
        Where to draw; by default on a new figure that pyplot does not know.

    Returns
    -------
    matplotlib.axes.Axes
        The axes: ``ax.patches`` are the bars, one a group, of width 0 where the value is undefined or infinite,
        which a text says instead.

    See Also
    --------
    plot_probabilities, plot_roc

    Examples
    --------
    Two metrics side by side:

    >>> from matplotlib.figure import Figure
    >>> from fairness_py import fnr_parity, fpr_parity, load_compas, plot_parity
    >>> arguments = dict(outcome="Two_yr_Recidivism", group="ethnicity", probs="probability")
    >>> axes = Figure(figsize=(12, 4), layout="constrained").subplots(1, 2)
    >>> left = plot_parity(fnr_parity(load_compas(), **arguments), ax=axes[0])
    >>> right = plot_parity(fpr_parity(load_compas(), **arguments), ax=axes[1])
    >>> right.get_xlabel()
    'False Positive Rate Parity'
    """
    ax = _new_axes(result) if ax is None else ax
    table: pd.DataFrame = result["Metric"]
    values = table.loc[result.metric.value_row].to_numpy()
    sizes = table.loc["Group size"].to_numpy()
    places = np.arange(len(values))
    bars = ax.barh(
        places, np.where(np.isfinite(values), values, 0), height=0.7, color=colours(len(values)), alpha=ALPHA
    )
    ends = _draw_intervals(ax, result, values)
    lowest, highest = _limits(ends, result.metric.reference)
    for place, (value, end) in enumerate(zip(values, ends, strict=True)):
        _write_value(ax, place, value, end, highest)
    for bar, size in zip(bars, sizes, strict=True):
        if size < SMALL:
            bar.set(hatch="///", edgecolor=bar.get_facecolor(), linewidth=0)
    ax.set(xlabel=result.metric.axis_title, ylabel="", xlim=(lowest, highest), ylim=(len(values) - 0.4, -0.6))
    _label_groups(ax, list(table.columns), sizes)
    ax.axvline(result.metric.reference, linestyle="--", linewidth=1, color=mpl.rcParams["axes.edgecolor"], zorder=0)
    _write_notes(ax, result, sizes)
    sns.despine(ax=ax)
    return ax


def plot_probabilities(result: ParityResult, *, ax: Axes | None = None) -> Axes:
    """Draw the density of the predicted probabilities of each group.

    The densities are R's: a Gaussian kernel with bandwidth ``bw.nrd0``, not renormalised at 0 and 1.

    Parameters
    ----------
    result : ParityResult
        What a metric function returned that was given `probs`.
    ax : matplotlib.axes.Axes, optional
        Where to draw; by default on a new figure that pyplot does not know.

    Returns
    -------
    matplotlib.axes.Axes
        The axes, with a filled curve a group and a dashed line at the cutoff. Groups with fewer than two rows have no
        curve and are named in the legend; curves of groups with fewer than 30 rows are dotted.

    Raises
    ------
    ValueError
        If the result was computed from `preds`: there are no probabilities to draw.

    See Also
    --------
    plot_parity, plot_roc

    Examples
    --------
    >>> from fairness_py import equal_odds, load_compas, plot_probabilities
    >>> result = equal_odds(load_compas(), outcome="Two_yr_Recidivism", group="Female", probs="probability")
    >>> plot_probabilities(result).get_xlabel()
    'Predicted probabilities'
    """
    if not result.densities:
        raise ValueError("result must have been computed from probs: this one has no probabilities to draw.")
    ax = _new_axes(result) if ax is None else ax
    peak = 0.0
    texts = []
    for density, colour in zip(result.densities, colours(len(result.densities)), strict=True):
        drawn = len(density.x) > 0
        texts.append(isolate(r_text(density.group), f" (n = {density.n}{'' if drawn else ', no curve'})"))
        style = ":" if density.n < SMALL else "-"
        ax.plot(density.x, density.density, color=colour, linestyle=style, linewidth=1.5, label=f"group {len(texts)}")
        if drawn:
            ax.fill_between(density.x, density.density, color=colour, alpha=ALPHA / math.sqrt(len(result.densities)))
            peak = max(peak, float(density.density.max()))
    if result.cutoff is not None:
        ax.axvline(result.cutoff, linestyle="--", linewidth=1, color=mpl.rcParams["text.color"], label="cutoff")
        texts.append(f"cutoff {result.cutoff:g}")
    ax.set(xlabel="Predicted probabilities", ylabel="density", xlim=(0, 1), ylim=(0, 1.05 * peak or 1))
    _legend(ax, texts)
    sns.despine(ax=ax)
    return ax


def plot_roc(result: ParityResult, *, ax: Axes | None = None) -> Axes:
    """Draw the ROC curve of each group.

    Parameters
    ----------
    result : ParityResult
        What `roc_parity` returned.
    ax : matplotlib.axes.Axes, optional
        Where to draw; by default on a new figure that pyplot does not know.

    Returns
    -------
    matplotlib.axes.Axes
        The axes: specificity from 1 to 0, sensitivity, the diagonal of a ranking by chance, and the areas in the
        legend. Groups with one outcome level only have no curve and are named there.

    Raises
    ------
    ValueError
        If the result is not one of `roc_parity`.

    See Also
    --------
    plot_parity, plot_probabilities

    Examples
    --------
    >>> from fairness_py import load_compas, plot_roc, roc_parity
    >>> result = roc_parity(load_compas(), outcome="Two_yr_Recidivism", group="Female", probs="probability")
    >>> plot_roc(result).get_ylabel()
    'Sensitivity'
    """
    if not result.roc_curves:
        raise ValueError("result must be one of roc_parity: other metrics have no ROC curves.")
    ax = _new_axes(result) if ax is None else ax
    texts = []
    for curve, colour in zip(result.roc_curves, colours(len(result.roc_curves)), strict=True):
        size = curve.n_positive + curve.n_negative
        area = "undefined" if math.isnan(curve.auc) else f"AUC {curve.auc:.3f}"
        turned = ", turned round" if curve.direction == ">" else ""
        texts.append(isolate(r_text(curve.group), f" ({area}{turned}, n = {size})"))
        style = ":" if size < SMALL else "-"
        ax.plot(curve.specificity, curve.sensitivity, color=colour, linestyle=style, label=f"group {len(texts)}")
    ax.plot([1, 0], [0, 1], linestyle="--", linewidth=1, color=mpl.rcParams["axes.edgecolor"], zorder=0, label="chance")
    texts.append("ranking by chance")
    ax.set(
        xlabel="Specificity", ylabel="Sensitivity", xlim=(1.02, -0.02), ylim=(-0.02, 1.02), aspect="equal", anchor="NW"
    )
    _legend(ax, texts)
    sns.despine(ax=ax)
    return ax


def draw_figure(
    function: Callable[..., Axes], result: ParityResult, *, width: float | None = None, height: float | None = None
) -> Figure:
    """Draw a plot on a figure of its own, by default of the size that its labels need."""
    labels = [r_text(label) for label in result["Metric"].columns]
    longest = max(map(n_cells, labels))
    if function is plot_parity:
        size = (5.5 + 0.09 * longest, max(2.4, 1.3 + 0.36 * len(labels)))
    else:
        columns = math.ceil(len(labels) / _legend_rows(len(labels)))
        size = (5.4 + columns * (1.6 + 0.085 * longest), max(4.2, 0.6 + 0.24 * _legend_rows(len(labels))))
    figure = ParityFigure(width or size[0], height or size[1])
    function(result, ax=figure.subplots())
    return figure


def colours(n_groups: int) -> Sequence[Any]:
    """Return a colour a group: safe for the colour-blind while they last, then evenly spread ones."""
    if n_groups <= MOST_DISTINCT:
        return list(sns.color_palette("colorblind", n_groups))
    return list(sns.color_palette("husl", n_groups))


def _new_axes(result: ParityResult) -> Axes:
    axes: Axes = ParityFigure(7, max(3, 1.2 + 0.36 * result["Metric"].shape[1])).subplots()
    return axes


# ------------------------------------------------------------------ parts of the bar chart


def _limits(ends: npt.NDArray[np.float64], reference: float) -> tuple[float, float]:
    """Return the limits of the axis, with room for the values written at the bars."""
    shown = [0.0, reference, *ends[np.isfinite(ends)]]
    lowest, highest = min(shown), max(shown)
    room = 0.14 * ((highest - lowest) or 1.0)
    return (lowest - room if lowest < 0 else 0.0), highest + room


def _draw_intervals(ax: Axes, result: ParityResult, values: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """Draw error bars where the result has intervals, and return where the text of each bar may begin."""
    intervals = result.get("Intervals")
    ends = values.copy()
    if intervals is None:
        return ends
    lower = intervals.loc[f"{result.metric.value_row} lower"].to_numpy()
    upper = intervals.loc[f"{result.metric.value_row} upper"].to_numpy()
    farthest = 3 * np.nanmax(np.abs(np.where(np.isfinite(values), values, 0)), initial=1.0)
    for place, (value, low, high) in enumerate(zip(values, lower, upper, strict=True)):
        if np.isfinite(value) and not (np.isnan(low) or np.isnan(high)):
            shown = np.clip([low, high], -farthest, farthest)  # a longer one would leave no room for the bars
            ax.plot(shown, [place, place], color=mpl.rcParams["text.color"], linewidth=1.2, solid_capstyle="butt")
            if high > farthest:
                ax.plot(shown[1], place, marker=">", markersize=4, color=mpl.rcParams["text.color"])
            ends[place] = shown[1] if value >= 0 else shown[0]
    return ends


def _write_value(ax: Axes, place: int, value: float, end: float, highest: float) -> None:
    """Write the value at the end of its bar, or what it is where there is no bar."""
    if np.isnan(value):
        ax.annotate("undefined", (0, place), (4, 0), textcoords="offset points", va="center", style="italic")
    elif np.isinf(value):
        tip = math.copysign(0.86 * highest, value)
        ax.annotate("", (tip, place), (0, place), arrowprops={"arrowstyle": "->", "color": mpl.rcParams["text.color"]})
        ax.annotate("∞" if value > 0 else "-∞", (tip, place), (4, 0), textcoords="offset points", va="center")
    else:
        side, align = (4, "left") if value >= 0 else (-4, "right")
        text = f"{value:.2f}" if abs(value) >= 0.1 or value == 0 else f"{value:.2g}"
        backed = {"facecolor": ax.get_facecolor(), "edgecolor": "none", "alpha": 0.7, "pad": 0.5}  # over the line
        ax.annotate(text, (end, place), (side, 0), textcoords="offset points", va="center", ha=align, bbox=backed)


def _label_groups(ax: Axes, labels: Sequence[Any], sizes: npt.NDArray[np.float64]) -> None:
    """Write the groups at the left, the base in bold, and their sizes at the right."""
    texts = [as_is(r_text(label)) for label in labels]
    ax.set_yticks(range(len(labels)), [text for text, _ in texts])
    ax.tick_params(axis="y", length=0)
    for tick, (_, properties) in zip(ax.get_yticklabels(), texts, strict=True):
        tick.set(**properties)
    ax.get_yticklabels()[0].set_fontweight("bold")
    beside = blended_transform_factory(ax.transAxes, ax.transData)
    for place, size in enumerate(sizes):
        text = f"n = {size:.0f}" + (" (base)" if place == 0 else "")
        ax.text(1.01, place, text, transform=beside, va="center", fontsize="small", alpha=0.8)


def _write_notes(ax: Axes, result: ParityResult, sizes: npt.NDArray[np.float64]) -> None:
    """Say above the bars what the line, the hatching and the error bars mean."""
    notes = [f"dashed line at {result.metric.reference:g}: no disparity"]
    if (sizes < SMALL).any():
        notes.append(f"hatched: fewer than {SMALL} rows")
    if result.get("Intervals") is not None:
        notes.append(f"lines: {100 * result['Intervals'].attrs['conf_level']:g} % intervals")
    title = "; ".join(notes)
    if note := getattr(result.metric, "note", ""):
        title += f"\n{note}"
    ax.set_title(title, fontsize="small", loc="left", alpha=0.8)


# ------------------------------------------------------------------ legends


def _legend_rows(n_entries: int) -> int:
    return min(n_entries, 24)


def _legend(ax: Axes, texts: Sequence[str]) -> None:
    """Put the legend beside the axes, with labels drawn as they are."""
    handles, names = ax.get_legend_handles_labels()
    legend = ax.legend(
        handles,
        names,
        loc="upper left",
        bbox_to_anchor=(1.01, 1),
        frameon=False,
        ncols=math.ceil(len(texts) / (_legend_rows(len(texts)) + 1)),
        fontsize="small",
    )
    for entry, text in zip(legend.get_texts(), texts, strict=True):
        shown, properties = as_is(text)
        entry.set(text=shown, **properties)
