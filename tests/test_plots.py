"""The artists of the plots say what R's plots and tables say, and can be read whatever the groups are called."""

from __future__ import annotations

import io
import itertools
import json
import pickle
import subprocess
import sys
from pathlib import Path

import matplotlib as mpl
import matplotlib.pyplot as plt
import matplotlib.style
import numpy as np
import pandas as pd
import pytest
from helpers import people, quietly
from matplotlib.collections import PathCollection
from matplotlib.colors import to_rgb
from matplotlib.figure import Figure

import fairness_py
from fairness_py._glyphs import as_is
from fairness_py._labels import r_text
from fairness_py.plots import colours

GOLDEN = Path(__file__).parent / "golden"
LONG = "A name of sixty characters, of which no one may be cut off. "  # the last one is a blank
AWKWARD = ["$\\alpha_1$ for $5", "_private", "a_b^c {x} \\frac", "50 % & #1", "", "  ", "tab\there", "two\nlines"]
STRANGE = ["שלום עולם", "العربية", "中文组", "🏳️‍🌈", "e\u0301\u200b", "\U0010fffd"]
KEYS = ["Metric_plot", "Probability_plot", "ROCAUC_plot"]


def cases(plot):
    """Return R's calls on compas of which a plot was kept."""
    every = json.loads((GOLDEN / "compas_r.json").read_text(encoding="utf-8"))
    return [pytest.param(case, id=f"{case['fn']}-{place}") for place, case in enumerate(every) if plot in case]


def result_of(case):
    data = fairness_py.load_compas()
    data["p2"] = data["predicted"].map({0: "no", 1: "yes"})
    ignored = ["cutoff"] if case["fn"] == "roc_parity" else []
    options = {name: given for name, given in case["call"].items() if name not in ignored}
    return getattr(fairness_py, case["fn"])(data, **options)


def groups_of(sizes, seed=5):
    """Return rows of groups of these sizes, with an outcome, and probabilities that tell something of it."""
    random = np.random.default_rng(seed)
    names = list(sizes)
    group = np.repeat(names, list(sizes.values()))
    outcome = np.concatenate([np.arange(n) % 2 for n in sizes.values()]) if names else []
    scores = np.clip(0.3 + 0.3 * np.asarray(outcome) + random.normal(0, 0.2, len(group)), 0, 1)
    return pd.DataFrame({"group": pd.Categorical(group, names), "outcome": outcome, "probability": scores})


def roc_of(sizes, **options):
    return quietly(fairness_py.roc_parity, groups_of(sizes), "outcome", "group", "probability", **options)


def axes(figure):
    return figure.axes[0]


def drawn(figure):
    """Draw a figure; pytest makes an error of any warning on the way."""
    figure.canvas.draw()
    return figure


def fresh_axes(**options):
    return Figure(layout="constrained", **options).subplots()


def bars(ax):
    return ax.containers[0].patches


def names(ax):
    return [tick.get_text() for tick in ax.get_yticklabels()]


def texts(ax):
    return [text.get_text() for text in ax.texts]


def text_at(ax, place):
    """Return the texts in the row of a bar: the number of rows, and the value."""
    return [text.get_text() for text in ax.texts if text.get_va() == "center" and text.xy[1] == place]


def legend_texts(ax):
    return [text.get_text() for text in ax.get_legend().get_texts()]


def curves(ax):
    return [line for line in ax.lines if len(line.get_xdata()) > 2]


@pytest.fixture(scope="module")
def compas_roc():
    return fairness_py.roc_parity(
        fairness_py.load_compas(), "Two_yr_Recidivism", "ethnicity", "probability", base="Caucasian"
    )


@pytest.fixture(scope="module")
def undefined():
    """Return FPR parities 1, 2, 0/0 (no negatives), 0, and with a base of FPR 0: NaN, inf."""
    counts = {"a": (10, 10, 30, 10), "b": (10, 20, 20, 10), "c": (20, 0, 0, 20), "d": (5, 0, 5, 5)}
    return {
        base: quietly(fairness_py.fpr_parity, people(**counts), "outcome", "group", preds="predicted", base=base)
        for base in "ad"
    }


# ------------------------------------------------------------------ the numbers


@pytest.mark.parametrize("case", cases("Metric_plot"))
def test_bars_are_those_of_r(case):
    expected = case["Metric_plot"]
    ax = axes(result_of(case)["Metric_plot"])
    # R's file holds the upper end of each bar: 0 for one below 0 and for one that is not drawn
    values = dict(zip(names(ax), np.nan_to_num(np.maximum([bar.get_width() for bar in bars(ax)], 0)), strict=True))
    assert values == pytest.approx(dict(zip(expected["bar_order"], map(float, expected["bar_value"]), strict=True)))
    if case["fn"] != "roc_parity":  # there R writes the title of another function
        assert ax.get_xlabel() == expected["ylab"]
    assert ax.get_ylabel() == ""
    assert ax.get_legend() is None


