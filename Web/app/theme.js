const KEY = "tandem.theme";

/** Says that the colours have changed (`change`): a canvas has to be drawn again. */
export const theme = new EventTarget();

const data = () => theme.dispatchEvent(new Event("change"));
// not shown: a media query
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", data);

/** @returns {"system"|"light"|"dark"} */
export function chosenTheme() {
    const { theme: chosen } = document.documentElement.dataset;
    return chosen === "light" || chosen === "dark" ? chosen : "system";
}

/** @param {"system"|"light"|"dark"} choice  kept in this browser only */
export function chooseTheme(choice) {
    if (choice === "system") delete document.documentElement.dataset.theme;
    else document.documentElement.dataset.theme = choice;
    try {
        if (choice === "system") localStorage.removeItem(KEY);
        else localStorage.setItem(KEY, choice);
    } catch {
        // A browser that keeps nothing forgets the choice with the page.
    }
    data();
}

/** Paints the browser's own bar like the header of the page. */
export function paintBar() {
    document.querySelector('meta[name="theme-color"]')?.setAttribute("content", role("--paint"));
}
theme.addEventListener("change", paintBar);

/**
 * The colour of a role as it is now, such as `role("--mark")`.
 * @param {Element} [at]  where the role is asked for
 */
export function role(name, at = document.body) {
    return getComputedStyle(at).getPropertyValue(name).trim();
}
