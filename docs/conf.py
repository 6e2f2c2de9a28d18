"""How Sphinx builds the site: python -m sphinx -W -n docs docs/_build/html."""

import shutil
import sys
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent)]

import numpydoc.xref  # noqa: E402
import reference_pages  # noqa: E402
from docutils import nodes  # noqa: E402
from sphinx.domains.python import PyXRefRole  # noqa: E402
from sphinx.roles import XRefRole  # noqa: E402

import fairness_py  # noqa: E402

project = "fairness_py"
author = "fairness_py authors"
project_copyright = author
release = version = fairness_py.__version__

extensions = [
    "sphinx.ext.autodoc",
    "sphinx.ext.autosummary",
    "sphinx.ext.viewcode",
    "numpydoc",
    "myst_nb",
    "sphinx_copybutton",
    "sphinx_design",
]
exclude_patterns = ["_build"]
nitpicky = True
show_warning_types = True

# ---- pages

html_theme = "pydata_sphinx_theme"
html_title = f"fairness_py {release}"
html_static_path = ["_static"]
html_css_files = ["custom.css"]
html_copy_source = False
html_show_sourcelink = False
html_theme_options = {
    "logo": {"text": "fairness_py"},
    "navbar_align": "left",
    "show_prev_next": False,
    "secondary_sidebar_items": ["page-toc"],
    "footer_start": ["copyright"],
    "footer_end": ["sphinx-version"],
    "pygments_light_style": "a11y-high-contrast-light",
    "pygments_dark_style": "a11y-high-contrast-dark",
}
html_sidebars = {name: [] for name in ("index", "news", "contributing", "data", "vignettes/fairness")}

# ---- docstrings

autodoc_typehints = "none"  # the docstrings tell the types in words
autosummary_generate = False
maximum_signature_line_length = 60  # one argument a line, as R shows a usage
add_function_parentheses = False
add_module_names = False
toc_object_entries = False
default_role = "name"
numpydoc_show_class_members = False
numpydoc_xref_param_type = True
numpydoc_xref_ignore = "all"  # but for the aliases
numpydoc.xref.DEFAULT_LINKS.clear()  # they lead to other sites, of which nothing is fetched
numpydoc_xref_aliases = reference_pages.CLASSES
numpydoc_validation_checks = {"all"} | {
    "ES01",  # an extended summary, which the line "Formula" may replace
    "GL01",  # the text starts on the line of the quotes
    "SA04",  # the names in See Also say what they do
    "RT05",  # a description may end with a table
}
numpydoc_validation_exclude = set(reference_pages.CLASSES)  # users do not make them; the methods are short

# ---- Markdown and notebooks

nb_execution_mode = "off"  # the outputs are those stored, which vignettes/run.py --check holds true
myst_enable_extensions = ["colon_fence", "deflist", "dollarmath"]
myst_heading_anchors = 3
copybutton_prompt_text = r">>> |\.\.\. |\$ "
copybutton_prompt_is_regexp = True

#: Where the links of the included files point on the site.
LINKS = {
    "](NEWS.md)": "](/news.md)",
    "](CONTRIBUTING.md)": "](/contributing.md)",
    "](data/README.md)": "](/data.md)",
    "](docs/how_large.md)": "](/how_large.md)",
}

#: Pages that docstrings name by their titles.
PAGES = {"How large can it get": "/how_large"}


def write_pages(app: Any) -> None:
    """Copy the vignettes, and write the reference with the plots of its examples."""
    copies = HERE / "vignettes"
    copies.mkdir(exist_ok=True)
    for old in copies.glob("*.ipynb"):
        if not (HERE.parent / "vignettes" / old.name).exists():
            old.unlink()
    for notebook in sorted((HERE.parent / "vignettes").glob("*.ipynb")):
        shutil.copy2(notebook, copies)
    reference_pages.write(HERE / "reference")


def point_links_at_pages(app: Any, path: Path, document: str, content: list[str]) -> None:
    for link, page in LINKS.items():
        content[0] = content[0].replace(link, page)


def hide_constructor(app: Any, kind: str, name: str, *_: Any) -> tuple[str, None] | None:
    """Show a class that calls return without its constructor, which users do not call."""
    return ("", None) if name in reference_pages.CLASSES.values() else None


def name_role(
    role: str, rawtext: str, text: str, lineno: int, inliner: Any, options: Any = None, content: Any = ()
) -> tuple[list[nodes.Node], list[Any]]:
    """What stands between single backquotes in a docstring: a link if it is a public name or a page, else code."""
    if text in PAGES:
        return XRefRole(innernodeclass=nodes.inline, warn_dangling=True)(
            "std:doc", f":doc:`{text}`", f"{text} <{PAGES[text]}>", lineno, inliner, {}, []
        )
    if text not in fairness_py.__all__:
        return [nodes.literal(rawtext, text)], []
    return PyXRefRole()("py:obj", f":py:obj:`{text}`", f"~fairness_py.{text}", lineno, inliner, {}, [])


def setup(app: Any) -> None:
    app.add_role("name", name_role)
    app.connect("builder-inited", write_pages)
    app.connect("include-read", point_links_at_pages)
    app.connect("autodoc-process-signature", hide_constructor)
