// Runs before the first paint.
{
    // A page in the chosen theme never flashes in the other one.
    try {
        const theme = localStorage.getItem("tandem.theme");
        if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme;
    } catch {
        // A browser that keeps nothing follows the system, as it does without a choice.
    }

    // What the place that is opened wants besides the shell is asked for now, and not layer by layer once that has
    // begun. `make web` puts in which modules these are.
    const places = "{{PLACES}}";
    for (const path of places[location.pathname] ?? []) {
        const link = document.createElement("link");
        link.rel = "modulepreload";
        link.href = new URL(path, document.currentScript.src).pathname;
        document.head.append(link);
    }
}
