"""From the arguments of a call to its result: every metric of counts goes through here."""

from __future__ import annotations

import functools
import numbers
from collections.abc import Hashable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import pandas as pd

from ._blocks import COARSE, Query, TooManyLabelsError
from ._columns import ColumnLike, check_data, names_columns, take_column
from ._counts import Counts, crosstab
from ._engine_base import Engine
from ._factors import (
    MANY_LABELS,
    OUTSIDE,
    Binned,
    Coded,
    Factor,
    Levels,
    Numbers,
    Threshold,
    Vector,
    changed,
    check_breaks,
    find_levels,
    interaction,
    interval_labels,
    is_numeric,
    make_breaks,
    to_factor,
)
from ._frames import find_engine
from ._intervals import assess, check_conf_level
from ._labels import did_you_mean, find_label, is_boolean, is_number, plain, quoted, r_text
from ._mover import Groups
from ._result import GroupedScores, ParityResult
from ._scores import EngineScores, OutcomeCounts, RowScores
from ._warn import warn
from .metrics import Formula, Metric

VERSUS = ("base", "rest")
MANY_GROUPS = 10
MANY_REASONS = 12
#: What must be known of the two levels that a comparison makes: a missing outcome would silently be a negative one.
COMPARED = "which in files and engines has to be a column (missing values may become False: drop them first)"


class Prediction(NamedTuple):
    """What was predicted: labels, or probabilities and the cutoff that makes labels of them."""

    factor: Factor
    scores: Numbers | None


class Tally(NamedTuple):
    """The rows counted by group, outcome and prediction, each axis with a last place for missing values."""

    groups: Levels
    outcomes: Levels
    group_factor: Factor
    outcome_factor: Factor
    predicted_factor: Factor
    table: npt.NDArray[np.int64]


def compute_parity(
    metric: Metric,
    data: Any,
    outcome: ColumnLike,
    group: ColumnLike,
    *,
    probs: ColumnLike | None,
    preds: ColumnLike | None,
    outcome_base: Hashable | None,
    cutoff: float,
    base: Hashable | None,
    group_breaks: Any,
    positive: Any,
    versus: str,
    conf_level: float | None,
) -> ParityResult:
    """Compute a metric of counts for each group and hold it against that of the base group, or of all others."""
    check_versus(versus)
    level = None if conf_level is None else check_conf_level(conf_level)
    check_positive(positive, probs, outcome_base)
    counted = count_rows(
        metric, data, outcome, group, probs=probs, preds=preds, cutoff=cutoff, group_breaks=group_breaks
    )
    tally, prediction, scores = counted._tally, counted._prediction, counted._scores
    if positive is None:
        hint = " Name those that count as positive, against all others, in positive=…, with preds."
        side = two_sides(tally, outcome_base, metric, hint if metric.needs else "")
    else:
        side = one_against_rest(tally, positive, metric)
    check_groups(tally.groups, group_breaks)
    order = base_first(tally.groups.labels, base)
    cells = tally_cells(tally, prediction, side)[order]
    predicted = "preds" if probs is None else "probs"
    report_left_out(tally, cells, needs_outcome=metric.needs_outcome, predicted=predicted)
    labels = [tally.groups.labels[position] for position in order]
    counts = Counts.from_cells(cells)
    others = counts.rest() if versus == "rest" else counts.take(np.zeros(len(labels), dtype=np.intp))
    table = metric_table(metric, counts, others, labels)
    if metric.needs:
        warn_if_undefined(metric, counts, others, labels, versus)
    else:
        warn_if_base_is_empty(table)
    plotted: dict[str, Any] = {}
    if scores is not None:
        scores.warn_if_reversed()
        plotted = scores_of_table(scores, tally, order, table, needs_outcome=metric.needs_outcome)
    return ParityResult(
        metric,
        table,
        cutoff=None if scores is None else float(cutoff),
        **plotted,
        versus=versus,
        tables=None if level is None else {"Intervals": interval_table(metric, counts, others, table, level, versus)},
    )


