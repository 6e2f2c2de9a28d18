"""The plots of a result: bars of the parities, densities of the probabilities, ROC curves.

Each function draws on an `Axes` and returns it, so that a plot can stand in a figure of your own. The groups keep one
colour in all plots of a result; colours and fonts of everything else are those of your rcParams or seaborn theme.
"""

from __future__ import annotations

import math
import textwrap
import warnings
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, TypeAlias
from weakref import WeakKeyDictionary

import matplotlib as mpl
import numpy as np
import numpy.typing as npt
import seaborn as sns
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.font_manager import FontProperties
from matplotlib.gridspec import SubplotParams
from matplotlib.layout_engine import PlaceHolderLayoutEngine
from matplotlib.lines import Line2D
from matplotlib.patches import Patch

from ._digits import alike
from ._figure import ParityFigure
from ._glyphs import as_is, isolate, n_cells
from ._labels import quoted, r_text
from ._result import ParityResult
from ._warn import warn

if TYPE_CHECKING:
    from matplotlib.artist import Artist

__all__ = ["draw_figure", "plot_parity", "plot_probabilities", "plot_roc"]

Colour: TypeAlias = tuple[float, float, float]
Palette: TypeAlias = str | Sequence[Any] | Mapping[Any, Any]
Vector: TypeAlias = npt.NDArray[np.float64]

SMALL = 30  # groups with fewer rows are drawn as uncertain
ALPHA = 0.5
MOST_DISTINCT = 10  # colours of the colour-blind safe palette
NARROW = 200  # points; a legend within narrower axes is better than one beside them
MUTED = 0.7  # opacity of what stands back, whatever the colour of the text is
BAR = 0.72  # height of a bar, of 1
MOST_IN_A_LINE = 60  # characters of a group's name
SMALLEST_TEXT = 4.5
READABLE = 6  # points; rather than smaller texts side by side, larger ones below each other
TICK = 6  # characters, with the blanks beside it
EM = 0.6  # width of an average character, in font sizes


