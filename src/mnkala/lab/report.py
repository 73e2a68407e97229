"""The report: one self-contained page (`report_html.py`), and Markdown with its pictures beside it (`report_markdown.py`), both from
`report_model.py`. Every number in it comes from the data file."""

from __future__ import annotations

from mnkala.lab.report_html import Html, page, section, shown, write_page
from mnkala.lab.report_markdown import write_markdown
from mnkala.lab.report_model import about_data, environment, gaps, summary

__all__ = ["Html", "about_data", "environment", "gaps", "page", "section", "shown", "summary", "write_markdown", "write_page"]
