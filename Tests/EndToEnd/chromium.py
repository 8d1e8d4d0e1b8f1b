"""How Chromium is started: Debian's, without what a test has no use for."""

PATH = "/usr/bin/chromium"
# Chromium without the windows, tabs and profiles that people see: a page in it takes 0.6 of the processor time.
HEADLESS_SHELL = "/usr/bin/chromium-headless-shell"

# Playwright's own list, which a second one replaces, and the two pages that Chromium loads for the suggestions of its
# address bar with each window: they take as long as most pages here.
_WITHOUT = (
    "AvoidUnnecessaryBeforeUnloadCheckSync,DestroyProfileOnBrowserClose,HttpsUpgrades,HttpsFirstBalancedModeAutoEnable,"
    "LensOverlay,MediaRouter,PaintHolding,ThirdPartyStoragePartitioning,AvoidCorsURLLoaderRestartOnRedirect,"
    "OptimizationHints,NetworkTimeServiceQuerying,AimEnabled,PreconnectToSearch,"
    "WebUIOmniboxPopup,WebUIOmniboxAimPopup"
)


def options(*arguments, path=PATH):
    """For `launch` and `launch_persistent_context`."""
    return {"executable_path": path, "args": ["--no-sandbox", f"--disable-features={_WITHOUT}", *arguments]}


def headless_shell(*arguments):
    """For `launch`, where nothing but pages is wanted."""
    return options(*arguments, path=HEADLESS_SHELL)