def plot_parity(result: ParityResult, *, ax: Axes | None = None, palette: Palette | None = None) -> Axes:
    """Draw a bar a group: the metric relative to the base group.

    The base stands at the top, the others below it in the order of the table, with their numbers of rows. A line marks
    the value of no disparity. Values are written at the bars; one of 0/0 as "undefined", an infinite one as a bar with
    an arrow at the edge. Bars of groups with fewer than 30 rows are hatched: they are uncertain. A result with
    intervals gets error bars.

    Parameters
    ----------
    result : ParityResult
        What a metric function returned.
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
        The axes. The first container holds the bars, one a group in the order of the table; the width of a bar is the
        value, NaN where it is undefined. An infinite bar ends at the edge.

    Raises
    ------
    TypeError
        If `result` is no result of a metric function or `ax` is not one ``Axes``.
    ValueError
        If `palette` names no palette or has no colour for some group.

    See Also
    --------
    plot_probabilities : Draw the density of the predicted probabilities of each group.
    plot_roc : Draw the ROC curve of each group.

    Notes
    -----
    The R package draws the bars from the bottom up, the base first and then the other groups in alphabetical order.

    Labels that are written from right to left are laid out by matplotlib 3.11 and later.

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
    _check_result(result)
    groups = _groups(result, palette)
    ax = _axes(ax, plot_parity, result)
    marks = [" (base)" if group.is_base else "" for group in groups]
    bars = _bars(result, marks)
    font, width = _font_and_width(ax, groups, bars if "Intervals" in result else [])
    em = 0.0 if "Intervals" in result else font / width
    low, high = _limits(bars, result.metric.reference, em)
    ax.set(xlabel=result.metric.axis_title, ylabel="", xlim=(low, high), ylim=(len(groups) - 0.5, -0.5))
    ax.barh(
        range(len(groups)),
        [float(np.clip(bar.value, low, high)) for bar in bars],
        height=BAR,
        color=[(*group.colour, ALPHA) for group in groups],
        edgecolor=[group.colour for group in groups],
        hatch=["////" if group.is_small else "" for group in groups],
    )
    for place, (bar, group) in enumerate(zip(bars, groups, strict=True)):
        _draw_ends(ax, place, bar, group.colour)
        _write_value(ax, place, bar, font, in_column="Intervals" in result)
    _mark_reference(ax, result.metric.reference)
    _space_ticks(ax, width)
    _label_groups(ax, groups, font)
    _write_notes(
        ax,
        f"hatched: fewer than {SMALL} rows, uncertain"
        if any(g.is_small and not math.isnan(b.value) for g, b in zip(groups, bars, strict=True))
        else "",
        f"lines: {100 * result['Intervals'].attrs['conf_level']:g} % intervals"
        if any(bar.lower < bar.upper for bar in bars)
        else "",
        "each group against all others" if result.versus == "rest" else "",
        result.metric.note,
        align="right",  # at the left it may be long: the labels have made room there
    )
    sns.despine(ax=ax, left=True)
    ax.yaxis.grid(False)
    _make_room(ax)
    return ax


def plot_probabilities(result: ParityResult, *, ax: Axes | None = None, palette: Palette | None = None) -> Axes:
    """Draw the density of the predicted probabilities of each group.

    The densities are R's: a Gaussian kernel with bandwidth ``bw.nrd0``, not renormalised at 0 and 1. A group with fewer
    than two rows has no curve, which the legend says; outlines of groups with fewer than 30 rows are dashed. More than
    10 groups are drawn as outlines only, for their fills would hide the curves.

    Parameters
    ----------
    result : ParityResult
        What a metric function returned that was given `probs`.
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
        The axes, with a curve a group, a dashed line at the cutoff if there is one, and a legend.

    Raises
    ------
    TypeError
        If `result` is no result of a metric function or `ax` is not one ``Axes``.
    ValueError
        If the result was computed from `preds`, so that there are no probabilities to draw; if `palette` names no
        palette or has no colour for some group.

    See Also
    --------
    plot_parity : Draw a bar a group.
    plot_roc : Draw the ROC curve of each group.

    Notes
    -----
    The density of a probability that piles up at 0 or 1 falls there although the probabilities do not: the kernel
    smears half of them beyond the limits, as in the R package.

    Examples
    --------
    >>> from matplotlib.figure import Figure
    >>> from fairness_py import equal_odds, load_compas, plot_probabilities
    >>> result = equal_odds(load_compas(), outcome="Two_yr_Recidivism", group="Female", probs="probability")
    >>> ax = plot_probabilities(result, ax=Figure(layout="constrained").subplots())
    >>> ax.get_xlabel()
    'Predicted probabilities'
    """
    _check_result(result)
    if not result.densities:
        raise ValueError(
            "result has no probabilities to draw: it was computed from preds. Call the metric function with probs."
        )
    groups = _groups(result, palette)
    ax = _axes(ax, plot_probabilities, result)
    entries: list[tuple[Artist, str]] = []
    is_filled = len(groups) <= MOST_DISTINCT
    opacity = ALPHA * min(1, 6 / len(groups))  # many fills upon each other would hide what is below
    peak = 0.0
    for group, curve in zip(groups, result.densities, strict=True):
        handle: Artist = _no_handle()
        if len(curve.x):
            style = _line_style(group, curve.n)
            (handle,) = ax.plot(curve.x, curve.density, **style)
            if is_filled:
                fill = (*group.colour, opacity)
                ax.fill_between(curve.x, curve.density, facecolor=fill, linewidth=0)  # below all lines
                handle = Patch(facecolor=fill, edgecolor=group.colour, linestyle=style["linestyle"])
            peak = max(peak, float(curve.density.max()))
        entries.append((handle, group.described(f"n = {curve.n:,}", has_curve=len(curve.x) > 0)))
    ax.set(xlabel="Predicted probabilities", ylabel="density", xlim=(0, 1), ylim=(0, 1.05 * peak or 1))
    if result.cutoff is not None:
        ax.axvline(result.cutoff, color=_ink(ax), linewidth=1.2, linestyle="--")
        _write_above(ax, result.cutoff, f"cutoff {result.cutoff:g}")
    _legend(ax, [text for _, text in entries], [handle for handle, _ in entries])
    _write_notes(ax, _about_small(curve.n for curve in result.densities if len(curve.x)))
    sns.despine(ax=ax)
    _make_room(ax)
    return ax


def plot_roc(result: ParityResult, *, ax: Axes | None = None, palette: Palette | None = None) -> Axes:
    """Draw the ROC curve of each group.

    Specificity falls from 1 to 0 along the x axis and sensitivity rises, as in pROC's ``ggroc``; the diagonal is a
    ranking by chance. The areas stand in the legend; so does a group with one outcome level only, which has no curve.
    Curves of groups with fewer than 30 rows are dashed.

    Parameters
    ----------
    result : ParityResult
        What `roc_parity` returned.
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
        The axes, with a line a group, the diagonal, and a legend.

    Raises
    ------
    TypeError
        If `result` is no result of a metric function or `ax` is not one ``Axes``.
    ValueError
        If the result is not one of `roc_parity`; if `palette` names no palette or has no colour for some group.

    See Also
    --------
    plot_parity : Draw a bar a group.
    plot_probabilities : Draw the density of the predicted probabilities of each group.

    Examples
    --------
    >>> from matplotlib.figure import Figure
    >>> from fairness_py import load_compas, plot_roc, roc_parity
    >>> result = roc_parity(load_compas(), outcome="Two_yr_Recidivism", group="Female", probs="probability")
    >>> ax = plot_roc(result, ax=Figure(layout="constrained").subplots())
    >>> ax.get_ylabel()
    'Sensitivity'
    """
    _check_result(result)
    if not result.roc_curves:
        raise ValueError(
            f"result must be one of roc_parity, which has ROC curves; this one is of {result.metric.name}."
        )
    groups = _groups(result, palette)
    ax = _axes(ax, plot_roc, result)
    entries: list[tuple[Artist, str]] = []
    for group, curve in zip(groups, result.roc_curves, strict=True):
        rows = curve.n_positive + curve.n_negative
        handle = _no_handle()
        area = "AUC undefined"
        if not math.isnan(curve.auc):
            (handle,) = ax.plot(curve.specificity, curve.sensitivity, **_line_style(group, rows))
            area = f"AUC {curve.auc:.3f}" + (" (turned)" if curve.direction == ">" else "")
        entries.append((handle, group.described(f"{area}, n = {rows:,}", has_curve=not math.isnan(curve.auc))))
    (chance,) = ax.plot([1, 0], [0, 1], color=_ink(ax), alpha=MUTED, linewidth=1, linestyle=":", zorder=1)
    entries.append((chance, "by chance: AUC 0.500"))
    ax.set(xlabel="Specificity", ylabel="Sensitivity", xlim=(1.02, -0.02), ylim=(-0.02, 1.02))
    _legend(ax, [text for _, text in entries], [handle for handle, _ in entries], corner="lower right")
    drawn = [curve for curve in result.roc_curves if not math.isnan(curve.auc)]
    _write_notes(
        ax,
        _about_small(curve.n_positive + curve.n_negative for curve in drawn),
        "turned: low scores speak for the second level" if any(curve.direction == ">" for curve in drawn) else "",
    )
    sns.despine(ax=ax)
    _make_room(ax)
    return ax


def draw_figure(
    function: Callable[..., Axes], result: ParityResult, *, width: float | None = None, height: float | None = None
) -> Figure:
    """Draw a plot on a figure of its own, which pyplot does not know.

    Parameters
    ----------
    function : callable
        One that draws a result on the axes `ax`, such as `plot_parity`.
    result : ParityResult
        What is drawn.
    width, height : float, optional
        Size in inches. By default ``rcParams["figure.figsize"]`` and what the labels need beyond that.

    Returns
    -------
    matplotlib.figure.Figure
        The figure.
    """
    own_width, own_height = _figure_size(function, result)
    figure = ParityFigure(own_width if width is None else width, own_height if height is None else height)
    function(result, ax=figure.subplots())
    return figure


def colours(n_groups: int) -> list[Colour]:
    """Return a colour a group: safe for colour-blind readers while they last, then shades from dark to light."""
    if n_groups <= MOST_DISTINCT:
        return list(sns.color_palette("colorblind", n_groups))
    shades = sns.color_palette("viridis", as_cmap=True)(np.linspace(0.2, 0.9, n_groups))  # its ends are hard to see
    return [tuple(shade[:3].tolist()) for shade in shades]


# ------------------------------------------------------------------ what is drawn, and where


class _Group(NamedTuple):
    """What all plots know of a group."""

    label: str
    n: int
    colour: Colour
    is_base: bool

    @property
    def is_small(self) -> bool:
        return self.n < SMALL

    def described(self, what: str, *, has_curve: bool) -> str:
        """Return an entry of the legend: the group, something about it, and whether it has no curve."""
        rest = f"{' (base)' if self.is_base else ''}: {what}{'' if has_curve else ', no curve'}"
        return isolate(_wrapped(self.label), rest)


def _groups(result: ParityResult, palette: Palette | None) -> list[_Group]:
    table = result["Metric"]
    has_base = result.versus == "base"
    return [
        _Group(r_text(label), int(n), colour, is_base=has_base and place == 0)
        for place, (label, n, colour) in enumerate(
            zip(table.columns, table.loc["Group size"], _colours_of(list(table.columns), palette), strict=True)
        )
    ]


def _colours_of(labels: list[Any], palette: Palette | None) -> list[Colour]:
    if palette is None:
        return colours(len(labels))
    if isinstance(palette, Mapping):
        missing = [label for label in labels if label not in palette]
        if missing:
            raise ValueError(f"palette must have a colour for each group; it has none for {quoted(missing)}.")
        palette = [palette[label] for label in labels]
    if not isinstance(palette, str) and len(palette) < len(labels):
        raise ValueError(f"palette must have a colour for each of the {len(labels)} groups, got {len(palette)}.")
    return list(sns.color_palette(palette, len(labels)))


def _check_result(result: object) -> None:
    if not isinstance(result, ParityResult):
        raise TypeError(
            "result must be the whole of what a metric function such as equal_odds returned, "
            f"got {type(result).__name__}."
        )


def _axes(ax: object, function: Callable[..., Axes], result: ParityResult) -> Axes:
    if ax is None:
        import matplotlib.pyplot as plt

        return plt.figure(figsize=_figure_size(function, result), layout="constrained").add_subplot()
    if not isinstance(ax, Axes):
        raise TypeError(f"ax must be one matplotlib Axes, got {type(ax).__name__}. Of several, pass one: ax=axes[0].")
    return ax


def _figure_size(function: Callable[..., Axes], result: ParityResult) -> tuple[float, float]:
    """Return width and height in inches: the user's, and what the labels need beyond that."""
    width, height = mpl.rcParams["figure.figsize"]
    labels = [_wrapped(r_text(label)) for label in result["Metric"].columns]
    longest = max(map(n_cells, labels))
    lines = sum(label.count("\n") + 1 for label in labels)
    line = mpl.rcParams["font.size"] / 72
    if function is plot_parity:
        beside = 24 if "Intervals" in result else 0
        needed = 3.5 + (longest + 10 + beside) * EM * line
        return max(width + beside * EM * line, needed), (8.6 + 2.1 * max(2, lines)) * line
    return max(width, 4.4 + (longest + 37) * EM * line), max(height, (9 + 1.55 * lines) * line)


