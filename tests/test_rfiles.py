"""Reading R's files: files that R 4.2.2 wrote (tests/rfiles/make_rfiles.R), damaged ones, and others' real ones."""

from __future__ import annotations

import datetime
import gzip
import math
import re
import sys
import warnings
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from fairness_py import read_rdata
from fairness_py.rfiles import _times

FILES = Path(__file__).resolve().parent / "rfiles"
KINDS = ["kinds.rds", "kinds_version_2.rds", "kinds_text.rds", "kinds_native.rds", "kinds.rda", "kinds_text.RData"]


def as_list(column):
    """List the values, with None for every kind of missing one."""
    return [None if pd.isna(value) else value for value in column]


@pytest.fixture(params=KINDS)
def kinds(request):
    """Load one data frame, as R writes it in each format and compression."""
    return read_rdata(FILES / request.param)


def test_factors_are_categorical_with_their_levels(kinds):
    assert kinds["factor"].cat.categories.tolist() == ["b", "a", "empty"]
    assert not kinds["factor"].cat.ordered
    assert as_list(kinds["factor"]) == ["b", "a", None, "b"]
    assert kinds["ordered"].cat.categories.tolist() == ["low", "high"]
    assert kinds["ordered"].cat.ordered
    assert as_list(kinds["ordered"]) == ["low", "high", "low", None]


def test_a_level_for_missing_values_is_missing(kinds):
    assert kinds["added_na"].cat.categories.tolist() == ["x", "y"]
    assert as_list(kinds["added_na"]) == ["y", None, "x", "y"]


@pytest.mark.parametrize(
    ("column", "dtype", "values"),
    [
        ("integer", "Int64", [1, None, 3, -4]),
        ("sequence", "int64", [1, 2, 3, 4]),
        ("logical", "boolean", [True, None, False, True]),
        ("truth", "bool", [True, False, True, True]),
        ("numeric", "float64", [0.1, None, None, -math.inf]),
        ("integer64", "Int64", [1, None, 3, 0]),
        ("as_is", "float64", [1.0, 2.0, 3.0, 4.0]),
    ],
)
def test_numbers_and_truth_values(kinds, column, dtype, values):
    assert kinds[column].dtype == dtype
    assert as_list(kinds[column]) == values


def test_missing_numbers_make_numpy_warn_of_nothing(kinds):
    # R's NA is a signalling NaN; pytest turns the RuntimeWarning of the product into an error.
    assert np.isnan(kinds["numeric"].to_numpy()[1:3] * 2).all()


def test_text_na_is_missing_and_the_text_na_is_not(kinds):
    assert as_list(kinds["text"]) == ["NA", None, "ä 日", ""]


def test_numbers_made_text_are_as_r_shows_them(kinds):
    assert as_list(kinds["from_numeric"]) == ["0.3", "1e+06", None, "NaN"]
    assert as_list(kinds["from_integer"]) == ["1", None, "3", "100000"]


def test_numbers_made_text_follow_the_option_scipen():
    assert read_rdata(FILES / "scipen.rds")["text"].tolist() == ["1000000000000000", "0.0000001"]


def test_dates_and_times(kinds):
    assert kinds["date"].dtype == "datetime64[s]"
    days = [None if pd.isna(day) else day.date().isoformat() for day in kinds["date"]]
    assert days == ["2020-02-29", None, "1969-12-31", "9999-12-31"]
    assert str(kinds["utc"].dtype) == "datetime64[us, UTC]"
    moments = [None if pd.isna(moment) else moment.isoformat() for moment in kinds["utc"]]
    assert moments[:3] == ["2020-05-01T12:00:00.500000+00:00", None, "1969-12-31T23:59:59+00:00"]
    assert kinds["berlin"][0].isoformat() == "2020-07-01T12:00:00+02:00"
    hours = [None if pd.isna(span) else span / datetime.timedelta(hours=1) for span in kinds["hours"]]
    assert hours == [1.5, None, 0, 48]


