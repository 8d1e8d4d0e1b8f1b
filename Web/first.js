// Runs before the first paint.
{
    // A page in the chosen theme never flashes in the other one.
    try {
        const theme = localStorage.getItem("tandem.theme");
        if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme;
    } catch {
        // A browser that keeps nothing follows the system, as it does without a choice.
    }

    // What a companion's screens are made of is asked for with the page, and not once that has begun. `make web` puts in
    // which files these are.
    const screens = "{{SCREENS}}";
    for (const href of screens[location.pathname.split("/")[1]] ?? []) {
        const link = document.createElement("link");
        link.rel = "modulepreload";
        link.href = href;
        document.head.append(link);
    }
}
