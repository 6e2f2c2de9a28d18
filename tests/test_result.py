"""A result behaves as a dictionary whose plots are drawn when first asked for."""

from __future__ import annotations

import contextlib
import copy
import json
import pickle
import subprocess
import sys
import warnings

import numpy as np
import pandas as pd
import pytest
from helpers import eight, people, quietly
from matplotlib.figure import Figure

import fairness_py
from fairness_py import acc_parity, fnr_parity, roc_parity
from fairness_py._result import ParityResult, rounded

KEYS = ["Metric", "Metric_plot", "Probability_plot", "ROCAUC_plot"]


@pytest.fixture
def result():
    return roc_parity(eight(), "outcome", "group", probs="probability")


@pytest.fixture
def drawings(monkeypatch):
    """Return a list that gets the key of every plot that is drawn."""
    drawn = []
    draw = ParityResult.draw

    def counting(self, key, **options):
        drawn.append(key)
        return draw(self, key, **options)

    monkeypatch.setattr(ParityResult, "draw", counting)
    return drawn


def test_it_is_a_dictionary(result):
    assert isinstance(result, dict)
    assert list(result) == KEYS == list(result.keys())
    assert len(result) == 4
    assert "Metric_plot" in result
    assert "Intervals" not in result
    assert list(reversed(result)) == KEYS[::-1]


def test_the_table(result):
    metric = result["Metric"]
    assert metric is result.Metric
    assert (metric.dtypes == np.float64).all()
    assert list(metric.columns) == ["a", "b"]
    assert type(metric.columns) is pd.Index
    assert (metric.columns.name, metric.index.name) == (None, None)
    assert result.base == "a"
    assert result.metric.name == "roc_parity"


@pytest.mark.parametrize(
    ("labels", "index"),
    [
        ([0, 1] * 4, pd.Index([0, 1])),
        ([True, False] * 4, pd.Index([False, True])),
        (pd.Categorical(["x", "y"] * 4, ["y", "x"]), pd.Index(["y", "x"])),
        (["b", "a"] * 4, pd.Index(["a", "b"])),
    ],
    ids=["numbers", "truth values", "factor", "texts"],
)
def test_column_labels_are_the_values(labels, index):
    data = eight().assign(group=labels)
    columns = acc_parity(data, "outcome", "group", preds="predicted").Metric.columns
    pd.testing.assert_index_equal(columns, index)
    assert not isinstance(columns, pd.CategoricalIndex)


def test_labels_renamed_in_one_table_are_not_in_the_next():
    for _ in range(2):
        table = acc_parity(eight(), "outcome", "group", preds="predicted").Metric
        assert (table.columns.name, table.index.name) == (None, None)
        assert list(table.columns) == ["a", "b"]
        table.columns.name, table.index.name = "group", "row"
        with contextlib.suppress(ValueError):  # pandas 3 does not let them be written
            table.columns.values[0] = "Group a"


def test_a_label_that_is_half_a_pair_of_surrogates():
    data = eight().assign(group=pd.Series(list("aaaa") + ["\ud800"] * 4, dtype=object))
    assert list(acc_parity(data, "outcome", "group", preds="predicted").Metric.columns) == ["a", "\ud800"]


# ------------------------------------------------------------------ drawn when first asked for, and once

ACCESS = {
    "key": lambda result: result["Metric_plot"],
    "attribute": lambda result: result.Metric_plot,
    "get": lambda result: result.get("Metric_plot"),
    "values": lambda result: list(result.values())[1],
    "items": lambda result: list(result.items())[1][1],
    "dict": lambda result: dict(result)["Metric_plot"],
    "unpacking": lambda result: {**result}["Metric_plot"],
    "star": lambda result: [*result.values()][1],
    "or": lambda result: (result | {})["Metric_plot"],
    "reversed or": lambda result: ({} | result)["Metric_plot"],
    "update": lambda result: (entries := {}, entries.update(result))[0]["Metric_plot"],
    "pop": lambda result: result.pop("Metric_plot"),
    "setdefault": lambda result: result.setdefault("Metric_plot", "default"),
    "match": lambda result: ACCESS["key"](result),
}


def in_place_or(result):
    entries = {}
    entries |= result
    return entries["Metric_plot"]


def by_match(result):
    match result:
        case {"Metric_plot": figure}:
            return figure


ACCESS |= {"in-place or": in_place_or, "match": by_match}


@pytest.mark.parametrize("way", ACCESS)
def test_plots_are_figures_however_they_are_asked_for(way, result, drawings):
    assert drawings == []
    figure = ACCESS[way](result)
    assert isinstance(figure, Figure)
    assert drawings.count("Metric_plot") == 1
    if "Metric_plot" in result:
        assert result["Metric_plot"] is figure
        assert drawings.count("Metric_plot") == 1


def test_all_plots_are_figures(result):
    assert [type(value) is not type(None) for value in result.values()] == [True] * 4
    assert all(isinstance(result[key], Figure) for key in KEYS[1:])


