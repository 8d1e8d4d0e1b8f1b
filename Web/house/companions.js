import { session } from "./session.js";

let brought = {};

/** Says what each folder's `screens.js` brings, by the companion's slug. */
export function bringCompanions(all) {
    brought = all;
}

/**
 * The companions that the hub lists, each with what its folder brings: `screens.js` exports as default
 * `{icon, screens: [{path, open}], today?({signal, fresh}), watch?(draw, signal),
 * settings?({signal, section}), begin?}`; README.md of this folder's parent says what each is.
 * One without a folder is left out of the house, and the console says so.
 * @returns {Array<{slug: string, title: string, path: string, icon: string, screens: Array, begin?: Begin}>}
 *
 * @typedef {{title: string, says: string, tryTitle?: string, try: () => Promise<string?>, deviceTitle?: string,
 *   device?: () => Promise<string?>}} Begin
 */
export function companions() {
    return session.companions.flatMap(({ slug, title, path }) => {
        if (Object.hasOwn(brought, slug)) return [{ slug, title, path, ...brought[slug] }];
        console.error(`This build has no screens of ${slug}.`);
        return [];
    });
}
