"""How often do the intervals hold the truth?

For every metric, groups of 10 to 1000 are compared with bases of 30 to 1000. Their true rates are known, from 0.02 to
0.98, and the share of intervals at nominal 95 % that hold the true value is counted. The rule:

- over all settings of a metric, that share is between 94 % and 97 % in the mean;
- in no setting with n of 30 or more is it below 92 %.

What n is. A rate is uncertain because its denominator is small, so n is the expected number of rows in the denominator:
of the positives for a false negative rate, of the selected for a precision. Where several denominators matter (the
two classes for average odds, MCC and AUC), n is the smallest. For treatment equality it is the number of errors, for
conditional acceptance and rejection the rows in either of the two counts: the other rows tell nothing of them. For
calibration it is the group. A setting counts as one of n >= 30 if that of the group is; bases always have 30.

What is left out. Draws in which the metric itself is undefined (0/0), for there is no number to be sure of. An interval
without a bound (0 to infinity) holds the truth, and counts.

Rates, ratios and differences of rates, and treatment equality are exact: all outcomes are enumerated with their
probabilities. The rest is simulated with a fixed seed; 4000 draws a setting have a standard error of 0.34 %,
so that the lowest of many settings is lower than the truth, not higher.

Rows marked "no" are not used by the package. They show what became of methods that were tried.

    python benchmarks/coverage_study.py            all settings, some minutes on two cores
    python benchmarks/coverage_study.py --quick    fewer settings and draws, under a minute

Exits with 1 if a method in use breaks the rule.
"""

from __future__ import annotations

import argparse
import itertools
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from types import SimpleNamespace
from typing import Any, NamedTuple

import numpy as np
from scipy import stats
from scipy.special import expit, logit, ndtri

from fairness_py import _calibration_intervals as calibration
from fairness_py import _delong, _intervals, _mover, _rates

CONF_LEVEL = 0.95
DEVIATE = float(ndtri(0.5 + CONF_LEVEL / 2))
GROUP_SIZES = (10, 30, 100, 1000)
LOWEST_MEAN, HIGHEST_MEAN, LOWEST = 0.94, 0.97, 0.92
ROUNDING = 1e-9  # of the truth and the bounds


class Effort(NamedTuple):
    """How much is done: the rates, the sizes of the base, and the draws a setting."""

    rates: tuple[float, ...]
    coarse_rates: tuple[float, ...]
    base_sizes: tuple[int, ...]
    draws: int


FULL = Effort(
    rates=(0.02, 0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.98),
    coarse_rates=(0.02, 0.1, 0.3, 0.5, 0.7, 0.9, 0.98),
    base_sizes=(30, 100, 300, 1000),
    draws=4000,
)
QUICK = Effort(
    rates=(0.02, 0.1, 0.3, 0.5, 0.7, 0.9, 0.98),
    coarse_rates=(0.02, 0.3, 0.7, 0.98),
    base_sizes=(30, 1000),
    draws=3000,
)


class Setting(NamedTuple):
    """One setting: its n, the share of intervals that hold the truth, and what it is."""

    n: int
    coverage: float
    text: str


class Coverage(NamedTuple):
    """What was found for one number of a metric.

    `used` tells whether the package uses the method. `safe` marks bounds that are meant to hold too often.
    """

    number: str
    method: str
    used: bool
    safe: bool
    settings: list[Setting]

    @property
    def mean(self) -> float:
        return float(np.mean([setting.coverage for setting in self.settings]))

    def lowest(self, *, large: bool) -> Setting:
        return min((s for s in self.settings if (s.n >= 30) == large), key=lambda setting: setting.coverage)

    @property
    def keeps_the_rule(self) -> bool:
        in_range = self.mean >= LOWEST_MEAN and (self.safe or self.mean <= HIGHEST_MEAN)
        return in_range and self.lowest(large=True).coverage >= LOWEST


def held(truth: Any, lower: Any, upper: Any) -> Any:
    """Tell which intervals hold the truth."""
    slack = ROUNDING * (1 + np.abs(truth))
    return (lower <= truth + slack) & (upper >= truth - slack)


# ------------------------------------------------------------------ exact: all outcomes of two binomials