def _is_laid_out(ax: Axes) -> bool:
    """Tell whether room is made for what stands beside the axes: by the layout of their figure, or by us."""
    return ax.figure.get_layout_engine() is not None or _is_ours_to_lay_out(ax)


#: The margins that figures got from us; those of their owners are left alone.
_MADE: WeakKeyDictionary[Figure, dict[str, float]] = WeakKeyDictionary()


def _is_ours_to_lay_out(ax: Axes) -> bool:
    """Tell whether nobody else places the axes: neither a layout engine nor, with margins of their own, the user."""
    figure = ax.figure
    if not isinstance(figure, Figure) or ax.get_subplotspec() is None:
        return False
    grid = ax.get_subplotspec().get_gridspec()  # type: ignore[union-attr]
    if any(getattr(grid, side, None) is not None for side in ("left", "right", "bottom", "top")):
        return False
    engine = figure.get_layout_engine()
    if engine is not None and not (isinstance(engine, PlaceHolderLayoutEngine) and engine.adjust_compatible):
        return False  # the other kind is what tight_layout() leaves
    return vars(figure.subplotpars) in (vars(SubplotParams()), _MADE.get(figure))


def _make_room(ax: Axes) -> None:
    """Move the axes of a figure that has no layout so that the labels are within it."""
    figure = ax.figure
    if not (isinstance(figure, Figure) and _is_ours_to_lay_out(ax)):
        return
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        figure.tight_layout()
    _MADE[figure] = dict(vars(figure.subplotpars))
    if any("not applied" in str(warning.message) for warning in caught):
        warn("The figure is too small for the labels, which are cut off: make it larger, or let the function make one.")