@pytest.mark.parametrize(("value", "ticks_each", "unit"), [(1.6e15, 1_000_000, "us"), (-1e308, 86400, "s")])
def test_times_beyond_those_of_a_frame(value, ticks_each, unit):
    """A time in microseconds that R took for seconds became a missing one."""
    with pytest.raises(ValueError, match=re.escape(f"a date or time, {value:g} in R, is farther from 1970 than")):
        _times(np.array([np.nan, 0, value]), ticks_each, unit)


def test_row_names_that_nobody_gave_are_counted_from_0(kinds):
    assert kinds.index.equals(pd.RangeIndex(4))


def test_row_names_that_somebody_gave_are_the_index():
    named = read_rdata(FILES / "several.RData", "named")
    assert named.index.tolist() == ["first", "second"]
    assert read_rdata(FILES / "several.RData", name="numbered").index.tolist() == [2, 5]


def test_two_columns_of_one_name_are_both_there():
    twice = read_rdata(FILES / "twice.rds")
    assert twice.columns.tolist() == ["a", "a"]
    assert twice.to_numpy().tolist() == [[1, 3], [2, 4]]


def test_frames_without_rows_or_columns():
    assert read_rdata(FILES / "no_columns.rds").shape == (0, 0)
    no_rows = read_rdata(FILES / "no_rows.rds")
    assert no_rows.shape == (0, 4)
    assert no_rows["factor"].cat.categories.tolist() == ["b", "a", "empty"]
    assert no_rows["integer"].dtype == "int64"


def test_columns_that_a_frame_cannot_hold_are_left_out_with_a_warning():
    with pytest.warns(UserWarning, match="5 of 7 columns left out") as caught:
        odd = read_rdata(FILES / "odd.rds")
    assert odd.to_dict("list") == {"kept": [1, 2], "last": ["x", "y"]}
    assert Path(caught[0].filename) == Path(__file__)
    for part in ("'list' (a list)", "'matrix' (a matrix", "'complex' (a complex", "'lt' (of the R class", "'money'"):
        assert part in str(caught[0].message)


def test_encodings():
    assert read_rdata(FILES / "latin1.rds")["x"].tolist() == ["café"]
    assert read_rdata(FILES / "unmarked_utf8_version_2.rds")["x"].tolist() == ["café"]
    with pytest.raises(ValueError, match=r"caf.*is not in the encoding UTF-8.*enc2utf8"):
        read_rdata(FILES / "unmarked.rds")


def test_several_objects_need_a_name():
    with pytest.raises(ValueError, match=r"name must say which object.*'named', 'numbered', 'm', 'run_me', 'holder'"):
        read_rdata(FILES / "several.RData")


def test_a_wrong_name_is_answered_with_the_nearest():
    with pytest.raises(ValueError, match=r"got 'numberd'\. Did you mean 'numbered'\? It holds 'named',"):
        read_rdata(FILES / "several.RData", "numberd")


def test_a_file_of_saverds_has_no_names():
    with pytest.raises(ValueError, match="name must be left out"):
        read_rdata(FILES / "kinds.rds", "kinds")


@pytest.mark.parametrize(
    ("file", "name", "what"),
    [
        ("several.RData", "m", "'m'.* is a matrix or an array"),
        ("several.RData", "run_me", "'run_me'.* is a function"),
        ("several.RData", "holder", "'holder'.* is an environment"),
        ("function.rds", None, "object in .* is a function"),
        ("model.rds", None, "is of the R class 'lm'"),
    ],
)
def test_what_is_not_a_data_frame(file, name, what):
    with pytest.raises(TypeError, match=rf"(?s){what}.*as\.data\.frame\(\)"):
        read_rdata(FILES / file, name)


def test_nothing_in_a_file_is_run(tmp_path, monkeypatch):
    """`run_me`, and the promise `trap`, would write the file `was_run`."""
    monkeypatch.chdir(tmp_path)
    read_rdata(FILES / "several.RData", "named")
    for file, name in [("several.RData", "run_me"), ("promise.RData", "trap"), ("promise.RData", "named")]:
        with pytest.raises((TypeError, ValueError)):
            read_rdata(FILES / file, name)
    assert list(tmp_path.iterdir()) == []