def test_bars_stand_in_the_order_of_the_table_the_base_at_the_top(compas_roc):
    ax = axes(compas_roc["Metric_plot"])
    assert names(ax) == list(compas_roc["Metric"].columns)
    heights = [ax.transData.transform((0, bar.get_y() + bar.get_height() / 2))[1] for bar in bars(ax)]
    assert heights == sorted(heights, reverse=True)
    assert [tick.get_fontweight() for tick in ax.get_yticklabels()] == ["bold"] + 5 * ["normal"]


@pytest.mark.parametrize("case", cases("Probability_plot"))
def test_densities_are_those_of_r(case):
    ax = axes(result_of(case)["Probability_plot"])
    expected = case["Probability_plot"]["curves"]
    assert len(curves(ax)) == len(expected) == len(case["columns"])
    for curve in expected:
        line = curves(ax)[curve["group"] - 1]
        at = np.array(curve["x"], dtype=float)
        density = np.interp(at, line.get_xdata(), line.get_ydata())
        assert density == pytest.approx(np.array(curve["density"], dtype=float), abs=1e-12 * line.get_ydata().max())
    assert (ax.get_xlabel(), ax.get_ylabel()) == ("Predicted probabilities", "density")
    assert ax.get_xlim() == (0, 1)
    assert [shade.get_facecolor()[0][3] for shade in ax.collections] == [0.5] * len(expected)


def test_roc_curves_pass_through_the_points_of_proc(compas_roc):
    ax = axes(compas_roc["ROCAUC_plot"])
    expected = json.loads((GOLDEN / "roc_points_r.json").read_text(encoding="utf-8"))
    assert [curve["group"] for curve in expected] == list(compas_roc["Metric"].columns)
    for curve, line in zip(expected, curves(ax), strict=True):
        corners = set(zip(line.get_xdata().round(12), line.get_ydata().round(12), strict=True))
        points = zip(np.round(curve["specificity"], 12), np.round(curve["sensitivity"], 12), strict=True)
        assert set(points) <= corners, curve["group"]
        assert len(line.get_xdata()) == curve["n_points"]


def test_roc_axes(compas_roc):
    ax = axes(compas_roc["ROCAUC_plot"])
    assert (ax.get_xlabel(), ax.get_ylabel()) == ("Specificity", "Sensitivity")
    assert ax.get_xlim() == (1.02, -0.02)  # specificity falls
    diagonal = ax.lines[-1]
    assert (list(diagonal.get_xdata()), list(diagonal.get_ydata())) == ([1, 0], [0, 1])
    assert legend_texts(ax)[-1] == "by chance: AUC 0.500"
    # the areas that pROC gives, in tests/golden/compas_r.json
    assert legend_texts(ax)[:3] == [
        "Caucasian (base): AUC 0.687, n = 2,103",
        "African_American: AUC 0.723, n = 3,175",
        "Asian: AUC 0.614, n = 31",
    ]


@pytest.mark.parametrize("cutoff", [0, 0.25, 1])
def test_a_dashed_line_stands_at_the_cutoff(compas, cutoff):
    ax = axes(
        fairness_py.prop_parity(compas, "Two_yr_Recidivism", "Female", probs="probability", cutoff=cutoff)[
            "Probability_plot"
        ]
    )
    line = ax.lines[-1]
    assert (list(line.get_xdata()), line.get_linestyle()) == ([cutoff, cutoff], "--")
    assert f"cutoff {cutoff}" in texts(ax)


def test_a_roc_parity_has_no_cutoff(compas_roc):
    ax = axes(compas_roc["Probability_plot"])
    assert len(ax.lines) == len(curves(ax)) == 6
    assert not any("cutoff" in text for text in texts(ax))


# ------------------------------------------------------------------ what else the bars say


def test_values_and_sizes_are_written_at_the_bars(compas):
    result = fairness_py.fnr_parity(compas, "Two_yr_Recidivism", "ethnicity", probs="probability", base="Caucasian")
    ax = axes(result["Metric_plot"])
    # FNR parities of R's help page
    assert text_at(ax, 0) == ["1.00 (base)", "n = 2,103"]
    assert text_at(ax, 1) == ["0.47", "n = 3,175"]


@pytest.mark.parametrize(
    ("of_base", "of_group", "expected"),
    [(1, 1, "1.00"), (3, 2, "0.67"), (1, 799, "799.00"), (1, 4999, "4,999"), (2000, 1, "0.0005"), (5, 0, "0.00")],
)
def test_values_keep_their_digits(of_base, of_group, expected):
    data = people(a=(of_base, 0, 1, 0), b=(of_group, 0, 1, 0))  # the demographic parity of b is a ratio of counts
    ax = axes(fairness_py.dem_parity(data, "outcome", "group", preds="predicted")["Metric_plot"])
    assert text_at(ax, 1)[0] == expected


