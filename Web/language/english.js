/*
 * Plural forms of English sentences. `make web` writes this file anew, from the String Catalogs; what stands here is its
 * form.
 */

/** @type {import("./text.js").Catalog} */
export const english = {};
