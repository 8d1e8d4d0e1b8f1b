"""
The page of single modules as they are written, for tests that reach into one of them: `web` in place of the bundle that
all others have.
"""

import pytest

from hub import ROOT


@pytest.fixture(scope="session")
def web():
    return folder()


def folder():
    all = ROOT / "web-modules"
    if not (all / "index.html").exists():
        pytest.fail("web-modules/ is missing: run `scripts/web.sh modules`")
    return all


def module(path):
    """What imports, in a page, the module that the page itself has."""
    return f"import(`/app/${{document.documentElement.dataset.build}}/{path}`)"
