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
 * How a companion names its band of today: the `today` and `watch` of its `today.js`, loaded by the page that shows it, or
 * when the page has been drawn. Once a page, when the band has been shown, something that nobody waits for.
 * @param {string} slug  the companion's
 * @param {() => Promise<any>} [afterwards]  what it cannot do is tried by the next page
 */
export function laterBand(slug, afterwards) {
    const band = () => import(`${base}${slug}/today.js`);
    const unhurried = (work) => setTimeout(() => work().catch(() => {}), UNHURRIED);
    let isShown = false;
    unhurried(band); // a page without a worker has it then, also when the hub went away
    return {
        today: async (place) => {
            if (!isShown && afterwards) unhurried(afterwards);
            isShown = true;
            return (await band()).today(place);
        },
        watch: (draw, signal) => {
            band().then(({ watch }) => watch(draw, signal), () => {}); // `today` says so
        },
    };
}
