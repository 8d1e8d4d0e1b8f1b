import subprocess

import pytest
from playwright.sync_api import sync_playwright

import chromium
import tls
from hub import ROOT, TANDEM, Hub, copy_of, prepare


def pytest_configure(config):
    if not TANDEM.exists():
        pytest.exit(f"{TANDEM} is not built: run `make test`, or `swift build`", returncode=2)


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item, call):
    report = (yield).get_result()
    if report.failed:
        for name, value in getattr(item, "funcargs", {}).items():
            if isinstance(value, Hub):
                report.sections.append((f"what {name} printed", value.log[-6000:]))


@pytest.fixture(scope="session")
def prepared(tmp_path_factory):
    """A data folder with one account, signed in, to be copied."""
    return prepare(tmp_path_factory.mktemp("prepared"))


@pytest.fixture
def data(prepared, tmp_path):
    return copy_of(prepared, tmp_path / "data")


@pytest.fixture
def hub(data):
    """A hub of its own, running, signed in."""
    hub = Hub(data).start().signed_in()
    yield hub
    hub.close()


@pytest.fixture
def device(hub):
    return hub.add_device()


@pytest.fixture
def fresh(tmp_path):
    """A hub that nobody has an account on."""
    hub = Hub(tmp_path / "data").start()
    yield hub
    hub.close()


@pytest.fixture
def small_disk(tmp_path):
    """8 MB of real file system."""
    folder = tmp_path / "disk"
    folder.mkdir()
    made = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=8m", "tmpfs", folder], capture_output=True, text=True)
    if made.returncode != 0:
        pytest.skip(f"a file system of 8 MB cannot be mounted here: {made.stderr.strip()}")
    yield folder
    subprocess.run(["umount", "-l", folder], check=True)


@pytest.fixture
def ca(hub, tmp_path):
    """The certificate of the hub's own authority, as a file."""
    return tls.authority(hub, tmp_path)


@pytest.fixture(scope="session")
def launched():
    """Launches Chromium with more arguments; those with the same ones share one, in which each has a context. `is_whole`: all of
    it, for what the headless shell has not, such as sensors, Bluetooth and MIDI."""
    with sync_playwright() as playwright:
        browsers = {}

        def launch(*arguments, is_whole=False):
            key = (is_whole, arguments)
            if key not in browsers or not browsers[key].is_connected():
                options = (chromium.options if is_whole else chromium.headless_shell)(*arguments)
                browsers[key] = playwright.chromium.launch(**options)
            return browsers[key]

        yield launch
        for browser in browsers.values():
            browser.close()


@pytest.fixture(scope="session")
def web():
    folder = ROOT / "web-build"
    if not (folder / "index.html").exists():
        pytest.fail("web-build/ is missing: run `make web`")
    return folder