def _points(ax: Axes) -> tuple[float, float]:
    """Return width and height of the axes in points; before the layout is made, those that it will have or so."""
    scale = 72 / ax.figure.dpi
    return ax.bbox.width * scale, ax.bbox.height * scale


def _fitting_size(ax: Axes, n_lines: float, usual: float | str) -> float:
    """Return the usual font size, or a smaller one where so many lines have no room in the axes."""
    points = FontProperties(size=usual).get_size_in_points()
    return float(max(min(points, _points(ax)[1] / n_lines / 1.1), SMALLEST_TEXT))


def _ink(ax: Axes) -> Any:
    """Return the colour of text on these axes: that of the style they were made with."""
    return ax.xaxis.label.get_color()


def _wrapped(label: str) -> str:
    if n_cells(label) <= MOST_IN_A_LINE:
        return label
    return "\n".join(textwrap.wrap(label, MOST_IN_A_LINE)) or label


# ------------------------------------------------------------------ the bars


class _Bar(NamedTuple):
    """A value, the bounds of its interval (the value, where there is none), and the text beside it."""

    value: float
    lower: float
    upper: float
    text: str

    @property
    def is_left(self) -> bool:
        return self.value < 0

    @property
    def end(self) -> float:
        """Where the text begins."""
        if math.isnan(self.value):
            return 0.0
        return min(self.value, self.lower) if self.is_left else max(self.value, self.upper)