def test_a_value_and_its_interval_have_decimals_alike(compas):
    result = fairness_py.dem_parity(
        compas, "Two_yr_Recidivism", "ethnicity", probs="probability", base="Caucasian", conf_level=0.95
    )
    ax = axes(result["Metric_plot"])
    table = pd.concat([result["Metric"], result["Intervals"]])["Asian"]
    numbers = table[["Demographic Parity", "Demographic Parity lower", "Demographic Parity upper"]]
    assert numbers.round(4).tolist() == [0.0060, 0.0024, 0.0133]
    assert text_at(ax, 2)[0] == "0.0060 [0.0024, 0.0133]"


def test_a_line_stands_at_parity(undefined):
    ax = axes(undefined["a"]["Metric_plot"])
    assert [1.0, 1.0] in [list(line.get_xdata()) for line in ax.lines]
    assert "parity" in texts(ax)


def test_a_difference_is_held_against_0(compas):
    result = fairness_py.statistical_parity_difference(compas, "Two_yr_Recidivism", "Female", probs="probability")
    ax = axes(result["Metric_plot"])
    assert [bar.get_width() for bar in bars(ax)] == result["Metric"].loc["Statistical Parity Difference"].tolist()
    assert "no disparity" in texts(ax)
    assert text_at(ax, 0)[0] == "0.000 (base)"


def test_an_undefined_parity_is_named(undefined):
    ax = axes(drawn(undefined["a"]["Metric_plot"]))
    widths = [bar.get_width() for bar in bars(ax)]
    assert widths[:2] == [1, 2]
    assert np.isnan(widths[2])
    assert widths[3] == 0
    assert text_at(ax, 2)[0] == "undefined"
    assert text_at(ax, 3)[0] == "0.00"


def test_an_infinite_parity_reaches_the_edge_with_an_arrow(undefined):
    ax = axes(drawn(undefined["d"]["Metric_plot"]))
    assert [text_at(ax, place)[0] for place in range(4)] == ["undefined (base)", "∞", "∞", "undefined"]
    assert names(ax) == list("dabc")
    edge = ax.get_xlim()[1]
    assert [bar.get_width() for bar in bars(ax)[1:3]] == [edge, edge]
    arrows = [(line.get_xdata()[0], line.get_ydata()[0]) for line in ax.lines if line.get_marker() == ">"]
    assert arrows == [(edge, 1), (edge, 2)]


def test_a_parity_below_0_and_one_of_minus_infinity():
    """MCC of the base 0.5, of b -0.5; then with a base of MCC 0."""
    counts = {"a": (30, 10, 30, 10), "b": (10, 30, 10, 30), "z": (20, 20, 20, 20)}
    for base, expected in [("a", ["1.00 (base)", "−1.00", "0.00"]), ("z", ["undefined (base)", "∞", "−∞"])]:
        result = fairness_py.mcc_parity(people(**counts), "outcome", "group", preds="predicted", base=base)
        ax = axes(drawn(result["Metric_plot"]))
        assert [text_at(ax, place)[0] for place in range(3)] == expected
    assert bars(ax)[2].get_width() == ax.get_xlim()[0] < 0
    assert [line.get_marker() for line in ax.lines if line.get_ydata()[0] == 2] == ["<"]


def test_all_parities_undefined():
    data = people(a=(0, 1, 1, 0), b=(0, 2, 1, 0))
    data["outcome"] = pd.Categorical(data["outcome"], [0, 1])  # no outcome is positive
    result = quietly(fairness_py.fnr_parity, data, "outcome", "group", preds="predicted")
    ax = axes(drawn(result["Metric_plot"]))
    assert [text_at(ax, place)[0] for place in range(2)] == ["undefined (base)", "undefined"]
    assert not any("hatched" in text for text in texts(ax))  # no bar is


def test_bars_of_small_groups_are_hatched():
    data = people(a=(10, 10, 10, 10), b=(8, 7, 7, 7), c=(8, 8, 7, 7))
    ax = axes(fairness_py.acc_parity(data, "outcome", "group", preds="predicted")["Metric_plot"])
    assert [bool(bar.get_hatch()) for bar in bars(ax)] == [False, True, False]  # of 40, 29 and 30 rows
    assert "hatched: fewer than 30 rows, uncertain" in texts(ax)


def test_without_small_groups_there_is_no_note(compas):
    ax = axes(fairness_py.acc_parity(compas, "Two_yr_Recidivism", "Female", probs="probability")["Metric_plot"])
    assert not any("hatched" in text for text in texts(ax))


