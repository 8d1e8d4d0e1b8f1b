/*
 * Sentences in the language of whoever reads them. They are written in English where they are used, t`${name} wants water.`,
 * and that sentence, with %@ in the place of what stands in it, is the key of the others (Localizable.xcstrings, a String
 * Catalog). The hub's sentences work the same way (Platform/Localization).
 */

/**
 * @typedef {string | Partial<Record<Intl.LDMLPluralRule, string>>} Translation  by the category of the first number
 * @typedef {Record<string, Translation>} Catalog
 */

/** @type {{tag: string, catalog: Catalog, rules: Intl.PluralRules?, numbers: Intl.NumberFormat?}} */
const reader = { tag: "en", catalog: {}, rules: null, numbers: null };

/** The language that the page speaks, as BCP 47 names it. */
export const language = () => reader.tag;

/**
 * From here on sentences are in this language.
 * @param {string} tag
 * @param {Catalog} catalog  with its plural forms; a sentence that is not in it stays English
 */
export function speak(tag, catalog) {
    Object.assign(reader, { tag, catalog, rules: null, numbers: null });
}

/**
 * A sentence. Numbers in it are written as the language writes them, and the first of them decides between one and many.
 * @param {TemplateStringsArray} parts
 * @param {...(string | number)} values
 */
export function t(parts, ...values) {
    const key = parts.map((part) => part.replaceAll("%", "%%")).join("%@");
    const found = reader.catalog[key] ?? key;
    return filled(typeof found === "string" ? found : form(found, values) ?? key, values);
}

/**
 * A sentence that a companion declares in its `companion.json`: the one place from which sentences come as data.
 * @param {string} words  English
 */
export function sayDeclared(words) {
    return t(/** @type {any} */ ([words]));
}

/** @param {Partial<Record<Intl.LDMLPluralRule, string>>} forms */
function form(forms, values) {
    const count = values.find((value) => typeof value === "number");
    return (count === undefined ? undefined : forms[category(count)]) ?? forms.other;
}

/** Not by `Intl` where one is one and all else is many: its first use costs a slow phone 120 ms. */
function category(count) {
    if (reader.tag === "en" || reader.tag === "de") return count === 1 ? "one" : "other";
    reader.rules ??= new Intl.PluralRules(reader.tag);
    return reader.rules.select(count);
}

/** @param {string} format  `%@` is the next value, `%2$@` the second, `%%` a percent sign */
function filled(format, values) {
    let next = 0;
    return format.replace(/%(?:%|@|(\d{1,2})\$@)/g, (mark, position, at) => {
        if (mark === "%%") return "%";
        const value = values[position === undefined ? next++ : Number(position) - 1] ?? "";
        const words = typeof value === "number" ? number(value) : String(value);
        // The point of an abbreviation, as in "18 Std.", is that of the sentence too.
        const isPointed = words.endsWith(".") && !words.endsWith("..") && /^\.(?!\.)/.test(format.slice(at + mark.length));
        return isPointed ? words.slice(0, -1) : words;
    });
}

/**
 * A number as people read it: "5,400" and "−21.3", or "5.400" and "−21,3". Its minus is a true one, and none stands before
 * nought.
 * @param {number} value
 * @param {number} [decimals]  at most so many
 */
export function number(value, decimals = 3) {
    const words = unsigned(Math.abs(value), decimals);
    return value < 0 && Number(value.toFixed(decimals)) !== 0 ? `−${words}` : words;
}

function unsigned(value, decimals) {
    const [group, point] = reader.tag === "en" ? [",", "."] : reader.tag === "de" ? [".", ","] : [null, null];
    if (group === null) {
        reader.numbers ??= new Intl.NumberFormat(reader.tag, { maximumFractionDigits: 3 });
        return decimals === 3 ? reader.numbers.format(value)
            : value.toLocaleString(reader.tag, { maximumFractionDigits: decimals });
    }
    const [whole, fraction = ""] = Number(value).toFixed(decimals).split(".");
    const rest = fraction.replace(/0+$/, "");
    return whole.replace(/\B(?=(\d{3})+$)/g, group) + (rest && `${point}${rest}`);
}

/**
 * Several names in one sentence: "Mila, Theo and Ines".
 * @param {string[]} names
 */
export function listed(names) {
    if (names.length < 2) return names[0] ?? "";
    return t`${names.slice(0, -1).join(", ")} and ${names.at(-1)}`;
}
