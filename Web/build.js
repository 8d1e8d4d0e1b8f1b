/*
 * What `make web` knows of the folders. It writes this file anew; what stands here is its form.
 */

/**
 * What each folder's `screens.js` exports as its default, by the companion's slug.
 * @type {Object<string, object>}
 */
export const companions = {};

/**
 * What each folder's `companion.json` declares, in the order of the navigation.
 * @type {Array<import("./app/declarations.js").Declaration>}
 */
export const declarations = [];

/**
 * Where files are served that no module imports, by their path in the folder of the page.
 * @type {Object<string, string>}
 */
export const addresses = {};