def test_looking_at_the_table_draws_nothing(result, drawings):
    repr(result), str(result), len(result), list(result), result.Metric, result["Metric"], result.base
    assert result == result.copy()
    pickle.dumps(result), copy.deepcopy(result)
    hasattr(result, "no_such_thing"), dir(result), "Metric_plot" in result, bool(result)
    assert drawings == []


def test_popitem_takes_the_last(result):
    key, figure = result.popitem()
    assert key == "ROCAUC_plot"
    assert isinstance(figure, Figure)
    assert list(result) == KEYS[:3]


@pytest.mark.parametrize("key", ["Intervals", "Probability_plot", "metric", 0])
def test_an_entry_that_is_not_there_says_what_there_is_and_where_others_come_from(key):
    without = fnr_parity(eight(), "outcome", "group", preds="predicted")
    with pytest.raises(KeyError) as error:
        without[key]
    assert error.value.args[0] == (
        f"the result has no {key!r}; it has ['Metric', 'Metric_plot']. Intervals come with conf_level, "
        "Probability_plot with probs, ROCAUC_plot from roc_parity, Calibration_plot from calibration_within_groups."
    )
    for same in (without, without.copy(), pickle.loads(pickle.dumps(without))):
        assert key not in same
        assert same.get(key) is None
        assert same.pop(key, 5) == 5


def test_what_is_not_there(result):
    with pytest.raises(KeyError):
        result["nothing"]
    with pytest.raises(AttributeError, match=r"has no 'metric_plot'; it has \['Metric', 'Metric_plot'"):
        _ = result.metric_plot
    assert result.get("nothing") is None
    assert result.get("nothing", 5) == 5
    assert result.pop("nothing", 5) == 5
    with pytest.raises(KeyError):
        result.pop("nothing")
    assert result.setdefault("note", "mine") == "mine"
    assert result["note"] == "mine"
    with pytest.raises(KeyError, match="'Metric' is no plot of this result"):
        result.draw("Metric")
    without = fnr_parity(eight(), "outcome", "group", preds="predicted")
    with pytest.raises(KeyError, match=r"no plot of this result, which has \['Metric_plot'\]"):
        without.draw("Probability_plot")


def test_drawing_at_a_size(result):
    figure = result.draw("Metric_plot", width=5, height=3)
    assert figure.get_size_inches().tolist() == [5, 3]
    assert figure is not result["Metric_plot"]


def test_attributes_are_listed(result):
    assert set(KEYS) <= set(dir(result))
    assert hasattr(result, "Metric_plot")


# ------------------------------------------------------------------ copies and comparisons

COPIES = {
    "copy()": lambda result: result.copy(),
    "copy": copy.copy,
    "deepcopy": copy.deepcopy,
    **{f"pickle {n}": lambda result, n=n: pickle.loads(pickle.dumps(result, n)) for n in range(2, 6)},
}


@pytest.mark.parametrize("way", COPIES)
def test_copies(way, result):
    copied = COPIES[way](result)
    assert type(copied) is ParityResult
    assert copied == result
    assert copied is not result
    assert list(copied) == KEYS
    assert copied.metric is result.metric
    assert len(copied.densities) == len(copied.roc_curves) == 2
    assert isinstance(copied["ROCAUC_plot"], Figure)
    copied.Metric.iloc[0, 0] = -1
    assert result.Metric.iloc[0, 0] == 0.75
    assert copied != result


@pytest.mark.parametrize("way", COPIES)
def test_copies_have_what_was_added_and_removed(way, result):
    result.pop("Metric_plot")
    result["note"] = "mine"
    copied = COPIES[way](result)
    assert list(copied) == ["Metric", "Probability_plot", "ROCAUC_plot", "note"]
    assert copied["note"] == "mine"
    assert copied == result


def test_an_entry_may_be_none(result):
    assert result.setdefault("nothing") is None
    assert result["nothing"] is None


def test_a_pickle_does_not_hold_the_data():
    data = people(a=(20_000, 10_000, 20_000, 10_000)).assign(probability=lambda frame: frame["predicted"] * 0.5 + 0.2)
    small = acc_parity(data.iloc[::100], "outcome", "group", probs="probability")
    large = acc_parity(data, "outcome", "group", probs="probability")
    assert len(pickle.dumps(large)) < 1.1 * len(pickle.dumps(small))


def test_equality(result):
    same = roc_parity(eight(), "outcome", "group", probs="probability")
    assert result == same
    assert not result != same  # noqa: SIM202  (asks __ne__)
    assert result != roc_parity(eight(), "outcome", "group", probs="probability", base="b")
    assert result != acc_parity(eight(), "outcome", "group", probs="probability")
    arguments = {"outcome": "outcome", "group": "group", "probs": "probability"}
    # the same table with another cutoff is another result; so it is with other probabilities
    assert acc_parity(eight(), **arguments) != acc_parity(eight(), **arguments, cutoff=0.55)
    other = eight()
    other.loc[0, "probability"] = 0.95
    assert acc_parity(eight(), **arguments) != acc_parity(other, **arguments)
    assert result != 5
    assert result != {}
    with pytest.raises(TypeError, match="unhashable"):
        hash(result)


