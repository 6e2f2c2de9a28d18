"""What a call returns: R's list, as a dictionary whose plots are drawn when first asked for."""

from __future__ import annotations

import base64
import functools
import importlib
import io
from collections.abc import Callable, Hashable, ItemsView, Iterator, Mapping, ValuesView
from typing import TYPE_CHECKING, Any, NamedTuple, NoReturn

import numpy as np
import numpy.typing as npt
import pandas as pd

from ._factors import Codes, Factor, Numbers, Vector, blocks, changed, look_up
from ._ranks import OutcomeCodes
from .metrics import Metric

if TYPE_CHECKING:
    from matplotlib.figure import Figure


class Plot(NamedTuple):
    """Where the function of a plot stands, and how high its figure is unless the number of groups says."""

    module: str
    function: str
    height: float | None = None


#: The plots that a result may have.
PLOTS = {
    "Metric_plot": Plot("plots", "plot_parity"),
    "Probability_plot": Plot("plots", "plot_probabilities"),
    "ROCAUC_plot": Plot("plots", "plot_roc"),
    "Calibration_plot": Plot("_calibration_plot", "plot_calibration", height=6),
}

BLOCK = 4096  # rows whose scores are summed up to know whether they are still the same
COUNT_ROWS = ("Group size", "Positively classified")  # rows of a table that count people


class Density(NamedTuple):
    """The density curve of one group's probabilities; without points where it has fewer than two rows."""

    group: Hashable
    n: int
    x: Vector
    density: Vector


class RocCurve(NamedTuple):
    """The ROC curve of one group: specificity from 1 to 0, sensitivity, and which way higher scores point."""

    group: Hashable
    n_positive: int
    n_negative: int
    specificity: Vector
    sensitivity: Vector
    auc: float
    direction: str


class GroupedScores(NamedTuple):
    """What the densities are made of, kept as it came: nothing is computed before a plot is looked at."""

    factor: Factor
    place_of_code: npt.NDArray[np.intp]  # place in the table of each code, -1 in the last place
    scores: Numbers
    sums: npt.NDArray[np.uint64]  # of the scores when they were counted
    outcome: OutcomeCodes | None  # where rows without an outcome do not count

    def blocks(self, step: int) -> Iterator[tuple[Codes, Vector]]:
        """Return the rows that count, so many at a time: 2 * place of the group + outcome level, and the score."""
        assert self.outcome is not None
        short = np.int16 if len(self.place_of_code) < 1 << 14 else np.int32
        twice_place = (2 * self.place_of_code).astype(short)
        level_of_code = self.outcome.level_of_code.astype(short)
        for rows in blocks(len(self.scores), step):
            kind = look_up(self.factor, twice_place, rows)
            level = look_up(self.outcome.factor, level_of_code, rows)
            scores = self.scores[rows] + 0.0  # a zero without its sign
            used = (kind >= 0) & (level >= 0) & ~np.isnan(scores)
            kind += level
            yield (kind, scores) if used.all() else (kind[used], scores[used])

    def split(self, n_groups: int) -> list[Vector]:
        """Return the scores of each group's rows that count."""
        everything = slice(None)
        place, scores = look_up(self.factor, self.place_of_code, everything), self.scores[everything]
        used = (place >= 0) & ~np.isnan(scores)
        if self.outcome is not None:
            used &= self.outcome.levels(everything) >= 0
        place, scores = place[used], scores[used]
        order = np.argsort(place, kind="stable")
        ends = np.cumsum(np.bincount(place, minlength=n_groups))[:-1]
        return np.split(scores[order], ends)


@functools.cache
def _weights() -> npt.NDArray[np.uint64]:
    return np.random.default_rng(0).integers(0, 1 << 64, BLOCK, dtype=np.uint64)


