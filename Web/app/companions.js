import { declare } from "./declarations.js";
import { signIn } from "./sign-in.js";

export { declarations } from "./declarations.js";

let brought = {};

/**
 * Says what each folder's `screens.js` brings, by the companion's slug, and what its `companion.json` declares.
 * @param {Object<string, object>} all
 * @param {import("./declarations.js").Declaration[]} declarations
 */
export function bringCompanions(all, declarations) {
    brought = all;
    declare(declarations);
}

/**
 * How a device of a kind is added: what the companion brings for it, otherwise what holds for any device.
 * @param {string} kind  as the hub names it
 * @returns {Promise<import("../devices/device-setup.js").Newcomer?>}  null for what holds for any
 */
export async function newcomerOf(kind) {
    for (const { newcomers } of Object.values(brought)) {
        if (newcomers && Object.hasOwn(newcomers, kind)) return newcomers[kind]();
    }
    return null;
}

/**
 * The page of a companion's at an address that whoever has its link may open, without an account.
 * @param {string} path
 * @returns {{path: string, open: (place: {screen: HTMLElement, signal: AbortSignal, title: (words: string) => void}) => any,
 *   slug: string}?}  null where there is none
 */
export function guestScreen(path) {
    for (const [slug, { guests }] of Object.entries(brought)) {
        const found = (guests ?? []).find((one) => one.path === path);
        if (found) return { ...found, slug };
    }
    return null;
}

/**
 * The companions that the hub lists, each with what its folder brings: `screens.js` exports as default
 * `{icon, screens: [{path, open}], today?({signal, fresh}), watch?(draw, signal),
 * settings?({signal, section}), begin?, newcomers?, guests?}`; README.md of this folder's parent says what each is.
 * One without a folder is left out of the app, and the console says so.
 * @returns {Array<{slug: string, title: string, path: string, icon: string, screens: Array, begin?: Begin}>}
 *
 * @typedef {{title: string, says: string, tryTitle?: string, try: () => Promise<string?>, deviceTitle?: string,
 *   device?: () => Promise<string?>}} Begin
 */
export function companions() {
    return signIn.companions.flatMap(({ slug, title, path }) => {
        if (Object.hasOwn(brought, slug)) return [{ slug, title, path, ...brought[slug] }];
        // not shown: for the console
        console.error(`This build has no screens of ${slug}.`);
        return [];
    });
}
