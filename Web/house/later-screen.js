import { base } from "../elements/make.js";
import { stylesheet } from "../elements/stylesheet.js";

const UNHURRIED = 1500; // milliseconds: the page has been drawn by then

/**
 * How a companion names its screens: each is loaded when it is opened first, with the style sheets that only it wants.
 * @param {string} slug  the companion's
 * @returns {(path: string, file: string, name: string, styles?: string[], more?: object) => object}  `file` and `styles`
 *   in the companion's folder; `name`: what the file exports; `more`: of the route
 */
export function laterScreens(slug) {
    return (path, file, name, styles = [], more = {}) => ({
        path, ...more,
        open: async (place) => {
            const [module] = await Promise.all([
                import(`${base}${slug}/${file}`), ...styles.map((one) => stylesheet(`${slug}/${one}`)),
            ]);
            return module[name](place);
        },
    });
}

/**
 * A companion's band of today; and once a page, when it has been drawn, something that nobody waits for.
 * @param {(place: object) => Promise<object>} band
 * @param {() => Promise<any>} afterwards  what it cannot do is tried by the next page
 */
export function bandFirst(band, afterwards) {
    let isDone = false;
    return (place) => {
        if (!isDone) setTimeout(() => afterwards().catch(() => {}), UNHURRIED);
        isDone = true;
        return band(place);
    };
}
