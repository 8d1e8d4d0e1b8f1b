import { base } from "../elements/make.js";
import { session } from "./session.js";

const loaded = new Map();

/**
 * The companions that the hub lists, each with what its folder brings: `screens.js` exports as default
 * `{icon, screens: [{path, open}], today?({signal, fresh}), watch?(draw, signal),
 * settings?({signal, section}), begin?}`; README.md of this folder's parent says what each is.
 * One that cannot be loaded is left out of the house, and the reason goes to the console.
 * @returns {Promise<Array<{slug: string, title: string, path: string, icon: string, screens: Array}>>}
 */
export async function companions() {
    const all = await Promise.all(session.companions.map(load));
    return all.filter((companion) => companion !== null);
}

async function load({ slug, title, path }) {
    if (!loaded.has(slug)) {
        try {
            const { default: brought } = await import(`${base}${slug}/screens.js`);
            loaded.set(slug, brought);
        } catch (error) {
            console.error(`The screens of ${slug} could not be loaded.`, error);
            return null;
        }
    }
    return { slug, title, path, ...loaded.get(slug) };
}