def _bars(result: ParityResult, marks: list[str]) -> list[_Bar]:
    values = result["Metric"].loc[result.metric.value_row].to_numpy(float)
    lower, upper = values, values
    if "Intervals" in result:
        row = result.metric.value_row
        lower, upper = (result["Intervals"].loc[f"{row} {side}"].to_numpy(float) for side in ("lower", "upper"))
        lower, upper = np.where(np.isnan(lower), values, lower), np.where(np.isnan(upper), values, upper)
    return [
        _Bar(value, low, high, _written(value, low, high, result.metric.reference) + mark)
        for value, low, high, mark in zip(values.tolist(), lower.tolist(), upper.tolist(), marks, strict=True)
    ]


def _written(value: float, lower: float, upper: float, reference: float) -> str:
    """Return a value as text, with its interval if it has one."""
    numbers = (value, lower, upper) if lower < upper else (value,)
    text, *bounds = (
        number.replace("-", "\N{MINUS SIGN}") for number in alike(numbers, reference, fewest=3 if reference == 0 else 2)
    )
    return f"{text} [{', '.join(bounds)}]" if bounds else text


def _font_and_width(ax: Axes, groups: list[_Group], column: list[_Bar]) -> tuple[float, float]:
    """Return the font size of the labels, and about how many points are left for the bars when they have room.

    At the left of the bars stand names and numbers of rows, at their right the texts of the `column`.
    """
    usual = _fitting_size(ax, len(groups), mpl.rcParams["ytick.labelsize"])
    width = _points(ax)[0]
    if not _is_laid_out(ax):
        return usual, width
    labels = max(n_cells(_wrapped(group.label)) + len(f"n = {group.n:,}") for group in groups)
    beside = (labels + max((n_cells(bar.text) + 2 for bar in column), default=0)) * EM
    font = max(min(usual, 0.75 * width / beside), SMALLEST_TEXT)
    return font, max(1.2 * width - beside * font, 0.3 * width)