def likely(n: int, rate: float) -> tuple[slice, Any]:
    """Return the outcomes of a binomial that are not as good as impossible, and their probabilities."""
    low, high = stats.binom.ppf([1e-10, 1 - 1e-10], n, rate).astype(int)
    outcomes = slice(max(low, 0), min(high, n) + 1)
    return outcomes, stats.binom.pmf(np.arange(outcomes.start, outcomes.stop), n, rate)


def one_rate(effort: Effort, limits: Callable[[Any, Any], Any]) -> list[Setting]:
    settings = []
    for n in GROUP_SIZES:
        hits = np.arange(n + 1.0)
        lower, upper = limits(hits, np.full(n + 1, float(n)))
        for rate in np.linspace(0.02, 0.98, 97 if effort == FULL else 49):
            outcomes, chance = likely(n, rate)
            settings.append(Setting(n, chance @ held(rate, lower[outcomes], upper[outcomes]), f"n {n}, {rate:.2f}"))
    return settings


def two_rates(
    effort: Effort,
    interval: Callable[[Any, Any, Any, Any], Any],
    truth: Callable[[float, float], float],
    undefined: Callable[[Any, Any, int, int], Any],
) -> list[Setting]:
    """Return the coverage of intervals of a group's rate held against a base's."""
    settings = []
    for n, base_n in itertools.product(GROUP_SIZES, effort.base_sizes):
        hits, base_hits = np.meshgrid(np.arange(n + 1.0), np.arange(base_n + 1.0), indexing="ij")
        found = interval(
            hits.ravel(), np.full(hits.size, float(n)), base_hits.ravel(), np.full(hits.size, float(base_n))
        )
        lower, upper = (bound.reshape(hits.shape) for bound in found)
        defined = ~undefined(hits, base_hits, n, base_n)
        for rate, base_rate in itertools.product(effort.rates, effort.rates):
            (rows, chance), (columns, base_chance) = likely(n, rate), likely(base_n, base_rate)
            ok = defined[rows, columns]
            inside = held(truth(rate, base_rate), lower[rows, columns], upper[rows, columns]) & ok
            coverage = float(chance @ inside @ base_chance) / float(chance @ ok @ base_chance)
            settings.append(Setting(n, coverage, f"n {n} and {base_n}, rates {rate:g} and {base_rate:g}"))
    return settings


def cells(hits: Any, trials: Any) -> SimpleNamespace:
    """Return counts in which `hits` of `trials` are false negatives of all positives, and of all errors."""
    return SimpleNamespace(fn=hits, tp=trials - hits, fp=trials - hits)


def of_method(method: _intervals.IntervalMethod) -> Callable[[Any, Any, Any, Any], Any]:
    return lambda x, n, y, m: method.compare(cells(x, n), cells(y, m), DEVIATE)


def both_zero(x: Any, y: Any, _n: int, _m: int) -> Any:
    return (x == 0) & (y == 0)


def never(x: Any, _y: Any, _n: int, _m: int) -> Any:
    return np.zeros(x.shape, dtype=bool)


def both_infinite(x: Any, y: Any, n: int, m: int) -> Any:
    return (x == n) & (y == m)


def rates(effort: Effort) -> Iterator[Coverage]:
    def wilson(x: Any, n: Any) -> Any:
        return _rates.wilson(x, n, DEVIATE)[1:]

    yield Coverage("a rate, a count", "Wilson", True, False, one_rate(effort, wilson))


def ratios(effort: Effort) -> Iterator[Coverage]:
    ratio = of_method(_intervals.rate_ratio("fn", "tp fn"))
    settings = two_rates(effort, ratio, lambda p, q: p / q, both_zero)
    yield Coverage("ratio of rates, of counts", "Koopman", True, False, settings)

    def log_adjusted(x: Any, n: Any, y: Any, m: Any) -> Any:
        x, n, y, m = (part + 0.5 for part in (x, n, y, m))
        half = DEVIATE * np.sqrt(1 / x - 1 / n + 1 / y - 1 / m)
        return x / n / (y / m) * np.exp(-half), x / n / (y / m) * np.exp(half)

    settings = two_rates(effort, log_adjusted, lambda p, q: p / q, both_zero)
    yield Coverage("ratio of rates, of counts", "log with halves added", False, False, settings)