class ScoredGroups(NamedTuple):
    """The groups of a metric that is made of probabilities, the base first, and what their rows hold."""

    labels: list[Hashable]
    counts: Counts
    scores: RowScores | EngineScores
    tally: Tally
    order: npt.NDArray[np.intp]  # positions of the groups among the levels

    @property
    def place_of_code(self) -> npt.NDArray[np.intp]:
        """The place in the table of each code of the groups, -1 in the last place."""
        return rank(self.tally.groups, self.order)

    def check_sides(self, rows: npt.NDArray[Any], positives: npt.NDArray[Any]) -> None:
        """Refuse data of which a second look finds other numbers of rows, or of positives, than were counted."""
        counts = self.counts
        if not (np.array_equal(rows, counts.n) and np.array_equal(positives, counts.tp + counts.fn)):
            raise changed()

    def of_table(self, table: pd.DataFrame) -> dict[str, Any]:
        """Return what a result makes its density curves of."""
        return scores_of_table(self.scores, self.tally, self.order, table, needs_outcome=True)

    def of_rows(self) -> GroupedScores:
        """Return the scores row by row, of rows in memory."""
        assert isinstance(self.scores, RowScores)
        return self.scores.grouped(self.place_of_code, needs_outcome=True)


def score_groups(
    metric: Metric,
    data: Any,
    outcome: ColumnLike,
    group: ColumnLike,
    *,
    probs: ColumnLike | None,
    base: Hashable | None,
    group_breaks: Any,
) -> ScoredGroups:
    """Find the groups and the rows that count, for a metric that is made of probabilities and not of counts."""
    if probs is None:
        raise ValueError("Probs have to be supplied")
    counted = count_rows(metric, data, outcome, group, probs=probs, group_breaks=group_breaks, keep_codes=True)
    tally, scores = counted._tally, counted._scores
    assert scores is not None
    if counted is data and isinstance(scores, RowScores):  # counted before
        scores.check_unchanged()
    side = two_sides(tally, None, metric)
    check_groups(tally.groups, group_breaks)
    order = base_first(tally.groups.labels, base)
    cells = tally_cells(tally, counted._prediction, side)[order]
    report_left_out(tally, cells, needs_outcome=True, predicted="probs")
    labels = [plain(tally.groups.labels[position]) for position in order]
    return ScoredGroups(labels, Counts.from_cells(cells), scores, tally, order)


def count_rows(
    metric: Metric,
    data: Any,
    outcome: ColumnLike,
    group: ColumnLike,
    *,
    probs: ColumnLike | None,
    group_breaks: Any,
    keep_codes: bool = False,
    **prediction_arguments: Any,
) -> OutcomeCounts:
    """Return the rows counted by group, outcome and prediction, wherever they are."""
    asked = {"outcome": outcome, "group": group, "probs": probs, "group_breaks": group_breaks, **prediction_arguments}
    if isinstance(data, OutcomeCounts):
        data.check_asked(asked)
        return data
    preds, cutoff = asked.get("preds"), asked.get("cutoff", 0.5)
    engine = find_engine(data)
    if engine is not None:
        columns: Iterable[Hashable] = engine.columns
        counted = count_in_engine(metric, engine, asked | {"preds": preds, "cutoff": cutoff})
    else:
        frame = check_data(data, outcome, group, probs, preds)
        columns = frame.columns
        counted = count_in_memory(metric, frame, asked | {"preds": preds, "cutoff": cutoff}, keep_codes=keep_codes)
    if probs is not None and preds is not None:
        warn_of_both(preds, columns, counted._tally.groups.labels)
    return counted


def count_in_memory(
    metric: Metric, frame: pd.DataFrame, asked: dict[str, Any], *, keep_codes: bool = False
) -> OutcomeCounts:
    """Count the rows of a frame."""
    prediction = take_prediction(frame, asked["probs"], asked["preds"], asked["cutoff"])
    group_factor = take_group(frame, asked["group"], asked["group_breaks"])
    outcome_factor = take_outcome(frame, asked["outcome"], metric)
    tally = count(group_factor, outcome_factor, prediction.factor, len(frame), keep_codes=keep_codes)
    scores = None if prediction.scores is None else RowScores(tally, prediction.scores)
    return OutcomeCounts(tally, prediction, scores, asked)


