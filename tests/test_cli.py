"""The command: tables, plots, and one clear line where an argument is wrong."""

import re
import subprocess
import sys

import pandas as pd
import pytest

from fairness_py._cli import R_FUNCTIONS, main


@pytest.fixture
def loans(tmp_path):
    """Eight people in a CSV file; one group is called NA in R's sense, missing."""
    path = tmp_path / "loans.csv"
    path.write_text("g,y,p,h\na,1,.9,1\na,1,.4,0\na,0,.6,1\na,0,.2,0\nb,1,.8,1\nb,0,.7,1\nb,0,.1,0\nb,0,.3,0\n")
    return path


def test_without_arguments_all_eleven_metrics_are_printed_and_drawn(tmp_path, capsys):
    assert main(["--output", str(tmp_path / "plots")]) == 0
    printed = capsys.readouterr()
    for name in R_FUNCTIONS:
        assert f"{name}\n" in printed.out
        assert (tmp_path / "plots" / f"{name}_Metric_plot.png").read_bytes().startswith(b"\x89PNG")
    assert (tmp_path / "plots" / "Probability_plot.png").exists()
    assert (tmp_path / "plots" / "roc_parity_ROCAUC_plot.png").exists()
    assert "0.4720" in printed.out  # the sensitivity that the R package prints
    assert "invented" in printed.out
    assert str(tmp_path / "plots") in printed.out
    assert printed.err == ""


def test_a_file_of_the_user(loans, capsys):
    assert main([str(loans), *"--outcome y --group g --probs p --metrics equal_odds --no-plots".split()]) == 0
    table = capsys.readouterr().out
    assert re.search(r"Sensitivity +0\.5000 +1\.0000\n", table)
    assert re.search(r"Equalized odds +1\.0000 +2\.0000\n", table)
    assert re.search(r"Group size +4 +4\n", table)
    assert "plots written" not in table


def test_labels_in_place_of_probabilities_leave_the_roc_out(loans, capsys):
    assert main([str(loans), *"--outcome y --group g --preds h --no-plots".split()]) == 0
    printed = capsys.readouterr().out
    assert "acc_parity" in printed
    assert "roc_parity" not in printed


@pytest.mark.parametrize("ending", ["parquet", "tsv", "csv.gz"])
def test_other_files(loans, tmp_path, capsys, ending):
    data = pd.read_csv(loans)
    path = tmp_path / f"loans.{ending}"
    if ending == "parquet":
        data.to_parquet(path)
    else:
        data.to_csv(path, sep="\t" if ending == "tsv" else ",", index=False)
    assert main([str(path), *"--outcome y --group g --preds h --metrics acc_parity --no-plots".split()]) == 0
    assert "0.7500" in capsys.readouterr().out  # 3 of 4 of group b


def test_an_r_file(real_dir, capsys):
    arguments = "--outcome Two_yr_Recidivism --group ethnicity --probs probability --metrics equal_odds --no-plots"
    assert main([str(real_dir / "compas.rda"), *arguments.split()]) == 0
    assert "0.7526" in capsys.readouterr().out


def test_breaks_base_and_intervals(loans, tmp_path, capsys):
    data = pd.read_csv(loans).assign(age=[20, 30, 40, 50, 20, 30, 40, 50])
    data.to_csv(tmp_path / "aged.csv", index=False)
    arguments = ["--outcome", "y", "--group", "age", "--preds", "h", "--metrics", "acc_parity", "--no-plots"]
    file = str(tmp_path / "aged.csv")
    assert main([file, *arguments, "--group-breaks", "10,30,60", "--base", "(30,60]", "--conf-level", ".9"]) == 0
    printed = capsys.readouterr().out
    assert printed.index("(30,60]") < printed.index("(10,30]")
    assert "90 % interval" in printed


def test_several_columns_make_combined_groups(capsys):
    assert main(["--group", "ethnicity", "Female", "--metrics", "prop_parity", "--no-plots"]) == 0
    assert "African_American.Female" in capsys.readouterr().out


def test_calibration_needs_no_level(capsys):
    assert main("--metrics calibration_within_groups --no-plots".split()) == 0
    assert "Brier score" in capsys.readouterr().out