def _limits(bars: list[_Bar], reference: float, em: float) -> tuple[float, float]:
    """Return the limits of the axis: all bars, and room for the texts; `em` is the font size in axes widths."""
    values = [bar.value for bar in bars if math.isfinite(bar.value)]
    farthest = 3 * max([abs(reference), *map(abs, values)]) or 1.0  # a longer interval would leave no room for the bars
    ends = [(bar, float(np.clip(bar.end, -farthest, farthest))) for bar in bars if not math.isinf(bar.value)]
    most = 0.45 if any(bar.is_left for bar in bars) else 0.7  # texts at both sides leave less
    room = {bar: min((n_cells(bar.text) * EM + 1.2) * em, most) for bar, _ in ends}
    bounds = np.clip([(bar.lower, bar.upper) for bar, _ in ends], -farthest, farthest)
    shown = [*(end for _, end in ends), *bounds[~np.isnan(bounds)].tolist()]
    low, high = min([0.0, *shown]), max([reference, *shown])
    high = high if high > low else low + 1.0
    width = high - low
    for _ in range(20):  # the room that a text takes is a share of the width, which so grows with it
        low = min([low, *(end - room[bar] * width for bar, end in ends if bar.is_left)])
        high = max([high, *(end + room[bar] * width for bar, end in ends if not bar.is_left)])
        width = high - low
    margin = (0.15 if any(math.isinf(bar.value) for bar in bars) else 0.04) * width
    return (low - margin if low < 0 or any(bar.is_left for bar in bars) else 0.0), high + margin


def _draw_ends(ax: Axes, place: int, bar: _Bar, colour: Colour) -> None:
    """Draw the interval of a value, and an arrow at the edge where something does not end there."""
    low, high = ax.get_xlim()
    lower, upper = np.clip([bar.lower, bar.upper], low, high)
    if lower < upper:
        ax.plot([lower, upper], [place, place], color=_ink(ax), linewidth=1.2, solid_capstyle="butt", zorder=4)
    for edge, marker in ((low, "<"), (high, ">")):
        beyond = bar.lower < low if edge == low else bar.upper > high
        if beyond:
            shade = colour if math.isinf(bar.value) else _ink(ax)
            ax.plot(edge, place, marker=marker, color=shade, markersize=7, clip_on=False, zorder=5)


def _write_value(ax: Axes, place: int, bar: _Bar, font: float, *, in_column: bool) -> None:
    """Write the value behind the end of its bar, or in a column at the right, as in a forest plot."""
    is_left = bar.is_left and not in_column
    is_far = in_column or math.isinf(bar.value)  # beyond the arrow
    ax.annotate(
        bar.text,
        (1, place) if in_column else (float(np.clip(bar.end, *ax.get_xlim())), place),
        ((-1 if is_left else 1) * (0.9 if is_far else 0.4) * font, 0),
        xycoords=ax.get_yaxis_transform() if in_column else "data",
        textcoords="offset points",
        ha="right" if is_left else "left",
        va="center",
        color=_ink(ax),
        fontsize=font,
        fontstyle="italic" if math.isnan(bar.value) else "normal",
        zorder=6,
        bbox=None if is_far else {"facecolor": ax.get_facecolor(), "edgecolor": "none", "pad": 0.8},
    )


def _mark_reference(ax: Axes, reference: float) -> None:
    ax.axvline(0, color=_ink(ax), linewidth=0.8, zorder=3)
    if reference != 0:
        ax.axvline(reference, color=_ink(ax), linewidth=1, linestyle="--", zorder=3)
    _write_above(ax, reference, "parity" if reference == 1 else "no disparity")


def _write_above(ax: Axes, x: float, text: str) -> None:
    """Say above the axes what a vertical line is."""
    ax.annotate(
        text,
        (x, 1),
        (0, 2),
        xycoords=ax.get_xaxis_transform(),
        textcoords="offset points",
        ha="center",
        va="bottom",
        fontsize="small",
        color=_ink(ax),
        alpha=MUTED,
    )


def _space_ticks(ax: Axes, width: float) -> None:
    """Have no more ticks than their labels have room for, which matplotlib thinks narrower than they are."""
    size = FontProperties(size=mpl.rcParams["xtick.labelsize"]).get_size_in_points()
    ax.locator_params(axis="x", nbins=int(np.clip(width / (TICK * EM * size), 1, 8)))