def count_in_engine(metric: Metric, engine: Engine, asked: dict[str, Any]) -> OutcomeCounts:
    """Have an engine count its rows, and read the small table that it returns as if each row stood for many."""
    probs, preds, cutoff, group = asked["probs"], asked["preds"], asked["cutoff"], asked["group"]
    check_prediction(probs, preds, cutoff)
    predicted = {} if probs is not None else {"preds": engine.check_column(preds, "preds")}
    score = None if probs is None else engine.check_column(probs, "probs")
    several = isinstance(group, list) and len(group) > 0
    names = [engine.check_column(name, "group") for name in (group if several else [group])]
    if len(set(names)) < len(names):
        raise ValueError(f"group must list different columns, got {quoted(names)}: no column is combined with itself.")
    breaks = None
    if asked["group_breaks"] is not None:
        given = check_breaks(asked["group_breaks"])
        if not several and is_numeric(engine.few(names[0])):
            span = np.array(engine.range(names[0]) if len(given) == 1 else [])
            breaks = make_breaks(span, asked["group_breaks"])
        else:
            warn("Attempting to bin a non-numeric group feature.")
    labels = {} if breaks is not None else {f"group {place}": name for place, name in enumerate(names)}
    labels["outcome"] = engine.check_column(asked["outcome"], "outcome")
    query = Query(
        tuple((labels | predicted).items()),
        cut=None if breaks is None else (names[0], tuple(breaks.tolist())),
        score=score,
        cutoff=None if score is None else float(cutoff),
        bins=None if score is None else COARSE,
    )
    try:
        answer = engine.count(query)
    except TooManyLabelsError as error:
        if error.argument == "preds":
            raise refuse_predictions(error.labels, "at least ") from None
        raise refuse_outcome(error.labels, metric.name, fixed=False, at_least="at least ") from None

    group_of = functools.partial(groups_of_answer, names=names if several else None, breaks=breaks)  # can be pickled
    if score is None:
        prediction = take_prediction(answer, None, "preds", cutoff)
    else:
        threshold = Coded(answer["predicted"].to_numpy(), [False, True], fixed=True)
        prediction = Prediction(threshold, Numbers(pd.Series(dtype=np.float64), "probs"))
    outcome_factor = take_outcome(answer, "outcome", metric)
    tally = count(group_of(answer), outcome_factor, prediction.factor, len(answer), answer["rows"].to_numpy())
    scores = None if score is None else EngineScores(engine, query, answer, tally, group_of)
    return OutcomeCounts(tally, prediction, scores, asked)


def groups_of_answer(answer: pd.DataFrame, names: list[str] | None, breaks: Vector | None) -> Factor:
    """Return the factor of the groups in an answer of an engine: intervals, or a column, or several of these names."""
    if breaks is not None:
        return Coded(answer["cut"].to_numpy(), [*interval_labels(breaks), OUTSIDE], fixed=True)
    if names is None:
        return to_factor(answer["group 0"], "group")
    factors = [to_factor(answer[f"group {place}"], "group") for place in range(len(names))]
    return interaction(factors, names, len(answer))


def scores_of_table(
    scores: RowScores | EngineScores,
    tally: Tally,
    order: npt.NDArray[np.intp],
    table: pd.DataFrame,
    *,
    needs_outcome: bool,
) -> dict[str, Any]:
    """Return what a result makes its density curves of."""
    if isinstance(scores, RowScores):
        return {"scores": scores.grouped(rank(tally.groups, order), needs_outcome=needs_outcome)}
    labels, sizes = list(table.columns), table.loc["Group size"].to_numpy()
    return {"densities": lambda: scores.densities(labels, order, sizes, needs_outcome=needs_outcome)}


# ------------------------------------------------------------------ arguments to factors


def check_versus(versus: object) -> None:
    if versus not in VERSUS:
        raise ValueError(
            f"versus must be one of {quoted(VERSUS)}, got {versus!r}: each group is held against the base group, or "
            "against all other groups together."
        )


def check_positive(positive: object, probs: ColumnLike | None, outcome_base: Hashable | None) -> None:
    if positive is None:
        return
    if probs is not None:
        raise ValueError(
            "positive goes with preds, not with probs: probs describe the second of two outcome levels. Pass predicted "
            "labels as preds; or, for an outcome with two levels, name the negative one as outcome_base."
        )
    if outcome_base is not None:
        raise ValueError("Give either positive or outcome_base, not both: each says which labels count as positive.")


