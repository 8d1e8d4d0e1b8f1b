import { sayDeclared } from "../language/text.js";

/** @type {Declaration[]} */
let declared = [];

/**
 * What a companion declares for the shell, also for who has not signed in; README.md of this folder's parent says more.
 * @typedef {{slug: string, title: string, paint: string, capabilities?: string, withoutHTTPS?: string,
 *   instead?: Object<string, string>, gives?: Object<string, string>}} Declaration
 */

/**
 * Takes what each `companion.json` declares, in the language of the page.
 * @param {Declaration[]} all
 */
export function declare(all) {
    const each = (words) => Object.fromEntries(Object.entries(words).map(([name, one]) => [name, sayDeclared(one)]));
    const said = {
        title: sayDeclared, capabilities: sayDeclared, withoutHTTPS: sayDeclared, instead: each, gives: each,
    };
    declared = all.map((one) => /** @type {any} */ (Object.fromEntries(
        Object.entries(one).map(([name, value]) => [name, said[name]?.(value) ?? value]))));
}

/** Of the companions that this build has, in the order of the navigation. */
export const declarations = () => declared;

/**
 * A companion as the hub lists it, with its title in the language of the page.
 * @template {{slug: string, title: string}} Listed
 * @param {Listed} listed
 * @returns {Listed}
 */
export const titled = (listed) => ({ ...listed, title: declared.find(({ slug }) => slug === listed.slug)?.title ?? listed.title });
