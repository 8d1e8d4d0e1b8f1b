import { icon, sign } from "../elements/icon.js";
import { make } from "../elements/make.js";
import { t } from "../language/text.js";

/**
 * The way to the places of the app: a bar under a phone's thumb, a rail on a wide screen. It shows what there is:
 * today, the companions that the hub lists, settings. Nothing in it leads nowhere.
 * @param {Array<{slug: string, title: string, path: string, icon: string}>} companions
 * @returns {{node: HTMLElement, mark: (path: string) => void}}  `mark` sets the place that one is in
 */
export function places(companions) {
    const crowded = companions.length > 3; // five and more targets of 44 px want the whole bar of a 320 px phone
    const all = [
        place("/", t`Today`, "today", "app", ""),
        ...companions.map((one) => place(one.path, one.title, one.icon, one.slug, "")),
        place("/settings", t`Settings`, "settings", "app", `first${crowded ? " wide-only" : ""}`),
    ];
    const onBar = crowded ? all.slice(0, -1) : all;
    const letters = onBar.reduce((sum, link) => sum + link.textContent.length, 0);
    const node = make("nav", { class: "places", "aria-label": t`Places`, vars: { places: onBar.length, letters } },
        make("a", { class: "mark-home", href: "/", "aria-label": t`Tandem, today` }, sign(44)), all);
    const mark = (path) => {
        for (const link of all) {
            const here = link.getAttribute("href");
            if (here === "/" ? path === "/" : path === here || path.startsWith(`${here}/`)) {
                link.setAttribute("aria-current", "page");
            } else link.removeAttribute("aria-current");
        }
    };
    return { node, mark };
}

function place(href, word, iconName, companion, more) {
    return make("a", { class: `place ${more}`.trim(), data: { companion }, href }, icon(iconName), word);
}