def test_intervals_are_error_bars_that_say_what_they_are(compas):
    result = quietly(
        fairness_py.fnr_parity, compas, "Two_yr_Recidivism", "ethnicity", probs="probability", conf_level=0.9
    )
    ax = axes(result["Metric_plot"])
    lines = {line.get_ydata()[0]: list(line.get_xdata()) for line in ax.lines if len(set(line.get_ydata())) == 1}
    table = result["Intervals"]
    for place in range(1, 6):
        bounds = table.loc[["FNR Parity lower", "FNR Parity upper"]].iloc[:, place].tolist()
        assert lines[place] == bounds
        assert text_at(ax, place)[0].endswith(f" [{bounds[0]:.2f}, {bounds[1]:.2f}]")
    assert "lines: 90 % intervals" in " ".join(texts(ax))


def test_an_interval_without_end_leaves_room_for_the_bars():
    data = people(a=(50, 50, 50, 50), b=(2, 1, 1, 0), c=(0, 0, 0, 40), d=(40, 0, 0, 0))
    result = quietly(fairness_py.equal_odds, data, "outcome", "group", preds="predicted", base="c", conf_level=0.99)
    drawn(result["Metric_plot"])
    assert np.isfinite(axes(result["Metric_plot"]).get_xlim()).all()


def test_one_group_has_no_interval_and_no_word_of_intervals():
    result = quietly(
        fairness_py.fpr_parity, people(a=(9, 9, 9, 9)), "outcome", "group", preds="predicted", conf_level=0.95
    )
    assert not any("intervals" in text for text in texts(axes(result["Metric_plot"])))


def test_intervals_end_before_the_frame_and_before_the_texts(compas):
    """Bars on either side of 0, a value of 0/0 with an interval, and infinite ones."""
    signed = fairness_py.statistical_parity_difference(
        compas, "Two_yr_Recidivism", "ethnicity", probs="probability", base="Caucasian", conf_level=0.95
    )
    ax = axes(signed["Metric_plot"])
    low, high = ax.get_xlim()
    bounds = signed["Intervals"].loc[["Statistical Parity Difference lower", "Statistical Parity Difference upper"]]
    assert low < np.nanmin(bounds) - 0.02 * (high - low)
    assert high > np.nanmax(bounds) + 0.02 * (high - low)

    infinite = quietly(
        fairness_py.fpr_parity,
        *(compas, "Two_yr_Recidivism", "ethnicity", "probability"),
        base="Asian",
        cutoff=0.7,
        conf_level=0.95,
    )
    ax = axes(drawn(infinite["Metric_plot"]))
    (text,) = [text for text in ax.texts if text.get_text() == "undefined [0.00, ∞]"]
    assert text.get_window_extent().x0 > ax.bbox.x1


@pytest.mark.parametrize("width", [6, None, 20])
def test_labels_of_ticks_keep_apart(compas, width):
    result = fairness_py.calibration_within_groups(
        compas, "Two_yr_Recidivism", "ethnicity", "probability", base="Caucasian"
    )
    ax = axes(drawn(result.draw("Metric_plot", width=width)))
    low, high = ax.get_xlim()
    labels = [tick.label1 for tick in ax.xaxis.get_major_ticks() if low <= tick.get_loc() <= high]
    boxes = [label.get_window_extent() for label in labels]
    assert all(left.x1 + 0.5 * left.height < right.x0 for left, right in itertools.pairwise(boxes))


def test_against_all_others_no_group_is_the_base(compas):
    result = fairness_py.statistical_parity_difference(
        compas, "Two_yr_Recidivism", "Female", probs="probability", versus="rest"
    )
    ax = axes(result["Metric_plot"])
    assert {tick.get_fontweight() for tick in ax.get_yticklabels()} == {"normal"}
    assert not any("base" in text for text in [*texts(ax), *legend_texts(axes(result["Probability_plot"]))])
    assert "each group against all others" in texts(ax)


def test_the_note_of_a_metric_is_shown(compas):
    result = fairness_py.average_odds_difference(compas, "Two_yr_Recidivism", "Female", probs="probability")
    assert any("gaps of opposite sign cancel" in text for text in texts(axes(result["Metric_plot"])))


# ------------------------------------------------------------------ few rows, one class, no spread


def test_groups_too_small_for_a_curve_are_named():
    result = roc_of({"a": 40, "b": 2, "c": 1})
    ax = axes(drawn(result["Probability_plot"]))
    assert legend_texts(ax) == ["a (base): n = 40", "b: n = 2", "c: n = 1, no curve"]
    assert [line.get_linestyle() for line in curves(ax)] == ["-", "--"]
    assert "dashed: fewer than 30 rows, uncertain" in texts(ax)