def take_prediction(
    frame: pd.DataFrame, probs: ColumnLike | None, preds: ColumnLike | None, cutoff: float
) -> Prediction:
    """Return the predictions; where both kinds are given, those of the probabilities."""
    check_prediction(probs, preds, cutoff)
    if probs is None:
        return Prediction(to_factor(take_column(frame, preds, "preds"), "preds", refuse_predictions), None)
    scores = Numbers(take_column(frame, probs, "probs"), "probs")
    return Prediction(Threshold(scores, float(cutoff)), scores)


def refuse_predictions(labels: Sequence[Hashable], at_least: str = "") -> Exception:
    """Return the error of predictions with so many labels."""
    return ValueError(
        f"preds must be predicted labels of the outcome, got {at_least}{len(labels)} different values, such as "
        f"{quoted(labels, 3, count=False)}. Probabilities belong into probs."
    )


def check_prediction(probs: ColumnLike | None, preds: ColumnLike | None, cutoff: float) -> None:
    if probs is None and preds is None:
        raise ValueError("Either probs or preds have to be supplied")
    if probs is not None:
        check_cutoff(cutoff)


def warn_of_both(preds: ColumnLike, columns: Iterable[Hashable], groups: Sequence[Hashable]) -> None:
    """Warn that preds are not used; a group in their place was meant as base, which R has further back."""
    given = "preds" if pd.api.types.is_list_like(preds) else f"preds={plain(preds)!r}"
    is_group = isinstance(preds, str) and preds not in columns and find_label(groups, preds) is not None
    hint = f" Did you mean base={preds!r}?" if is_group else ""
    warn(f"Both probs and {given} were given: probs are used, preds are not.{hint}")


def check_cutoff(cutoff: object) -> None:
    if not isinstance(cutoff, (numbers.Real, np.number)) or is_boolean(cutoff) or not 0 <= float(cutoff) <= 1:
        raise ValueError(f"cutoff must be a number between 0 and 1, got {cutoff!r}.")


def take_group(frame: pd.DataFrame, group: ColumnLike, group_breaks: Any) -> Factor:
    """Return the factor of the groups: a column, a column cut into intervals, or several columns combined."""
    if group_breaks is not None:
        check_breaks(group_breaks)
    if names_columns(frame, group):
        columns = [take_column(frame, label, "group") for label in group]
        if group_breaks is not None:
            warn("Attempting to bin a non-numeric group feature.")
        return interaction([to_factor(column, "group") for column in columns], [r_text(x) for x in group], len(frame))
    column = take_column(frame, group, "group")
    if group_breaks is not None and is_numeric(column):
        values = Numbers(column, "group")
        return Binned(values, make_breaks(values, group_breaks))
    if group_breaks is not None:
        warn("Attempting to bin a non-numeric group feature.")
    return to_factor(column, "group")


def take_outcome(frame: pd.DataFrame, outcome: ColumnLike, metric: Metric) -> Factor:
    """Return the factor of the outcome."""
    column = take_column(frame, outcome, "outcome")
    fixed = isinstance(column.dtype, pd.CategoricalDtype) or "dictionary" in str(column.dtype)
    refuse = functools.partial(refuse_outcome, name=metric.name, fixed=fixed)  # can be pickled
    return to_factor(column, "outcome", refuse)


def refuse_outcome(labels: Sequence[Hashable], name: str, *, fixed: bool, at_least: str = "") -> Exception:
    """Return the error of an outcome with so many labels."""
    return ValueError(
        f"outcome must be binary, got {at_least}{len(labels)} different values, such as "
        f"{quoted(labels, 3, count=False)}.{about_continuous(labels, name, fixed=fixed) or about_classes(labels)}"
    )


def about_continuous(labels: Sequence[Hashable], name: str, *, fixed: bool) -> str:
    """Return that the metric is not defined for measurements, where an outcome holds them, or nothing."""
    if fixed or len(labels) <= 2 or not all(map(is_number, labels)):
        return ""
    if len(labels) <= MANY_LABELS and all(float(label) % 1 == 0 for label in labels):  # type: ignore[arg-type]
        return ""
    classes = (
        " If the numbers are names of classes, make them a categorical and use one of the differences, with preds and "
        "positive=…."
    )
    return (
        f" {name} is not defined for a continuous outcome: make two levels of it, for example "
        f"outcome=data[column] > threshold, {COMPARED}."
        f"{classes if len(labels) <= MANY_LABELS else ''}"  # more are refused, whatever they are
    )


