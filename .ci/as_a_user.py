"""What a user of the wheel does first. The argument is the checkout, which must not be what is imported."""

import sys
from pathlib import Path

import fairness_py

package = Path(fairness_py.__file__).resolve()
assert Path(sys.argv[1]).resolve() not in package.parents, package
assert (package.parent / "py.typed").is_file()
assert (package.parent / "data" / "README.md").is_file()
assert fairness_py.load_germancredit().shape == (1000, 23)

compas = fairness_py.load_compas()
result = fairness_py.equal_odds(compas, "Two_yr_Recidivism", "ethnicity", probs="probability", base="Caucasian")
print(result["Metric"].round(4).to_string())
published = [1.0, 1.5943, 0.5296, 0.9864, 1.2711, 0.8884]  # the README of the R package
assert result["Metric"].loc["Equalized odds"].round(4).tolist() == published