def differences(effort: Effort) -> Iterator[Coverage]:
    difference = of_method(_intervals.rate_difference("fn", "tp fn"))
    yield Coverage(
        "difference of rates", "Mee's score", True, False, two_rates(effort, difference, lambda p, q: p - q, never)
    )

    def newcombe(x: Any, n: Any, y: Any, m: Any) -> Any:
        return _rates.newcombe(x, n, y, m, DEVIATE)

    alike = [s for s in two_rates(effort, newcombe, lambda p, q: p - q, never) if _gap(s.text) <= 0.8]
    yield Coverage("gap in a bin, to 0.8", "Newcombe", True, False, alike)
    settings = two_rates(effort, newcombe, lambda p, q: p - q, never)
    yield Coverage("difference of rates", "Newcombe", False, False, settings)


def _gap(text: str) -> float:
    one, other = map(float, text.rsplit("rates ", 1)[1].split(" and "))
    return abs(one - other)


def odds(effort: Effort) -> Iterator[Coverage]:
    difference = of_method(_intervals.odds_difference("fn", "fp"))
    settings = two_rates(effort, difference, lambda p, q: p / (1 - p) - q / (1 - q), both_infinite)
    yield Coverage("treatment equality", "MOVER of odds", True, False, settings)


# ------------------------------------------------------------------ simulated


class Pool(NamedTuple):
    """Draws of one kind of group: the truth, and limits of each draw."""

    n: int
    text: str
    truth: float
    limits: _mover.Limits


def single(pools: list[Pool]) -> list[Setting]:
    """Return the coverage of the limits themselves."""
    return [
        Setting(
            pool.n, float(held(pool.truth, pool.limits.lower, pool.limits.upper).mean()), f"n {pool.n}, {pool.text}"
        )
        for pool in pools
    ]


def pairs(
    pools: list[Pool],
    bases: list[Pool],
    interval: Callable[[_mover.Limits, _mover.Limits], _mover.Interval],
    truth: Callable[[float, float], float],
) -> list[Setting]:
    """Return the coverage of intervals of each kind of group held against each kind of base."""
    settings = []
    for pool, base in itertools.product(pools, bases):
        draws = min(len(pool.limits.centre), len(base.limits.centre))
        own = _mover.Limits(*(part[:draws] for part in pool.limits))
        other = _mover.Limits(*(part[:draws] for part in base.limits))
        found = held(truth(pool.truth, base.truth), *interval(own, other)).mean()
        settings.append(Setting(pool.n, float(found), f"n {pool.n}, {pool.text} and n {base.n}, {base.text}"))
    return settings


def ratio_of(one: float, other: float) -> float:
    return one / other


def difference_of(one: float, other: float) -> float:
    return one - other


