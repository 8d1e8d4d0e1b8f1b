// Runs before the first paint: a page in the chosen theme never flashes in the other one.
try {
    const theme = localStorage.getItem("tandem.theme");
    if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme;
} catch {
    // A browser that keeps nothing follows the system, as it does without a choice.
}
