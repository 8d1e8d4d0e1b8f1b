"""How Chromium is started: Debian's, without what a test has no use for."""

PATH = "/usr/bin/chromium"

# Playwright's own list, which a second one replaces, and the two pages that Chromium loads for the suggestions of its
# address bar with each window: they take as long as most pages here.
_WITHOUT = (
    "AvoidUnnecessaryBeforeUnloadCheckSync,DestroyProfileOnBrowserClose,HttpsUpgrades,HttpsFirstBalancedModeAutoEnable,"
    "LensOverlay,MediaRouter,PaintHolding,ThirdPartyStoragePartitioning,AvoidCorsURLLoaderRestartOnRedirect,"
    "OptimizationHints,NetworkTimeServiceQuerying,AimEnabled,PreconnectToSearch,"
    "WebUIOmniboxPopup,WebUIOmniboxAimPopup"
)


def options(*arguments):
    """For `launch` and `launch_persistent_context`."""
    return {"executable_path": PATH, "args": ["--no-sandbox", f"--disable-features={_WITHOUT}", *arguments]}
