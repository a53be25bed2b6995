"""How nbconvert makes pages: ``jupyter nbconvert --config notebooks/export/config.py --to html notebooks/*.ipynb``."""

from pathlib import Path

c = get_config()  # noqa: F821 - nbconvert gives it

c.HTMLExporter.template_name = "lesson"
c.HTMLExporter.extra_template_basedirs = [str(Path(__file__).parent)]