@pytest.mark.parametrize(("n_groups", "n_fills"), [(10, 10), (11, 0)])
def test_many_densities_are_outlines(n_groups, n_fills):
    ax = axes(roc_of({f"{place:02d}": 40 for place in range(n_groups)})["Probability_plot"])
    assert len(curves(ax)) == n_groups
    assert len(ax.collections) == n_fills


def test_a_group_of_one_class_is_named():
    data = groups_of({"a": 40, "b": 40})
    data.loc[data["group"] == "b", "outcome"] = 1
    result = quietly(fairness_py.roc_parity, data, "outcome", "group", "probability")
    ax = axes(drawn(result["ROCAUC_plot"]))
    assert legend_texts(ax)[1] == "b: AUC undefined, n = 40, no curve"
    assert len(curves(ax)) == 1


def test_a_curve_that_was_turned_round_is_named():
    data = groups_of({"a": 40, "b": 40})
    data.loc[data["group"] == "b", "probability"] = 1 - data["probability"]
    result = quietly(fairness_py.roc_parity, data, "outcome", "group", "probability")
    ax = axes(result["ROCAUC_plot"])
    assert "(turned)" in legend_texts(ax)[1]
    assert "(turned)" not in legend_texts(ax)[0]
    assert any("low scores speak for the second level" in text for text in texts(ax))


@pytest.mark.parametrize("key", KEYS)
@pytest.mark.parametrize(
    "scores",
    [[0.7] * 8, [0.0] * 8, [1.0] * 8, [0.1 + 0.2, 0.3] * 4, [0.0, 1.0] * 4],
    ids=["equal", "zeros", "ones", "almost equal", "extremes"],
)
def test_scores_without_spread(key, scores):
    data = pd.DataFrame({"group": list("aaaabbbb"), "outcome": [0, 0, 1, 1] * 2, "probability": scores})
    drawn(quietly(fairness_py.roc_parity, data, "outcome", "group", "probability")[key])


@pytest.mark.parametrize("key", KEYS)
def test_levels_without_rows(key):
    data = groups_of({"a": 40, "b": 40})
    data["group"] = data["group"].cat.add_categories("empty")
    result = quietly(fairness_py.roc_parity, data, "outcome", "group", "probability")
    ax = axes(drawn(result[key]))
    if key == "Metric_plot":
        assert names(ax) == ["a", "b", "empty"]
    else:
        assert legend_texts(ax)[2].startswith("empty: ")
        assert legend_texts(ax)[2].endswith("n = 0, no curve")
        assert ax.get_legend().legend_handles[2].get_linestyle() == "None"


@pytest.mark.parametrize("key", KEYS)
def test_one_group(key):
    drawn(roc_of({"a": 40})[key])


# ------------------------------------------------------------------ labels


@pytest.mark.parametrize("key", KEYS)
def test_awkward_labels_are_drawn_as_they_are(key):
    result = roc_of(dict.fromkeys(AWKWARD, 40))
    ax = axes(drawn(result[key]))
    shown = ax.get_yticklabels() if key == "Metric_plot" else ax.get_legend().get_texts()[: len(AWKWARD)]
    for text, label in zip(shown, map(str, result["Metric"].columns), strict=True):
        assert text.get_text().startswith(label.replace("\t", " "))
        assert not text.get_parse_math()
        assert not text.get_usetex()


@pytest.mark.parametrize("key", KEYS)
def test_labels_of_any_script(key):
    drawn(roc_of(dict.fromkeys(STRANGE, 40))[key])  # no font has all the glyphs, and nothing warns of it


def test_a_character_without_a_glyph_is_written_as_its_escape():
    lowest = "\U0010fffd"  # of a private area: no font has it but one that shows boxes
    assert as_is(f"a{lowest}b")[0] == "a\\U0010fffdb"
    assert as_is("a\u200db\ufe0f\ud800")[0].replace("\u200d", "").replace("\ufe0f", "") == "ab\\ud800"


def test_a_font_that_has_the_glyphs_is_used():
    from matplotlib.font_manager import FontProperties, findfont, get_font

    script = "\u210f\U0001d4d0"  # DejaVu Sans has both, matplotlib's cmr10 has neither
    with mpl.rc_context({"font.family": "cmr10"}):
        text, properties = as_is(script)
    assert text == script
    fonts = [get_font(findfont(FontProperties(family=family))) for family in properties["fontfamily"]]
    assert all(any(ord(character) in font.get_charmap() for font in fonts) for character in script)


@pytest.mark.parametrize("key", KEYS)
def test_right_to_left_names_do_not_reorder_the_rest(key):
    ax = axes(roc_of({"שלום": 40, "b": 40})[key])
    if key == "Metric_plot":
        assert names(ax)[0] == "שלום"
    else:
        assert legend_texts(ax)[0].startswith("\N{LEFT-TO-RIGHT MARK}שלום (base): ")
        assert legend_texts(ax)[1].startswith("b: ")