def average_odds(effort: Effort) -> Iterator[Coverage]:
    rng = np.random.default_rng(1)
    score, mover = [], []
    grid = (0.02, 0.1, 0.5, 0.9, 0.98) if effort == FULL else (0.02, 0.5, 0.98)
    base_sizes = (30, 100, 1000) if effort == FULL else (30, 1000)
    for n, base_n, *true_rates in itertools.product(GROUP_SIZES, base_sizes, *[grid] * 4):
        text = f"n {n} and {base_n}, rates {true_rates[:2]} and {true_rates[2:]}"
        found = _average_odds(rng, n, base_n, true_rates, effort.draws // 2)
        if min(found) < LOWEST + 0.01:  # drawn again, so that the lowest of many settings is not the unluckiest
            found = _average_odds(rng, n, base_n, true_rates, effort.draws * 5)
        score.append(Setting(n, found[0], text))
        mover.append(Setting(n, found[1], text))
    yield Coverage("average odds difference", "score of a linear combination", True, False, score)
    yield Coverage("average odds difference", "MOVER", False, False, mover)


def _average_odds(
    rng: np.random.Generator, n: int, base_n: int, true_rates: list[float], draws: int
) -> tuple[float, float]:
    """Return the coverage of the score interval and of MOVER."""
    sizes = (n, n, base_n, base_n)
    hits = [rng.binomial(size, rate, draws).astype(float) for size, rate in zip(sizes, true_rates, strict=True)]
    tp, fp, base_tp, base_fp = hits
    group = SimpleNamespace(tp=tp, fn=n - tp, fp=fp, tn=n - fp)
    base = SimpleNamespace(tp=base_tp, fn=base_n - base_tp, fp=base_fp, tn=base_n - base_fp)
    truth = (true_rates[0] + true_rates[1] - true_rates[2] - true_rates[3]) / 2
    method = _intervals.mean_rate_difference(("fp", "fp tn"), ("tp", "tp fn"))
    score = held(truth, *method.compare(group, base, DEVIATE)).mean()
    arms = [_rates.wilson(x, np.full_like(x, size), DEVIATE) for x, size in zip(hits, sizes, strict=True)]
    arms[2:] = map(_turned, arms[2:])
    centre = sum(arm.centre for arm in arms) / 2
    lower = centre - np.sqrt(sum((arm.centre - arm.lower) ** 2 for arm in arms)) / 2
    upper = centre + np.sqrt(sum((arm.upper - arm.centre) ** 2 for arm in arms)) / 2
    return float(score), float(held(truth, lower, upper).mean())


def _turned(limits: _mover.Limits) -> _mover.Limits:
    return _mover.Limits(-limits.centre, -limits.upper, -limits.lower)


def conditional_acceptance(effort: Effort) -> Iterator[Coverage]:
    rng = np.random.default_rng(2)

    def make(sizes: tuple[int, ...]) -> list[Pool]:
        made = []
        shares = [(a, b) for a, b in itertools.product(effort.coarse_rates, repeat=2) if a + b >= 1 - 1e-9]
        for n, (observed, predicted) in itertools.product(sizes, shares):
            both = max(observed + predicted - 1, 0)
            tp, fn, fp = rng.multinomial(n, [both, observed - both, predicted - both], effort.draws).T.astype(float)
            limits = _rates.bonett_price(tp, fn, fp, DEVIATE)
            made.append(Pool(n, f"shares {observed:g} and {predicted:g}", observed / predicted, limits))
        return made

    pools, bases = make(GROUP_SIZES), make((30, 1000) if effort == QUICK else (30, 100, 1000))
    yield Coverage("observed to predicted", "Bonett-Price", True, False, single(pools))
    settings = pairs(pools, bases, _mover.mover_difference, difference_of)
    yield Coverage("conditional acceptance, rejection", "MOVER", True, False, settings)


def matthews(effort: Effort) -> Iterator[Coverage]:
    rng = np.random.default_rng(3)
    quality = (0.02, 0.3, 0.6, 0.9, 0.98)
    kinds = list(itertools.product((0.1, 0.5, 0.7), quality, quality))

    def make(sizes: tuple[int, ...], which: list[tuple[float, float, float]], least: float = 0) -> list[Pool]:
        made = []
        for n, (prevalence, sensitivity, specificity) in itertools.product(sizes, which):
            rows = round(n / min(prevalence, 1 - prevalence))
            shares = np.array([sensitivity, 1 - sensitivity, specificity, 1 - specificity])
            shares *= np.repeat([prevalence, 1 - prevalence], 2)
            selected = shares[0] + shares[3]
            truth = (sensitivity + specificity - 1) * np.sqrt(
                prevalence * (1 - prevalence) / (selected * (1 - selected))
            )
            if truth < least:
                continue
            tp, fn, tn, fp = rng.multinomial(rows, shares, effort.draws).T.astype(float)
            text = f"prevalence {prevalence:g}, sensitivity {sensitivity:g}, specificity {specificity:g}"
            made.append(Pool(n, text, truth, _rates.mcc_limits(tp, fp, tn, fn, DEVIATE)))
        return made

    yield Coverage("MCC", "score of the linear part", True, False, single(make(GROUP_SIZES, kinds, -1)))
    fewer = kinds if effort == FULL else kinds[::2]
    pools, bases = make(GROUP_SIZES, fewer, 0.05), make((30, 1000), fewer, 0.05)
    yield Coverage("ratio of MCCs", "MOVER-R", True, False, pairs(pools, bases, _mover.mover_ratio, ratio_of))


def areas(effort: Effort) -> Iterator[Coverage]:
    rng = np.random.default_rng(4)
    sizes = [(10, 10), (10, 50), (30, 30), (30, 150), (150, 30), (100, 400), (1000, 1000)]
    made, symmetric = [], []
    for kind, auc, (m, n) in itertools.product(
        ("normal", "exponential", "five grades"), (0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.98), sizes
    ):
        draws = effort.draws if m + n < 300 else effort.draws // 4
        if effort == QUICK and (m, n) in ((150, 30), (100, 400)):
            continue
        truth, parts = auc, []
        for _ in range(draws):
            positives, negatives = scores_of(rng, kind, auc, m, n)
            parts.append((np.sort(positives), np.sort(negatives)))
        if kind == "five grades":
            truth = auc_of_grades(auc)
        drawn = _delong.Areas.of_scores(parts)
        text = f"{kind}, {m} positives, {n} negatives, AUC {truth:.3f}"
        made.append(Pool(min(m, n), text, truth, _delong.auc_limits(drawn, DEVIATE)))
        symmetric.append(
            Pool(min(m, n), text, truth, _mover.Limits(drawn.auc, *_delong.delong_interval(drawn, DEVIATE)))
        )
    yield Coverage("AUC", "Wilson by DeLong's variance", True, False, single(made))
    bases = [pool for pool in made if pool.n >= 30]
    pools = [Pool(p.n, p.text, p.truth, _mover.Limits(*(part[::-1] for part in p.limits))) for p in made]
    yield Coverage("ratio of AUCs", "MOVER-R", True, False, pairs(pools, bases, _mover.mover_ratio, ratio_of))
    yield Coverage("AUC", "DeLong, symmetric, as pROC", False, False, single(symmetric))


GRADES = np.array([-0.5, 0.3, 0.9, 1.6])


def scores_of(rng: np.random.Generator, kind: str, auc: float, m: int, n: int) -> tuple[Any, Any]:
    if kind == "exponential":
        return rng.exponential(auc / (1 - auc), m), rng.exponential(1, n)
    positives, negatives = rng.normal(np.sqrt(2) * ndtri(auc), 1, m), rng.normal(0, 1, n)
    if kind == "five grades":
        return np.searchsorted(GRADES, positives).astype(float), np.searchsorted(GRADES, negatives).astype(float)
    return positives, negatives


def auc_of_grades(auc: float) -> float:
    """Return the area that remains of normal scores cut into grades."""
    positive, negative = (
        np.diff(stats.norm.cdf(np.concatenate([[-np.inf], GRADES, [np.inf]]) - shift))
        for shift in (np.sqrt(2) * ndtri(auc), 0.0)
    )
    return float(positive @ (np.cumsum(negative) - negative / 2))


MISCALIBRATION: dict[str, Callable[[Any], Any]] = {
    "calibrated": lambda score: score,
    "odds times 1.6": lambda score: expit(logit(score) + 0.5),
    "odds by 2.7": lambda score: expit(logit(score) - 1),
    "too extreme": lambda score: expit(0.5 * logit(score)),
    "too timid": lambda score: expit(2 * logit(score)),
    "off at the top": lambda score: np.where(score > np.quantile(score, 0.9), 0.3 * score, score),
}


def calibrations(effort: Effort) -> Iterator[Coverage]:
    rng = np.random.default_rng(5)
    found: dict[str, list[Setting]] = {"large": [], "brier": [], "expected": [], "largest": []}
    shapes = ((2, 2), (1, 9), (0.5, 0.5), (9, 1), (1, 19))
    for shape, kind, n in itertools.product(shapes, MISCALIBRATION, GROUP_SIZES):
        draws = effort.draws // 2
        edges = stats.beta.ppf(np.linspace(0, 1, 11)[1:-1], *shape)
        scores = np.clip(rng.beta(*shape, (draws, n)), 1e-4, 1 - 1e-4)
        true_rates = MISCALIBRATION[kind](scores)
        if not 0.02 <= true_rates.mean() <= 0.98:
            continue
        outcome = (rng.random(scores.shape) < true_rates).astype(float)
        bins = np.searchsorted(edges, scores)
        places = np.repeat(np.arange(draws), n)
        sums = calibration.ScoreSums.of_rows(outcome.ravel(), scores.ravel(), bins.ravel(), places, (draws, 10))
        expected = np.bincount(places * 10 + bins.ravel(), true_rates.ravel(), minlength=draws * 10).reshape(draws, 10)
        gaps = np.abs(expected - sums.scores)
        with np.errstate(invalid="ignore"):
            largest = np.nanmax(gaps / sums.rows, axis=1)
        truths = {
            "large": (true_rates - scores).mean(axis=1),
            "brier": (scores**2 + true_rates * (1 - 2 * scores)).mean(axis=1),
            "expected": gaps.sum(axis=1) / n,
            "largest": largest,
        }
        limits = {
            "large": calibration.in_the_large_limits(sums, DEVIATE),
            "brier": calibration.brier_limits(sums, DEVIATE),
            "expected": calibration.expected_error_limits(sums, DEVIATE),
            "largest": calibration.largest_error_limits(sums, DEVIATE),
        }
        for name, truth in truths.items():
            coverage = float(held(truth, limits[name].lower, limits[name].upper).mean())
            found[name].append(Setting(n, coverage, f"n {n}, scores Beta{shape}, {kind}"))
    yield Coverage("calibration in the large", "Wilson by the residuals", True, False, found["large"])
    yield Coverage("Brier score", "Wilson by the squared errors", True, False, found["brier"])
    yield Coverage("expected calibration error", "test inversion", True, False, found["expected"])
    yield Coverage("largest bin error", "Clopper-Pearson, Šidák", True, True, found["largest"])


# ------------------------------------------------------------------ the table

PARTS: tuple[Callable[[Effort], Iterator[Coverage]], ...] = (
    differences,
    ratios,
    calibrations,
    areas,
    average_odds,
    matthews,
    conditional_acceptance,
    odds,
    rates,
)
ORDER = (rates, ratios, differences, average_odds, odds, conditional_acceptance, matthews, areas, calibrations)


def run(part: Callable[[Effort], Iterator[Coverage]], effort: Effort) -> list[Coverage]:
    with np.errstate(all="ignore"):
        return list(part(effort))


def study(effort: Effort = FULL, workers: int = 2) -> list[Coverage]:
    """Return the coverage of every method."""
    with ProcessPoolExecutor(workers) as pool:
        jobs = {part: pool.submit(run, part, effort) for part in PARTS}  # the longest first
        return [coverage for part in ORDER for coverage in jobs[part].result()]


def table(found: list[Coverage]) -> str:
    """Return the coverages as text, in percent."""
    lines = [f"{'number':34}{'method':32}{'used':6}{'settings':>8}{'mean':>7}{'n>=30':>7}{'n=10':>7}  rule"]
    for coverage in found:
        rule = "" if not coverage.used else "kept" if coverage.keeps_the_rule else "BROKEN"
        rule += " (safe bounds)" if coverage.safe else ""
        lines.append(
            f"{coverage.number:34}{coverage.method:32}{'yes' if coverage.used else 'no':6}{len(coverage.settings):8}"
            f"{100 * coverage.mean:7.2f}{100 * coverage.lowest(large=True).coverage:7.2f}"
            f"{100 * coverage.lowest(large=False).coverage:7.2f}  {rule}".rstrip()
        )
    return "\n".join(lines)


def main() -> int:
    """Print the table; tell by the exit code whether the rule is kept."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="fewer settings and draws")
    parser.add_argument("--workers", type=int, default=2, help="processes at once")
    given = parser.parse_args()
    start = time.perf_counter()
    found = study(QUICK if given.quick else FULL, given.workers)
    print("Share of intervals at nominal 95 % that hold the truth, in percent: in the mean over all settings,")
    print("and in the setting where it is lowest, for n of 30 or more and for n of 10.\n")
    print(table(found))
    broken = [coverage for coverage in found if coverage.used and not coverage.keeps_the_rule]
    print("\nWhere it is lowest, n >= 30:")
    for coverage in found:
        lowest = coverage.lowest(large=True)
        print(f"  {coverage.number}, {coverage.method}: {100 * lowest.coverage:.2f} at {lowest.text}")
    used = sum(coverage.used for coverage in found)
    print(f"\n{len(broken)} of {used} methods in use break the rule. {time.perf_counter() - start:.0f} s")
    return 1 if broken else 0


if __name__ == "__main__":
    sys.exit(main())