def about_classes(labels: Sequence[Hashable]) -> str:
    """Return what to do with an outcome of several classes, where it has more than two levels, or nothing."""
    if len(labels) <= 2:
        return ""
    differences = ", or use one of the differences, with preds and positive=…" if len(labels) <= MANY_LABELS else ""
    return f" Make it two levels, for example outcome=data[column] == {plain(labels[-1])!r}, {COMPARED}{differences}."


# ------------------------------------------------------------------ factors to counts


def count(
    group_factor: Factor,
    outcome_factor: Factor,
    predicted: Factor,
    n: int,
    rows: npt.NDArray[np.int64] | None = None,
    *,
    keep_codes: bool = False,
) -> Tally:
    """Count the rows, and find which levels there are; where each row stands for several, `rows` tells how many."""
    factors, table = crosstab([group_factor, outcome_factor, predicted], n, rows, keep_codes=keep_codes)
    groups = find_levels(factors[0], table.sum(axis=(1, 2))[:-1], "group")
    outcomes = find_levels(factors[1], table.sum(axis=(0, 2))[:-1], "outcome")
    return Tally(groups, outcomes, factors[0], factors[1], factors[2], table)


def check_groups(groups: Levels, group_breaks: Any) -> None:
    if not groups.labels:
        raise ValueError("group is missing in all rows: there is no group to compare.")
    if group_breaks is None and len(groups.labels) > MANY_GROUPS:
        warn("Number of unique group levels exceeds 10. Consider specifying group_breaks.")


def base_first(labels: Sequence[Hashable], base: Hashable | None) -> npt.NDArray[np.intp]:
    """Return the positions of the groups with the base in front."""
    first = 0 if base is None else find_label(labels, base)
    if first is None and isinstance(base, tuple):
        first = find_label(labels, ".".join(map(r_text, base)))  # a combination of columns, named as R does
    if first is None:
        hint = no_position(labels, base) or did_you_mean(base, labels)
        raise ValueError(f"base must be one of the groups {quoted(labels)}, got {plain(base)!r}.{hint}")
    return np.array([first, *(position for position in range(len(labels)) if position != first)], dtype=np.intp)


def no_position(labels: Sequence[Hashable], base: Any) -> str:
    """Return which group R would have taken, where `base` is a number that can be a position, or nothing."""
    if not is_number(base) or base not in range(1, len(labels) + 1):
        return ""
    meant = plain(labels[int(base) - 1])
    return f" A number is a position in R, but never here: leave base out for the first level, or pass base={meant!r}."


def rank(groups: Levels, order: npt.NDArray[np.intp]) -> npt.NDArray[np.intp]:
    """Return for every code of the group its place in the table, and -1 in the last place, for missing ones."""
    place = np.empty(len(order) + 1, dtype=np.intp)
    place[order] = np.arange(len(order))
    place[-1] = -1
    return np.append(place[groups.of_code], -1)


def two_sides(tally: Tally, outcome_base: Hashable | None, metric: Metric, hint: str = "") -> npt.NDArray[np.intp]:
    """Return for each of the outcome's two levels whether it counts as negative, 0, or positive, 1."""
    labels = tally.outcomes.labels
    if len(labels) != 2:
        classes = hint if hint and len(labels) > 2 else about_classes(labels)
        way_out = about_continuous(labels, metric.name, fixed=tally.outcome_factor.fixed) or classes
        raise ValueError(
            f"outcome must be binary, with two levels; it has {len(labels)}: {quoted(labels, count=False)}.{way_out}"
        )
    if outcome_base is None:
        return np.array([0, 1])
    negative = find_outcome(labels, outcome_base, "outcome_base")
    return np.array([1, 0] if negative == 1 else [0, 1])