@pytest.mark.parametrize("key", KEYS)
@pytest.mark.parametrize("style", ["default", "seaborn-v0_8-talk"])
@pytest.mark.parametrize("sizes", [{"a": 40, "b": 40}, {f"{place:02d}{LONG[:-3]}": 31 for place in range(40)}], ids=len)
def test_labels_neither_overlap_nor_leave_the_figure(key, style, sizes):
    assert len(sizes) == 2 or {len(name) for name in sizes} == {59}
    with matplotlib.style.context(style):
        figure = drawn(roc_of(sizes)[key])
    ax = axes(figure)
    shown = ax.get_yticklabels() if key == "Metric_plot" else ax.get_legend().get_texts()
    boxes = sorted((text.get_window_extent() for text in shown), key=lambda box: box.y0)
    assert all(below.y1 <= above.y0 + 2 for below, above in itertools.pairwise(boxes))
    everything = [text for text in (*shown, *ax.texts, ax.xaxis.label, ax.yaxis.label) if text.get_text()]
    for text in everything:
        box = text.get_window_extent()
        assert -1 <= box.x0 <= box.x1 <= figure.bbox.x1 + 1, text.get_text()
        assert -1 <= box.y0 <= box.y1 <= figure.bbox.y1 + 1, text.get_text()
    assert ax.bbox.width > 0.2 * figure.bbox.width
    if ax.get_legend():  # beside the curves
        assert ax.get_legend().get_window_extent().x0 >= ax.bbox.x1


def test_longer_labels_are_wrapped():
    name = 3 * LONG.strip()
    assert names(axes(roc_of({name: 40, "b": 40})["Metric_plot"]))[0].replace("\n", " ").split() == name.split()


# ------------------------------------------------------------------ colours and styles


def test_a_group_has_one_colour_in_all_plots(compas_roc):
    bar_colours = [to_rgb(bar.get_edgecolor()) for bar in bars(axes(compas_roc["Metric_plot"]))]
    assert len(set(bar_colours)) == 6
    for key in KEYS[1:]:
        assert [to_rgb(line.get_color()) for line in curves(axes(compas_roc[key]))] == bar_colours
    assert {bar.get_facecolor()[3] for bar in bars(axes(compas_roc["Metric_plot"]))} == {0.5}


@pytest.mark.parametrize("n_groups", [1, 2, 10, 11, 40])
def test_every_group_has_a_colour_of_its_own(n_groups):
    assert len({tuple(np.round(colour, 6)) for colour in colours(n_groups)}) == n_groups


def test_a_palette_of_ones_own(compas_roc):
    labels = list(compas_roc["Metric"].columns)
    wanted = {label: (place / 10, 0.2, 0.3) for place, label in enumerate(labels)}
    for palette in (wanted, list(wanted.values())):
        for plot in (fairness_py.plot_parity, fairness_py.plot_probabilities, fairness_py.plot_roc):
            ax = plot(compas_roc, ax=fresh_axes(), palette=palette)
            artists = bars(ax) if plot is fairness_py.plot_parity else curves(ax)
            drawn_colours = [
                to_rgb(artist.get_edgecolor() if plot is fairness_py.plot_parity else artist.get_color())
                for artist in artists
            ]
            assert np.array(drawn_colours) == pytest.approx(np.array(list(wanted.values())))
    assert len(bars(fairness_py.plot_parity(compas_roc, ax=fresh_axes(), palette="Set2"))) == 6


@pytest.mark.parametrize(
    ("palette", "message"),
    [
        ({"Caucasian": "red", "Asian": "blue"}, r"palette must have a colour for each group; it has none for 'African"),
        (["red", "blue"], "palette must have a colour for each of the 6 groups, got 2"),
        ("no such palette", "no such palette"),
    ],
)
def test_palettes_that_do_not_fit_are_refused(compas_roc, palette, message):
    with pytest.raises(ValueError, match=message):
        fairness_py.plot_parity(compas_roc, ax=fresh_axes(), palette=palette)


@pytest.mark.parametrize("key", KEYS)
def test_texts_have_the_colour_of_the_style(compas_roc, key):
    with matplotlib.style.context("dark_background"):
        figure = drawn(compas_roc.draw(key))
    ax = axes(figure)
    assert to_rgb(figure.get_facecolor()) == (0, 0, 0)
    legend = ax.get_legend().get_texts() if ax.get_legend() else []
    assert {to_rgb(text.get_color()) for text in (*ax.texts, *ax.get_yticklabels(), *legend)} == {(1, 1, 1)}


@pytest.mark.parametrize("key", KEYS)
def test_settings_stay_as_they_were(compas_roc, key):
    before = dict(mpl.rcParams)
    compas_roc.draw(key)
    assert dict(mpl.rcParams) == before


# ------------------------------------------------------------------ axes and figures


