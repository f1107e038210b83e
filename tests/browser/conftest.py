"""The browser that all these tests use."""

from __future__ import annotations

import os
import shutil

import pytest
from playwright.sync_api import sync_playwright

NAMES = ("chromium", "chromium-browser", "google-chrome")


@pytest.fixture(scope="session")
def chromium():
    path = os.environ.get("TOWERS_CHROMIUM") or next(filter(None, map(shutil.which, NAMES)), None)
    assert path, f"no browser: install one of {', '.join(NAMES)}, or set TOWERS_CHROMIUM to its path"
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=["--no-sandbox"])
        yield browser
        browser.close()