def bit_sums(scores: Numbers) -> npt.NDArray[np.uint64]:
    """Return what changed scores are known by, in a fraction of the time of counting them.

    These are sums over blocks of rows, each with a weight of its own so that scores in another order have another sum,
    and the last rows themselves. Their bits are read as whole numbers, whose sums have no rounding.
    """
    weights = _weights()
    sums = [np.empty(0, dtype=np.uint64)]
    for rows in blocks(len(scores)):
        bits = np.ascontiguousarray(scores[rows]).view(np.uint64)
        whole = len(bits) // BLOCK * BLOCK
        sums += [np.einsum("ij,j->i", bits[:whole].reshape(-1, BLOCK), weights), bits[whole:]]
    return np.concatenate(sums)


class ParityResult(dict[str, Any]):
    """The result of a metric: a dictionary with R's keys in R's order.

    ``result["Metric"]`` and ``result.Metric`` are the table: the raw metric, what the comparison with the base group
    makes of it, and the group sizes, one column a group, the base first. ``Metric_plot``, with probabilities
    ``Probability_plot``, for `roc_parity` ``ROCAUC_plot``, and for `calibration_within_groups` ``Calibration_plot`` are
    `matplotlib.figure.Figure` objects that are drawn when first asked for.

    Attributes
    ----------
    metric : Metric
        What was computed.
    cutoff : float or None
        The cutoff of the probabilities, where there is one.
    versus : {"base", "rest"}
        What each group was held against: the base group, or all other groups together.
    """

    metric: Metric
    cutoff: float | None
    versus: str

    def __init__(
        self,
        metric: Metric,
        table: pd.DataFrame,
        *,
        cutoff: float | None = None,
        scores: GroupedScores | None = None,
        roc_curves: Callable[[], tuple[RocCurve, ...]] | tuple[RocCurve, ...] | None = None,
        densities: Callable[[], tuple[Density, ...]] | tuple[Density, ...] | None = None,
        versus: str = "base",
        tables: Mapping[str, pd.DataFrame] | None = None,
    ) -> None:
        super().__init__(Metric=table, Metric_plot=None)
        self.metric = metric
        self.cutoff = cutoff
        self.versus = versus
        self._scores = scores
        self._densities = densities
        self._roc_curves = roc_curves
        if scores is not None or densities is not None:
            super().__setitem__("Probability_plot", None)
        if roc_curves is not None:
            super().__setitem__("ROCAUC_plot", None)
        for key, entry in (tables or {}).items():
            super().__setitem__(key, entry)
            if f"{key}_plot" in PLOTS:
                super().__setitem__(f"{key}_plot", None)

    # ---- the numbers behind the plots

    @property
    def base(self) -> Hashable:
        """The base group."""
        label: Hashable = super().__getitem__("Metric").columns[0]
        return label

    @property
    def densities(self) -> tuple[Density, ...]:
        """The density curve of each group's probabilities, in the order of the table; empty without `probs`."""
        if self._densities is None:
            self._densities = () if self._scores is None else self._make_densities(self._scores)
            self._scores = None
        if callable(self._densities):
            self._densities = self._densities()
        return self._densities

    @property
    def roc_curves(self) -> tuple[RocCurve, ...]:
        """The ROC curve of each group, in the order of the table; empty but for `roc_parity`."""
        if callable(self._roc_curves):
            self._roc_curves = self._roc_curves()
        return self._roc_curves or ()

    def _make_densities(self, scores: GroupedScores) -> tuple[Density, ...]:
        from ._density import density_curve

        table = super().__getitem__("Metric")
        split = scores.split(table.shape[1])
        sizes = [len(values) for values in split]
        if (
            not np.array_equal(bit_sums(scores.scores), scores.sums)
            or sizes != table.loc["Group size"].astype(int).tolist()
        ):
            raise changed()
        return tuple(
            Density(label, len(values), *density_curve(values))
            for label, values in zip(table.columns, split, strict=True)
        )

    # ---- the plots

    def draw(self, key: str, *, width: float | None = None, height: float | None = None) -> Figure:
        """Draw one of the result's plots anew, at a size of your own.

        Parameters
        ----------
        key : {"Metric_plot", "Probability_plot", "ROCAUC_plot", "Calibration_plot"}
            Which plot.
        width, height : float, optional
            Size in inches. By default one that fits the number and the length of the group labels.

        Returns
        -------
        matplotlib.figure.Figure
            The figure; pyplot does not know it, so it need not be closed.

        Raises
        ------
        KeyError
            If the result has no such plot.
        """
        if key not in PLOTS or key not in self.keys():
            raise KeyError(f"{key!r} is no plot of this result, which has {[k for k in self if k in PLOTS]}.")
        from .plots import draw_figure  # loads matplotlib

        plot = PLOTS[key]
        function = getattr(importlib.import_module(f".{plot.module}", __package__), plot.function)
        figure: Figure = draw_figure(function, self, width=width, height=height or plot.height)
        return figure

    def __getitem__(self, key: str) -> Any:
        value = super().__getitem__(key)
        if value is None and key in PLOTS:
            value = self.draw(key)
            super().__setitem__(key, value)
        return value

    def __missing__(self, key: object) -> NoReturn:
        raise KeyError(
            f"the result has no {key!r}; it has {list(self)}. Intervals come with conf_level, Probability_plot with "
            "probs, ROCAUC_plot from roc_parity, Calibration_plot from calibration_within_groups."
        )

    def __getattr__(self, name: str) -> Any:
        if name in self.keys():
            return self[name]
        raise AttributeError(f"{type(self).__name__} has no {name!r}; it has {list(self)}")

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *self]

    # ---- the result in words

    def summary(self) -> str:
        """Say in one sentence a group what was found, and how sure it is.

        Returns
        -------
        str
            One line a group but the base: the value with its interval and the p-value, adjusted by Holm's method where
            there are several; whether there is a clear disparity (which may be a small one: the interval lies between
            the ratios 0.8 and 1.25, or the differences -0.1 and 0.1), one that may be chance, no clear one, or too few
            rows to tell, which is said where the interval contains the value of no disparity and also such as are not
            small; or why the value is undefined. No line says that a model is fair, for no metric can show that.

        Raises
        ------
        ValueError
            If the result has no intervals: the metric has to be computed with `conf_level`.

        Examples
        --------
        >>> from fairness_py import load_compas, fnr_parity
        >>> result = fnr_parity(
        ...     load_compas(), outcome="Two_yr_Recidivism", group="Female", probs="probability", conf_level=0.95
        ... )
        >>> print(result.summary())
        FNR of Female is 1.95 times that of Male (95 % interval 1.77 to 2.14; p < 0.001): a clear disparity.
        """
        from ._summary import summarise

        return summarise(self)

    # ---- what would hand out a plot that is not drawn yet, were it left to dict

    def __iter__(self) -> Iterator[str]:  # for dict(result): dict copies past any class that iterates as it does
        return iter(self.keys())

    def values(self) -> ValuesView[Any]:  # type: ignore[override]
        """Return the table and the plots."""
        return ValuesView(self)

    def items(self) -> ItemsView[str, Any]:  # type: ignore[override]
        """Return the keys with the table and the plots."""
        return ItemsView(self)

    def get(self, key: str, default: Any = None) -> Any:
        """Return an entry, or `default` where there is none."""
        return self[key] if key in self.keys() else default

    def setdefault(self, key: str, default: Any = None) -> Any:
        """Return an entry, and set it to `default` where there is none."""
        if key not in self.keys():
            self[key] = default
        return self[key]

    def pop(self, key: str, *default: Any) -> Any:
        """Remove an entry and return it."""
        if key in self.keys():
            self[key]  # drawn, if it is a plot
        return super().pop(key, *default)

    def popitem(self) -> tuple[str, Any]:
        """Remove the last entry and return it with its key."""
        key = list(self)[-1]
        return key, self.pop(key)

    def __or__(self, other: Any) -> dict[str, Any]:  # type: ignore[override]
        return dict(self) | dict(other)

    def __ror__(self, other: Any) -> dict[str, Any]:  # type: ignore[override]
        return dict(other) | dict(self)

    # ---- copies and comparisons

    def copy(self) -> ParityResult:
        """Return a copy with a table of its own; its plots are drawn anew."""
        return _restore(*self._parts())

    __copy__ = copy

    def __deepcopy__(self, memo: dict[int, Any]) -> ParityResult:
        return self.copy()

    def __reduce__(self) -> tuple[Any, ...]:
        return _restore, self._parts()

    def _parts(self) -> tuple[Any, ...]:
        """Return what makes this result again: numbers of the size of a plot, never the rows of the data."""
        keys = super().keys()
        return (
            self.metric.name,
            {key: _undrawn(key, entry) for key, entry in dict.items(self)},
            self.cutoff,
            self.densities if "Probability_plot" in keys else None,
            self.roc_curves if "ROCAUC_plot" in keys else None,
            self.versus,
        )

    def _tables(self) -> dict[str, pd.DataFrame]:
        """Return the tables besides `Metric`."""
        entries = dict.items(self)  # as they are: nothing is drawn
        return {key: entry for key, entry in entries if key != "Metric" and isinstance(entry, pd.DataFrame)}

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, ParityResult):
            return NotImplemented
        kind, other_kind = (
            (result.metric.name, result.cutoff, result.versus, list(result)) for result in (self, other)
        )
        return (
            kind == other_kind
            and self.Metric.equals(other.Metric)
            and all(table.equals(other[key]) for key, table in self._tables().items())
            and _same_curves(self.densities, other.densities)
            and _same_curves(self.roc_curves, other.roc_curves)
        )

    def __ne__(self, other: object) -> bool:
        equal = self.__eq__(other)
        return NotImplemented if equal is NotImplemented else not equal

    __hash__ = None

    # ---- how it looks

    def __repr__(self) -> str:
        table = rounded(super().__getitem__("Metric")).to_string(line_width=pd.get_option("display.width"))
        others = ", ".join(key for key in self if key != "Metric")
        note = super().__getitem__("Metric").attrs.get("note")  # what is not exact
        return f"{table}\n\nAlso: {others}" + (f"\nNote: {note}" if note else "")

    def _repr_html_(self) -> str:
        table = super().__getitem__("Metric")
        parts = [rounded(table).to_html()]
        if note := table.attrs.get("note"):
            parts.append(f"<p>Note: {note}</p>")
        for key in self:
            if key.endswith("_plot"):
                image = io.BytesIO()
                self[key].savefig(image, format="png")
                text = base64.b64encode(image.getvalue()).decode()
                parts.append(f'<img alt="{key}" src="data:image/png;base64,{text}">')
        return "\n".join(parts)