@pytest.mark.parametrize("plot", ["plot_parity", "plot_probabilities", "plot_roc"])
def test_plots_are_drawn_on_the_axes_given(compas_roc, plot):
    figure = Figure(layout="constrained", figsize=(10, 4))
    left, right = figure.subplots(1, 2)
    assert getattr(fairness_py, plot)(compas_roc, ax=right) is right
    assert not left.has_data()
    legend = right.get_legend()
    drawn(figure)
    if legend:  # beside other axes it stands within
        assert right.bbox.padded(2).contains(*legend.get_window_extent().min)
        assert right.bbox.padded(2).contains(*legend.get_window_extent().max)


def everything_outside(figure):
    """Return the boxes of axes with their labels that leave the figure, or lie on those of other axes."""
    figure.canvas.draw()
    boxes = [ax.get_tightbbox() for ax in figure.axes]
    cut = [box for box in boxes if not figure.bbox.padded(1).contains(*box.min) or not figure.bbox.contains(*box.max)]
    return cut + [one for one, other in itertools.combinations(boxes, 2) if one.padded(-1).overlaps(other)]


@pytest.fixture(scope="module")
def with_intervals():
    """Return a result that has every kind of label: names, intervals, small groups."""
    return fairness_py.calibration_within_groups(
        fairness_py.load_compas(), "Two_yr_Recidivism", "ethnicity", "probability", base="Caucasian"
    )


PLOTS = ["plot_parity", "plot_probabilities", "plot_calibration"]


@pytest.mark.parametrize("plot", PLOTS)
@pytest.mark.parametrize("columns", [1, 2])
def test_labels_are_within_a_figure_without_a_layout(with_intervals, plot, columns):
    figure = Figure(figsize=(7 * columns, 4))
    for ax in figure.subplots(1, columns, squeeze=False)[0]:
        getattr(fairness_py, plot)(with_intervals, ax=ax)
    assert not everything_outside(figure)


@pytest.mark.parametrize("plot", PLOTS)
def test_margins_of_the_users_own_stay(with_intervals, plot):
    figure = Figure(figsize=(8, 4))
    figure.subplots_adjust(left=0.4, bottom=0.3)
    ax = figure.subplots()
    placed = Figure(figsize=(8, 4)).add_axes((0.4, 0.3, 0.4, 0.4))
    before = [one.get_position().bounds for one in (ax, placed)]
    for one in (ax, placed):
        getattr(fairness_py, plot)(with_intervals, ax=one)
    assert [one.get_position().bounds for one in (ax, placed)] == before


def test_margins_of_the_users_own_stay_between_plots(with_intervals):
    figure = Figure(figsize=(12, 4))
    left, right = figure.subplots(1, 2)
    fairness_py.plot_parity(with_intervals, ax=left)
    figure.subplots_adjust(right=0.8)  # for a legend, say
    fairness_py.plot_parity(with_intervals, ax=right)
    assert figure.subplotpars.right == 0.8


def test_bars_on_axes_that_share_their_names(with_intervals):
    figure = Figure(figsize=(12, 4), layout="constrained")
    for ax in figure.subplots(1, 2, sharey=True):
        fairness_py.plot_parity(with_intervals, ax=ax)
    names = [label.get_text() for label in figure.axes[0].get_yticklabels()]
    assert names == list(with_intervals.Metric.columns)


def test_a_figure_too_small_for_its_labels_is_warned_of(with_intervals):
    with pytest.warns(UserWarning, match="too small for the labels, which are cut off") as caught:
        fairness_py.plot_parity(with_intervals, ax=Figure(figsize=(1, 0.5)).subplots())
    assert caught[0].filename == __file__


def test_a_small_figure_of_bars_has_small_labels(compas_roc):
    assert not everything_outside(compas_roc.draw("Metric_plot", width=3, height=2))


@pytest.mark.parametrize("plot", ["plot_probabilities", "plot_calibration"])
@pytest.mark.parametrize("layout", ["constrained", None])
@pytest.mark.parametrize("columns", [1, 2])
def test_a_legend_lies_on_no_curve(with_intervals, plot, layout, columns):
    figure = Figure(figsize=(6.4 * columns, 4.8), layout=layout)
    ax = figure.subplots(1, columns, squeeze=False)[0][-1]
    getattr(fairness_py, plot)(with_intervals, ax=ax)
    legend = drawn(figure).axes[-1].get_legend().get_window_extent()
    lines = [ax.transData.transform(line.get_xydata()) for line in curves(ax)]
    assert len(lines) == 6
    points = [ax.transData.transform(few.get_offsets()) for few in ax.collections if isinstance(few, PathCollection)]
    assert not any(legend.contains(*point) for drawn_points in lines + points for point in drawn_points)