def _label_groups(ax: Axes, groups: list[_Group], font: float) -> None:
    """Write the names of the groups, the base in bold, and beside them the numbers of rows."""
    sizes = [f"n = {group.n:,}" for group in groups]
    drawn = [as_is(_wrapped(group.label)) for group in groups]
    ax.set_yticks(range(len(groups)), [text for text, _ in drawn])
    ax.tick_params(axis="y", length=0, labelsize=font, pad=font * (max(map(len, sizes)) * 0.85 * EM + 1.5))
    for tick, group, (_, properties) in zip(ax.yaxis.get_major_ticks(), groups, drawn, strict=True):
        tick.label1.set(**properties, fontweight="bold" if group.is_base else "normal")  # hidden where axes share it
    for place, size in enumerate(sizes):
        ax.annotate(
            size,
            (0, place),
            (-0.8 * font, 0),  # there may be an arrow at the edge
            xycoords=ax.get_yaxis_transform(),
            textcoords="offset points",
            ha="right",
            va="center",
            fontsize=0.85 * font,
            color=_ink(ax),
            alpha=MUTED,
        )


# ------------------------------------------------------------------ what all plots have


def _line_style(group: _Group, n: int) -> dict[str, Any]:
    return {
        "color": group.colour,
        "linewidth": 2.4 if group.is_base else 1.4,
        "linestyle": "--" if n < SMALL else "-",
    }


def _no_handle() -> Line2D:
    """Return what stands in the legend before a group without a curve: nothing."""
    return Line2D([], [], linestyle="none")


def _about_small(sizes: Iterable[int]) -> str:
    return f"dashed: fewer than {SMALL} rows, uncertain" if any(n < SMALL for n in sizes) else ""


def _legend(ax: Axes, texts: Sequence[str], handles: Sequence[Artist] | None = None, *, corner: str = "") -> None:
    """Make the legend; its texts are drawn as they are.

    It stands beside axes that are alone in a figure whose layout makes room for it, and within others: in a corner that
    curves leave free or, where there is none, above them.
    """
    if handles is None:
        handles = ax.get_legend_handles_labels()[0]
    drawn = [as_is(text) for text in texts]
    n_lines = sum(1.1 * text.count("\n") + 1.5 for text, _ in drawn)
    size = _fitting_size(ax, n_lines, mpl.rcParams["legend.fontsize"])
    widest = (max(n_cells(text) for text, _ in drawn) + 6) * EM
    width, height = _points(ax)
    panel = ax.get_subplotspec()
    is_alone = _is_laid_out(ax) and panel is not None and panel.get_geometry()[:2] == (1, 1)
    is_beside = is_alone and 1.2 * width - widest * size > NARROW
    if is_beside:
        place: dict[str, Any] = {"loc": "upper left", "bbox_to_anchor": (1.01, 1), "borderaxespad": 0, "frameon": False}
    elif corner:
        size = max(min(size, 0.6 * width / widest, 0.6 * height / n_lines), SMALLEST_TEXT)
        place = {"loc": corner}
    else:
        columns = 2 if 0.45 * width / widest > READABLE else 1
        size = max(min(size, 0.9 * width / widest / columns, 0.6 * height * columns / n_lines), SMALLEST_TEXT)
        place = {"loc": "upper right", "ncols": columns}
        _raise_top(ax, (n_lines / columns + 3.5) * size / height)
    legend = ax.legend(
        handles,
        [str(number) for number in range(len(drawn))],  # matplotlib would leave out a text that begins with "_"
        fontsize=size,
        **place,
    )
    for entry, (text, properties) in zip(legend.get_texts(), drawn, strict=True):
        entry.set(text=text, **properties)


def _raise_top(ax: Axes, share: float) -> None:
    """Keep a share of the height free above what is drawn."""
    low, high = ax.get_ylim()
    ax.set_ylim(low, low + (high - low) / (1 - min(share, 0.7)))


def _write_notes(ax: Axes, *notes: str, align: Literal["center", "right"] = "center") -> None:
    """Write what a reader must know below the title of the x axis."""
    ax.annotate(
        "\n".join(filter(None, notes)),
        (0.5 if align == "center" else 1, 0),
        (0, -3),
        xycoords=("axes fraction", ax.xaxis.label),
        textcoords="offset points",
        ha=align,
        va="top",
        fontsize="small",
        color=_ink(ax),
        alpha=MUTED,
    )
