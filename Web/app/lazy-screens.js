import { stylesheet } from "../elements/stylesheet.js";

const UNHURRIED = 1500; // milliseconds: the page has been drawn by then

/**
 * How a companion names its screens: they are loaded when one of them is opened first, each with the style sheets that
 * only it wants.
 * @param {() => Promise<object>} load  imports the module that exports every screen
 * @returns {(path: string, name: string, styles?: string[], more?: object) => object}  `name`: what that module
 *   exports; `styles`: as {@link stylesheet} wants them; `more`: of the route
 */
export function lazyScreens(load) {
    return (path, name, styles = [], more = {}) => ({
        path, ...more,
        open: async (place) => {
            const [module] = await Promise.all([load(), ...styles.map(stylesheet)]);
            return module[name](place);
        },
    });
}

/**
 * A companion's `today` that, once a page and when it has been shown, has something done that nobody waits for.
 * @param {(place: object) => Promise<object>} today
 * @param {() => Promise<any>} afterwards  what it cannot do is tried by the next page
 */
export function todayThen(today, afterwards) {
    let isShown = false;
    return (place) => {
        if (!isShown) setTimeout(() => afterwards().catch(() => {}), UNHURRIED);
        isShown = true;
        return today(place);
    };
}