@pytest.mark.parametrize("plot", ["plot_parity", "plot_probabilities", "plot_roc"])
def test_without_axes_a_pyplot_figure_is_made(compas_roc, plot):
    ax = getattr(fairness_py, plot)(compas_roc)
    try:
        assert ax.figure is plt.gcf()
        assert ax is not getattr(fairness_py, plot)(compas_roc)
    finally:
        plt.close("all")


def test_the_figures_of_a_result_are_not_pyplots(compas):
    before = plt.get_fignums()
    for _ in range(25):  # pyplot would warn of more than 20
        result = fairness_py.acc_parity(compas, "Two_yr_Recidivism", "Female", probs="probability")
        assert isinstance(result["Metric_plot"], Figure)
    assert plt.get_fignums() == before


@pytest.mark.parametrize("key", KEYS)
def test_a_plot_at_another_size(compas_roc, key):
    assert compas_roc.draw(key, width=4, height=3).get_size_inches().tolist() == [4, 3]
    assert compas_roc.draw(key, width=20).get_size_inches()[1] == compas_roc[key].get_size_inches()[1]
    drawn(compas_roc.draw(key, width=3, height=2))


@pytest.mark.parametrize("key", KEYS)
@pytest.mark.parametrize("form", ["png", "svg", "pdf"])
def test_figures_can_be_saved(compas_roc, key, form):
    file = io.BytesIO()
    compas_roc[key].savefig(file, format=form)
    starts = {"png": b"\x89PNG", "svg": b"<?xml", "pdf": b"%PDF"}
    assert file.getvalue().startswith(starts[form])


@pytest.mark.parametrize("key", KEYS)
def test_figures_can_be_pickled(compas_roc, key):
    again = pickle.loads(pickle.dumps(compas_roc[key]))
    assert len(again.axes[0].lines) == len(compas_roc[key].axes[0].lines)
    drawn(again)


def test_jupyter_shows_a_figure_without_pyplot(compas_roc):
    assert compas_roc["Metric_plot"]._repr_png_().startswith(b"\x89PNG")


def test_drawing_leaves_the_choice_of_a_backend_alone():
    code = (
        "import matplotlib as mpl, pandas as pd, fairness_py\n"
        "before = dict.__getitem__(mpl.rcParams, 'backend')\n"
        "data = pd.DataFrame({'g': list('aabb'), 'y': [0, 1, 0, 1], 'p': [.1, .9, .6, .4]})\n"
        "result = fairness_py.acc_parity(data, 'y', 'g', probs='p')\n"
        "result['Metric_plot'], result['Probability_plot']\n"
        "assert dict.__getitem__(mpl.rcParams, 'backend') is before\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True, env={"PATH": ""}, timeout=120)


# ------------------------------------------------------------------ what cannot be drawn


def test_results_without_what_a_plot_shows_are_refused(compas):
    of_labels = fairness_py.acc_parity(
        compas, "Two_yr_Recidivism", "Female", preds=np.where(compas["predicted"], "yes", "no")
    )
    with pytest.raises(ValueError, match=r"computed from preds\. Call the metric function with probs"):
        fairness_py.plot_probabilities(of_labels, ax=fresh_axes())
    with pytest.raises(ValueError, match=r"result must be one of roc_parity, .*; this one is of acc_parity"):
        fairness_py.plot_roc(of_labels, ax=fresh_axes())


@pytest.mark.parametrize("plot", ["plot_parity", "plot_probabilities", "plot_roc"])
def test_arguments_of_other_types_are_refused(compas_roc, plot):
    with pytest.raises(TypeError, match=r"result must be the whole of what a metric function .* got DataFrame"):
        getattr(fairness_py, plot)(compas_roc["Metric"])
    with pytest.raises(TypeError, match=r"ax must be one matplotlib Axes, got ndarray\. Of several, pass one"):
        getattr(fairness_py, plot)(compas_roc, ax=Figure().subplots(1, 2))
    assert not plt.get_fignums()


def test_labels_are_r_texts():
    data = groups_of({"a": 40, "b": 40})
    data["group"] = data["group"] == "a"
    result = fairness_py.roc_parity(data, "outcome", "group", "probability")
    assert names(axes(result["Metric_plot"])) == ["FALSE", "TRUE"] == [r_text(x) for x in result["Metric"].columns]


def test_an_interval_on_the_other_side_of_zero_is_not_cut(compas):
    """Bars to the left of 0 have intervals that reach to its right: the axis must hold both ends."""
    result = fairness_py.calibration_within_groups(
        compas, "Two_yr_Recidivism", "ethnicity", "probability", base="Caucasian"
    )
    upper = result["Intervals"].loc["Calibration-in-the-large upper"]
    assert upper["Asian"] > 0 > result["Metric"].loc["Calibration-in-the-large", "Asian"]
    assert result["Metric_plot"].axes[0].get_xlim()[1] >= upper.max()