def test_more_objects_than_can_be_parsed():
    with pytest.raises(ValueError, match=r"many\.RData' holds too many objects.*saveRDS"):
        read_rdata(FILES / "many.RData", "x1")


def test_an_absent_file():
    with pytest.raises(FileNotFoundError, match=r"absent\.rda"):
        read_rdata(FILES / "absent.rda")


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "is empty"),
        (b"g,y\na,1\n", "is not a data file of R"),
        (gzip.compress(b"g,y\na,1\n"), "is not a data file of R"),
        (b"PK\x03\x04", "is not a data file of R"),
        (b"\x1f\x8b", "damaged or cut off"),
        (b"X\n", "damaged or cut off"),
        (b"RDX3\nX\n\x00\x00\x00\x09", "damaged or cut off"),
    ],
)
def test_what_is_not_a_file_of_r(tmp_path, content, message):
    path = tmp_path / "data.rda"
    path.write_bytes(content)
    with pytest.raises(ValueError, match=rf"data\.rda' .*{message}"):
        read_rdata(path)


@pytest.mark.parametrize("file", KINDS)
def test_a_file_cut_off_anywhere_is_refused(tmp_path, file):
    content = (FILES / file).read_bytes()
    path = tmp_path / file
    for length in range(1, len(content) - 1, 7):
        path.write_bytes(content[:length])
        with pytest.raises(ValueError, match=r"damaged or cut off|is not a data file"):
            read_rdata(path)


def test_a_file_with_one_byte_changed_gives_a_frame_or_one_clear_error(tmp_path):
    content = bytearray((FILES / "kinds_native.rds").read_bytes())
    path = tmp_path / "changed.rds"
    refusals = []
    for position in range(2, len(content), 5):
        changed = content.copy()
        changed[position] ^= 0x15
        path.write_bytes(changed)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            try:
                assert isinstance(read_rdata(path), pd.DataFrame)
            except (ValueError, TypeError) as error:
                refusals.append(str(error))
    assert len(refusals) > 50
    assert [text for text in refusals if "changed.rds" not in text and "enc2utf8" not in text] == []


def test_without_rdata_the_error_says_how_to_install_it(monkeypatch):
    monkeypatch.setitem(sys.modules, "rdata.parser", None)
    with pytest.raises(ImportError, match=r"pip install 'fairness_py\[r\]'"):
        read_rdata(FILES / "kinds.rds")


def test_the_path_may_be_text_and_begin_at_home(monkeypatch):
    monkeypatch.setenv("HOME", str(FILES))
    monkeypatch.setenv("USERPROFILE", str(FILES))
    assert read_rdata("~/latin1.rds").shape == (1, 1)
    assert read_rdata(str(FILES / "latin1.rds")).shape == (1, 1)


@pytest.mark.parametrize("file", ["test_dataframe.rda", "test_dataframe.rds"])
def test_the_files_that_rdata_itself_is_tested_with(file):
    rdata = pytest.importorskip("rdata")
    frame = read_rdata(rdata.TESTDATA_PATH / file)
    assert frame["class"].cat.categories.tolist() == ["a", "b"]
    assert frame["class"].tolist() == ["a", "b", "b"]
    assert frame["value"].tolist() == [1, 2, 3]


def test_the_data_of_the_r_package(real_dir):
    compas = read_rdata(real_dir / "compas.rda")
    assert compas.shape == (6172, 9)
    assert compas["ethnicity"].value_counts(sort=False).to_dict() == {
        "Caucasian": 2103,
        "African_American": 3175,
        "Asian": 31,
        "Hispanic": 509,
        "Native_American": 11,
        "Other": 343,
    }
    assert compas["Female"].cat.categories.tolist() == ["Male", "Female"]
    assert compas.index[:3].tolist() == [4, 5, 7]
    credit = read_rdata(real_dir / "germancredit.RData", "germancredit")
    assert credit.shape == (1000, 23)
    assert credit["BAD"].cat.categories.tolist() == ["BAD", "GOOD"]
    assert credit["Age"].dtype == "int64"
    assert credit["Female"].value_counts().to_dict() == {"Male": 690, "Female": 310}