def _restore(
    name: str,
    entries: dict[str, Any],
    cutoff: float | None,
    densities: tuple[Density, ...] | None,
    roc_curves: tuple[RocCurve, ...] | None,
    versus: str,
) -> ParityResult:
    from .metrics import METRICS

    result = ParityResult(
        METRICS[name], entries["Metric"], cutoff=cutoff, densities=densities, roc_curves=roc_curves, versus=versus
    )
    dict.clear(result)  # for the entries that the user added or removed
    dict.update(result, entries)
    return result


def _undrawn(key: str, entry: Any) -> Any:
    """Return an entry for a copy: tables copied, plots to be drawn anew."""
    if key in PLOTS:
        return None
    return entry.copy() if isinstance(entry, pd.DataFrame) else entry


def _same_curves(one: tuple[Any, ...], other: tuple[Any, ...]) -> bool:
    return len(one) == len(other) and all(
        all(np.array_equal(a, b, equal_nan=isinstance(a, (float, np.ndarray))) for a, b in zip(x, y, strict=True))
        for x, y in zip(one, other, strict=True)
    )


def rounded(table: pd.DataFrame) -> pd.DataFrame:
    """Return a table as texts: counts of people without decimals, all else with four, as a reader wants them."""
    rows = zip(table.index, table.to_numpy(), strict=True)
    texts = [[_cell(value, whole=label in COUNT_ROWS) for value in row] for label, row in rows]
    return pd.DataFrame(texts, table.index, table.columns)


def _cell(value: float, *, whole: bool) -> str:
    if np.isnan(value):
        return "NaN"
    if np.isinf(value):
        return "Inf" if value > 0 else "-Inf"
    return f"{value:.0f}" if whole else f"{value:.4f}"