def one_against_rest(tally: Tally, positive: Any, metric: Metric) -> npt.NDArray[np.intp]:
    """Return for each of the outcome's levels whether it is among the positive ones."""
    labels = tally.outcomes.labels
    hint = about_continuous(labels, metric.name, fixed=tally.outcome_factor.fixed)
    if hint:
        raise ValueError(f"outcome has {len(labels)} different values, such as {quoted(labels, 3, count=False)}.{hint}")
    is_list = pd.api.types.is_list_like(positive) and find_label(labels, positive) is None
    side = np.zeros(len(labels), dtype=np.intp)
    side[[find_outcome(labels, label, "positive") for label in (positive if is_list else [positive])]] = 1
    if side.all() or not side.any():
        raise ValueError(
            "positive must name some of the outcome's levels and leave others as negative; "
            f"it names {'all' if side.any() else 'none'} of {quoted(labels)}."
        )
    return side


def find_outcome(labels: Sequence[Hashable], wanted: Hashable, argument: str) -> int:
    """Return the position of an outcome level that an argument names."""
    position = find_label(labels, wanted)
    if position is None:
        raise ValueError(
            f"{argument} must be one of the outcome's levels {quoted(labels)}, got {plain(wanted)!r}."
            f"{did_you_mean(wanted, labels)}"
        )
    return position


def tally_cells(tally: Tally, prediction: Prediction, side: npt.NDArray[np.intp]) -> npt.NDArray[np.int64]:
    """Return the counts by group, outcome and prediction: negative, positive, missing."""
    by_group = tally.groups.sums(tally.table)
    if prediction.scores is not None:
        predicted = [0, 1]  # at or below the cutoff: the first level; above it: the second
    else:
        by_code = tally.table.sum(axis=(0, 1))
        predicted = match_predictions(tally.predicted_factor, by_code=by_code, outcomes=tally.outcomes)
    place = np.append(side, 2)  # the last one is what -1 finds: missing, or a label without rows
    belongs = np.eye(3, dtype=np.int64)[place]  # one row a level: which of the three places it is added to
    cells: npt.NDArray[np.int64] = belongs[[*tally.outcomes.of_code, -1]].T @ by_group @ belongs[[*predicted, -1]]
    return cells


def match_predictions(factor: Factor, by_code: npt.NDArray[np.int64], outcomes: Levels) -> list[int]:
    """Return for every code of the predictions which level of the outcome it is (-1: none, and no row has it)."""
    found = [find_label(outcomes.labels, label) for label in factor.labels]
    present = [pair for pair, rows in zip(zip(factor.labels, found, strict=True), by_code, strict=False) if rows]
    strange = [label for label, level in present if level is None]
    if strange:
        hold = "hold" if len(strange) == len(present) else "also hold"
        raise ValueError(
            "levels of predictions and outcome differ: preds must hold labels of the outcome, "
            f"{quoted(outcomes.labels)}, but they {hold} {quoted(strange)}. Recode them, for example by numpy.where()."
        )
    return [-1 if level is None else level for level in found]


# ------------------------------------------------------------------ counts to the table


def metric_table(metric: Metric, counts: Counts, others: Counts, labels: Sequence[Hashable]) -> pd.DataFrame:
    """Return R's table: the raw rates, what the comparison with the others makes of them, and the group sizes."""
    own = [formula(counts) for formula in metric.rates.values()]
    reference = [formula(others) for formula in metric.rates.values()]
    rows = dict(zip(metric.rates, own, strict=True)) | metric.compare(own, reference)
    rows["Group size"] = metric.size(counts)
    return pd.DataFrame(np.array(list(rows.values())), index=text_index(rows), columns=plain_index(labels))


def plain_index(labels: Sequence[Hashable]) -> pd.Index[Any]:
    """Return column labels without a dtype of their own: the groups' values, numbers as Python's."""
    values = [plain(label) for label in labels]
    if all(type(value) is str for value in values):
        return text_index(values)
    try:
        index: pd.Index[Any] = pd.Index(values, tupleize_cols=False)
    except OverflowError:  # older pandas tries whole numbers beyond all doubles as doubles
        index = pd.Index(values, dtype=object, tupleize_cols=False)
    return index


def text_index(texts: Iterable[Any]) -> pd.Index[Any]:
    """Return texts as labels of a table, which its owner may change.

    To make few takes longer than to copy them, and as long as to count some thousand rows.
    """
    texts = tuple(texts)
    return _made_once(texts).copy(deep=True) if len(texts) <= MANY_LABELS else _index_of(texts)


