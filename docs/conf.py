"""Settings of Sphinx for the book; ``book.py`` lays out its pages and runs it."""

from importlib.metadata import version as version_of

project = "knnviz"
author = "The knnviz authors"
version = release = version_of("knnviz")
project_copyright = ""

extensions = ["myst_nb", "sphinx.ext.autodoc", "sphinx.ext.mathjax", "numpydoc"]

# Notebooks have been run.
nb_execution_mode = "off"
myst_enable_extensions = ["dollarmath", "amsmath"]
myst_dmath_double_inline = True
myst_heading_anchors = 4

autodoc_member_order = "bysource"
autodoc_typehints = "none"
autodoc_default_options = {
    "exclude-members": "set_fit_request, set_predict_request, set_score_request"
}
numpydoc_class_members_toctree = False
numpydoc_show_class_members = False

# One file, without fonts to load: formulas are drawn as paths.
mathjax_path = "tex-svg.js"

html_theme = "sphinx_book_theme"
html_title = "k nearest neighbors"
html_css_files = ["knnviz.css"]
html_js_files = ["knnviz.js"]
html_copy_source = False
html_show_sourcelink = False
html_use_index = html_domain_indices = False
# Summaries would be read from the pages, which a browser refuses without a server.
html_show_search_summary = False
html_sidebars = {"**": ["search-button-field.html", "sbt-sidebar-nav.html"]}
html_context = {"default_mode": "auto"}
html_theme_options = {
    "use_download_button": False,
    "use_fullscreen_button": False,
    # On a phone it would cover what is read.
    "back_to_top_button": False,
    "collapse_navigation": True,
    "home_page_in_toc": True,
    "navbar_persistent": [],
    "secondary_sidebar_items": [],
}