def test_data_changed_before_the_density_is_drawn():
    data = eight()
    data["probability"] = data["probability"].to_numpy().copy()
    result = acc_parity(data, "outcome", "group", probs="probability")
    scores = result._scores.scores[:]
    scores.setflags(write=True)
    scores[0] = np.nan
    with pytest.raises(RuntimeError, match="The data were changed after the metric was computed"):
        result["Probability_plot"]


@pytest.mark.parametrize("name", ["acc_parity", "roc_parity", "calibration_within_groups"])
@pytest.mark.parametrize("n", [8, 4096, 10_000])
def test_scores_changed_in_place(name, n):
    """As many rows a group as before, so only the scores themselves tell."""
    data = eight().loc[np.arange(n) % 8].reset_index(drop=True)
    result = quietly(getattr(fairness_py, name), data, "outcome", "group", probs="probability")
    data.loc[:, "probability"] = np.sort(data["probability"])
    with pytest.raises(RuntimeError, match="The data were changed after the metric was computed"):
        result["Probability_plot"]


def test_densities(result):
    assert [density.group for density in result.densities] == ["a", "b"]
    assert [density.n for density in result.densities] == [4, 4]
    assert result.densities is result.densities
    assert fnr_parity(eight(), "outcome", "group", preds="predicted").densities == ()
    assert fnr_parity(eight(), "outcome", "group", preds="predicted").roc_curves == ()


# ------------------------------------------------------------------ how it looks


def test_print(result):
    lines = repr(result).splitlines()
    assert [line.split() for line in lines] == [
        ["a", "b"],
        ["ROC", "AUC", "0.7500", "1.0000"],
        ["ROC", "AUC", "Parity", "1.0000", "1.3333"],
        ["Group", "size", "4", "4"],
        [],
        ["Also:", "Metric_plot,", "Probability_plot,", "ROCAUC_plot"],
    ]


def test_a_note_is_printed(result):
    result.Metric.attrs["note"] = "not exact"
    assert repr(result).endswith("\nNote: not exact")
    assert "<p>Note: not exact</p>" in result._repr_html_()


def test_a_note_is_in_the_summary():
    for function in (roc_parity, fairness_py.calibration_within_groups):
        result = quietly(function, eight(), "outcome", "group", probs="probability", conf_level=0.95)
        lines = result.summary().splitlines()
        result.Metric.attrs["note"] = "not exact"
        assert result.summary().splitlines() == [*lines, "Note: not exact"]


def test_rounding():
    rows = [[np.nan, np.inf, -np.inf], [1, 0.00005, 12.34567], [3, 10, 120000], [3, 10, 120000]]
    table = pd.DataFrame(rows, index=["FNR", "FNR Parity", "Group size", "Positively classified"], columns=list("abc"))
    assert rounded(table).to_numpy().tolist() == [
        ["NaN", "Inf", "-Inf"],
        ["1.0000", "0.0001", "12.3457"],
        ["3", "10", "120000"],
        ["3", "10", "120000"],
    ]


def test_in_a_notebook(result):
    page = result._repr_html_()
    assert page.count("<table") == 1
    assert page.count("data:image/png;base64,iVBOR") == 3
    assert all(f'alt="{key}"' in page for key in KEYS[1:])


# ------------------------------------------------------------------ light, and without traces


def run(code):
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout


def test_importing_and_computing_load_no_plotting_library():
    loaded = run(
        "import sys, json, pandas as pd, fairness_py as f\n"
        "data = pd.DataFrame({'g': list('aabb'), 'y': [0, 1, 0, 1], 'p': [.1, .6, .3, .9]})\n"
        "f.fnr_parity(data, 'y', 'g', probs='p'), repr(f.roc_parity(data, 'y', 'g', probs='p'))\n"
        "print(json.dumps([m for m in ('matplotlib', 'seaborn', 'scipy', 'rdata') if m in sys.modules]))"
    )
    assert json.loads(loaded) == []


def test_drawing_leaves_pyplot_and_the_backend_alone():
    loaded = run(
        "import sys, json, matplotlib, pandas as pd, fairness_py as f\n"
        "matplotlib.use('svg')\n"
        "data = pd.DataFrame({'g': list('aabb'), 'y': [0, 1, 0, 1], 'p': [.1, .6, .3, .9]})\n"
        "list(f.roc_parity(data, 'y', 'g', probs='p').values())\n"
        "print(json.dumps(matplotlib.get_backend()))"
    )
    assert json.loads(loaded) == "svg"


def test_a_thousand_calls_leave_no_figure():
    import matplotlib.pyplot as plt

    before = plt.get_fignums()
    data = eight()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for _ in range(1000):
            result = acc_parity(data, "outcome", "group", preds="predicted")
        for _ in range(25):  # pyplot warns from the twentieth open figure on
            assert isinstance(result.copy()["Metric_plot"], Figure)
    assert plt.get_fignums() == before


def test_functions_are_the_names_of_their_metrics():
    for name in ("fnr_parity", "roc_parity"):
        function = getattr(fairness_py, name)
        assert function(eight(), "outcome", "group", probs="probability").metric.name == name