def test_outcome_levels_say_which_level_the_probabilities_describe(loans, capsys):
    arguments = "--outcome y --group g --probs p --metrics prop_parity equal_odds --no-plots --outcome-levels 1 0"
    assert main([str(loans), *arguments.split()]) == 0
    # probabilities now describe 0: of group a, .9 .4 .6 .2 for 1 1 0 0, of the outcomes 0 one is above one half
    assert re.search(r"Sensitivity +0\.5000 +0\.3333\n", capsys.readouterr().out)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ("--metrics fnr", "Did you mean 'fnr_parity'?"),
        (
            "--group etnicity",
            "--group must name a column of the bundled data; there is no column 'etnicity'. Did you mean",
        ),
        ("--group Female Female", "--group must name different columns, got 'Female', 'Female'."),
        ("--outcome yes", "--outcome must name a column of the bundled data; there is no column 'yes'."),
        ("--outcome yes --outcome-levels no yes", "--outcome must name a column of the bundled data; there is no"),
        ("--outcome ethnicity", "--outcome must name a column with two levels; ethnicity has 6: 'Caucasian',"),
        ("--outcome probability", "two of them by --outcome-levels."),
        ("--probs proba", "Did you mean 'probability'?"),
        ("--preds proba", "--preds must name a column of the bundled data; there is no column 'proba'."),
        ("--cutoff 2", "--cutoff must be a number between 0 and 1, got 2."),
        ("--cutoff nan", "--cutoff must be a number between 0 and 1, got nan."),
        ("--cutoff high", "--cutoff"),
        ("--base Martian", "--base must be one of the groups 'Caucasian',"),
        ("--base asian", "got 'asian'. Did you mean 'Asian'?"),
        ("--outcome-base maybe", "--outcome-base must be one of the outcome's levels 'no', 'yes', got 'maybe'."),
        ("--group-breaks few", "--group-breaks must be"),
        (
            "--conf-level 95",
            "--conf-level must be a number between 0 and 1, such as 0.95, got 95. For 95 percent, give 0.95.",
        ),
        ("--conf-level 1", "--conf-level must be a number between 0 and 1, such as 0.95, got 1. ("),
        ("nowhere.csv", "nowhere.csv"),
        ("nowhere.xlsx", ".csv, .tsv, .parquet"),
        ("--preds predicted --metrics roc_parity", "Probs have to be supplied"),
        ("--no-such-option", "--no-such-option"),
        ("--outcome-levels yes maybe", "--outcome-levels must be two levels of Two_yr_Recidivism: 'yes', 'no'"),
    ],
)
def test_a_wrong_argument_prints_one_line_and_exits_2(capsys, arguments, said):
    with pytest.raises(SystemExit) as stop:
        main([*arguments.split(), "--no-plots"])
    assert stop.value.code == 2
    error = capsys.readouterr().err
    assert said in error
    assert error.count("\n") == 1
    assert "vector" not in error


def test_the_way_out_of_an_outcome_of_several_levels_leads_out(capsys):
    arguments = "--outcome ethnicity --outcome-levels Asian Other --group Female --metrics equal_odds --no-plots"
    assert main(arguments.split()) == 0
    printed = capsys.readouterr()
    assert "Sensitivity" in printed.out
    assert "5798 of 6172 rows were left out: outcome is missing in 5798." in printed.err


def test_a_file_needs_its_columns_named(loans, capsys):
    with pytest.raises(SystemExit):
        main([str(loans), "--outcome", "y"])
    assert "--group must name a column" in capsys.readouterr().err
    with pytest.raises(SystemExit):
        main([str(loans), "--outcome", "y", "--group", "g"])
    assert f"--probs or --preds must name a column of {loans}: 'g', 'y', 'p', 'h'." in capsys.readouterr().err


def test_it_runs_as_a_module_and_repeats_no_warning(tmp_path, loans):
    data = pd.read_csv(loans)
    data.loc[0, "p"] = None
    data.to_csv(loans, index=False)
    command = [sys.executable, "-m", "fairness_py", str(loans), *"--outcome y --group g --probs p --no-plots".split()]
    done = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path, check=False)
    assert done.returncode == 0
    assert done.stderr.count("1 of 8 rows were left out: probs are missing in 1.") == 1
    assert "Traceback" not in done.stderr
    helped = subprocess.run([*command[:3], "--help"], capture_output=True, text=True, cwd=tmp_path, check=True)
    assert "examples:" in helped.stdout