def _index_of(texts: tuple[str, ...]) -> pd.Index[Any]:
    try:
        index: pd.Index[Any] = pd.Index(texts)
    except UnicodeEncodeError:  # of half a pair of surrogates, which Arrow cannot hold
        index = pd.Index(texts, dtype=object)
    return index


_made_once = functools.lru_cache(maxsize=32)(_index_of)


def interval_table(
    metric: Metric, groups: Groups, others: Groups, table: pd.DataFrame, conf_level: float, versus: str
) -> pd.DataFrame:
    """Return the bounds of the raw rates and of the comparison, and the p-values of no disparity."""
    assert metric.method is not None
    is_base = np.arange(table.shape[1]) == 0 if versus == "base" else None
    found = assess(metric.method, groups, others, conf_level, is_base)
    rows: dict[str, Vector] = {}
    for label, (lower, upper) in zip(metric.rates, found.rates, strict=True):
        rows |= {f"{label} lower": lower, f"{label} upper": upper}
    rows |= {f"{metric.value_row} lower": found.value.lower, f"{metric.value_row} upper": found.value.upper}
    rows |= {"p-value": found.p_value, "p-value (Holm)": found.p_adjusted}
    intervals = pd.DataFrame(np.array(list(rows.values())), index=text_index(rows), columns=table.columns)
    intervals.attrs["conf_level"] = conf_level
    intervals.attrs["methods"] = dict(zip(("rate", "comparison", "test"), metric.method.names, strict=True))
    return intervals


# ------------------------------------------------------------------ what the user must hear


def report_left_out(tally: Tally, cells: npt.NDArray[np.int64], *, needs_outcome: bool, predicted: str) -> None:
    """Warn once, with how many rows were left out and why."""
    by_code = tally.table.sum(axis=(1, 2))
    labels = list(tally.group_factor.labels)
    outside = int(by_code[len(labels) - 1]) if labels and labels[-1] is OUTSIDE else 0
    reasons = {
        "group is missing": int(by_code[-1]),
        "group is outside group_breaks": outside,
        f"{predicted} are missing": int(cells[:, :, 2].sum()),
        "outcome is missing": int(cells[:, 2, :2].sum()) if needs_outcome else 0,
    }
    left_out = sum(reasons.values())
    if left_out:
        why = ", ".join(f"{reason} in {rows}" for reason, rows in reasons.items() if rows)
        warn(f"{left_out} of {int(tally.table.sum())} rows were left out: {why}.")


def warn_if_base_is_empty(table: pd.DataFrame) -> None:
    if table.to_numpy()[-1, 0] == 0:
        warn(f"The base group {plain(table.columns[0])!r} has no rows that count, so there is nothing to compare with.")


def warn_if_undefined(metric: Metric, counts: Counts, others: Counts, labels: Sequence[Hashable], versus: str) -> None:
    """Warn once of all groups for which the metric is undefined, and say why."""
    names = [repr(plain(label)) for label in labels]
    own, their = lacks(metric.needs, counts), lacks({**metric.needs, **metric.base_needs}, others)
    if versus == "rest":
        reasons = [f"group {name} has no {what}" for name, what in zip(names, own, strict=True) if what]
        pooled = [
            f"the groups other than {name} have no {what}" for name, what in zip(names, their, strict=True) if what
        ]
        reasons += pooled
    else:
        reasons = [f"group {name} has no {what}" for name, what in zip(names[1:], own[1:], strict=True) if what]
        if their[0]:
            reasons.insert(0, f"base group {names[0]} has no {their[0]}, so there is nothing to compare with")
    if reasons:
        more = f"; … ({len(reasons)} in all)" if len(reasons) > MANY_REASONS else ""
        warn(f"{metric.name} is undefined (NaN): {'; '.join(reasons[:MANY_REASONS])}{more}.")


def lacks(needs: Mapping[str, Formula], counts: Counts) -> list[str | None]:
    """Return for each group the first thing that it needs and has none of."""
    numbers = {what: formula(counts) for what, formula in needs.items()}
    return [
        next((what for what, number in numbers.items() if number[place] == 0), None) for place in range(len(counts.n))
    ]
