#!/usr/bin/env node
// Finds the sentences of the page and of the hub, and what is not translated.
//
//   scripts/strings.mjs check            says what is missing, left over or not marked at all. Exit code 1: there is something
//   scripts/strings.mjs update           puts what is missing into the catalogs as "new", and takes out what is left over
//
// A sentence of the page is t`...`, one of the hub LocalizedText("..."), localized("...") or in a Problem; and what a
// companion.json and the web manifest say is one. The catalog of a folder is the nearest Localizable.xcstrings above (Web/, Companions/<Name>/Web/, Platform/HubKit/,
// Platform/HubServer/, Platform/Features/<Name>/, Companions/<Name>/Hub/).
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

const root = resolve(dirname(fileURLToPath(import.meta.url)), "..");
const CATALOG = "Localizable.xcstrings";
const DECLARATION = "companion.json";
const MANIFEST = "manifest.webmanifest";
/** What every catalog is complete in. Others may be there as far as somebody has come. */
const COMPLETE = ["de"];
const UNITS = /^(?:[\d\s.,:;–—−+×·/°%…|()[\]{}#*?!&<>=_-]|Bluetooth|Wi-Fi|MQTT|MIDI|QR|GPS|BPM|kB|MB|GB|ms|min|cm|kg|mA|mV|kPa|hPa|Hz|CSV|JSON|PDF|Tandem|\bn\b)*$/u;

/**
 * Where sentences stand in Swift: the only argument of a LocalizedText, those of a Problem that are literals without a label,
 * of which the first of `field` is the name of an input, and what a companion declares, by its labels.
 */
const SENTENCES = [
    { call: /\bLocalizedText\(/g, skipped: 0 },
    { call: /\blocalized\(/g, skipped: 0 },
    { call: /\bProblem\(/g, skipped: 0 },
    { call: /\.field\(/g, skipped: 1 },
    { call: /\.notFound\(/g, skipped: 0 },
    { call: /\b(?:DeviceKind|ReminderKind|OutboundUse)\(/g, skipped: 0, label: /^(?:title|words):\s*/ },
    { call: /\bEntity\.Owner\(/g, skipped: 0, label: /^kind:\s*/ },
];

/** Calls that show what they are given, and from which argument on. */
const SHOWING = {
    make: 2, fill: 1, text: 1, toast: 0, section: 0, sayingSkeleton: 0, title: 0, button: 0, iconButton: 0, readout: 0, "*.fillText": 0, "*.append": 0,
    "*.replaceChildren": 0,
};

/** Properties that are shown, wherever they stand: what a screen's header, a button, a field or a question is given. */
const SHOWN = /^["']?(say|lead|word|words|label|hint|title|yes|no|placeholder|aria-label)["']?$/;

const [command] = process.argv.slice(2);
const folders = catalogFolders();
if (command === "check" || command === "update") process.exitCode = check(command === "update") ? 0 : 1;
else {
    console.error("strings.mjs check | update");
    process.exit(64);
}

function catalogFolders() {
    const companions = entries("Companions").flatMap((name) =>
        ["Web", "Hub"].map((part) => join("Companions", name, part)));
    const modules = ["Platform", "Platform/Features"].flatMap((folder) =>
        entries(folder).filter((name) => name !== "Features").map((name) => join(folder, name)));
    return ["Web", ...modules, ...companions]
        .filter((folder) => existsSync(join(root, folder)));
}

function entries(folder) {
    return existsSync(join(root, folder)) ? readdirSync(join(root, folder)) : [];
}

function* files(folder, ending) {
    for (const entry of readdirSync(join(root, folder), { withFileTypes: true })) {
        const path = join(folder, entry.name);
        if (entry.isDirectory()) { if (entry.name !== "Tests") yield* files(path, ending); }
        else if (entry.name.endsWith(ending)) yield path;
    }
}

function read(folder) {
    const path = join(root, folder, CATALOG);
    return existsSync(path) ? JSON.parse(readFileSync(path, "utf8")) : { sourceLanguage: "en", strings: {}, version: "1.0" };
}

/** @returns {boolean} whether all is well */
function check(mayWrite) {
    const problems = findProblems(mayWrite);
    for (const problem of problems) console.log(problem);
    if (problems.length > 0) console.error(`${problems.length} to do.`);
    return mayWrite || problems.length === 0;
}

/** @returns {Array<string>} what is missing, left over or not marked at all */
function findProblems(mayWrite) {
    const problems = differing();
    for (const folder of folders) {
        const found = new Map();
        const note = (key, place) => { if (!found.has(key)) found.set(key, place); };
        for (const path of files(folder, ".js")) page(path, note, problems);
        if (existsSync(join(root, folder, DECLARATION))) declaration(join(folder, DECLARATION), note);
        if (existsSync(join(root, folder, MANIFEST))) {
            note(JSON.parse(readFileSync(join(root, folder, MANIFEST), "utf8")).description, join(folder, MANIFEST));
        }
        for (const path of files(folder, ".swift")) hub(path, note, problems);
        for (const path of files(folder, ".txt")) song(path, note);
        if (!existsSync(join(root, folder, CATALOG)) && found.size === 0) continue;
        const catalog = read(folder);
        for (const [key, place] of found) {
            const entry = catalog.strings[key] ??= {};
            for (const tag of COMPLETE) {
                const made = entry.localizations?.[tag];
                if (!made) problems.push(`${place}: not in ${tag}: ${key}`);
                else for (const text of texts(made)) {
                    if (!fits(text, key)) problems.push(`${place}: other placeholders in ${tag}: ${key}`);
                }
            }
        }
        for (const key of Object.keys(catalog.strings)) {
            if (found.has(key)) continue;
            problems.push(`${join(folder, CATALOG)}: nobody says: ${key}`);
            delete catalog.strings[key];
        }
        if (mayWrite) write(folder, catalog);
    }
    return problems;
}

/** The page has one file a language, in which a sentence stands once. @returns {Array<string>} what two folders say otherwise */
function differing() {
    const first = new Map();
    const problems = [];
    for (const folder of folders.filter((name) => name.endsWith("Web"))) {
        for (const [key, { localizations = {} }] of Object.entries(read(folder).strings)) {
            for (const [tag, made] of Object.entries(localizations)) {
                const said = texts(made).join(" / ");
                const before = first.get(`${tag} ${key}`) ?? { said, folder };
                first.set(`${tag} ${key}`, before);
                if (before.said !== said) problems.push(`${join(folder, CATALOG)}: in ${tag} other than in ${before.folder}: ${key}`);
            }
        }
    }
    return problems;
}

function write(folder, catalog) {
    const strings = Object.fromEntries(Object.entries(catalog.strings).sort(([a], [b]) => (a < b ? -1 : 1)));
    // As Apple's tools write it, so that a translator's editor changes a line and not the file.
    const text = JSON.stringify({ ...catalog, strings }, null, 2).replaceAll(/^(\s*"(?:[^"\\]|\\.)*"): /gm, "$1 : ");
    writeFileSync(join(root, folder, CATALOG), `${text}\n`);
}

function texts({ stringUnit, variations }) {
    return stringUnit ? [stringUnit.value] : Object.values(variations?.plural ?? {}).map((form) => form.stringUnit.value);
}

function placeholders(format) {
    return [...format.matchAll(/%(?:%|@|(\d{1,2})\$@)/g)].filter(([mark]) => mark !== "%%");
}

function fits(text, key) {
    const count = placeholders(key).length;
    let next = 0;
    return placeholders(text).every(([, position]) => (position === undefined ? next++ : Number(position) - 1) < count);
}

// --- The page

function page(path, note, problems) {
    const ts = createRequire(import.meta.url)(["/usr/share/nodejs/typescript", "typescript"].find((place) =>
        !place.startsWith("/") || existsSync(place)));
    const text = readFileSync(join(root, path), "utf8");
    const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true, ts.ScriptKind.JS);
    const place = (node) => `${path}:${source.getLineAndCharacterOfPosition(node.getStart()).line + 1}`;
    const raw = (node) => node.text.replaceAll("%", "%%");
    const visit = (node) => {
        if (ts.isTaggedTemplateExpression(node) && node.tag.getText() === "t") {
            const { template } = node;
            const key = ts.isNoSubstitutionTemplateLiteral(template) ? raw(template)
                : [template.head, ...template.templateSpans.map(({ literal }) => literal)].map(raw).join("%@");
            note(key, place(node));
            if (!ts.isNoSubstitutionTemplateLiteral(template)) {
                for (const { expression } of template.templateSpans) visit(expression);
            }
            return;
        }
        if (isSentence(ts, node, text)) problems.push(`${place(node)}: not marked as a sentence: ${node.getText().replace(/\s+/g, " ").slice(0, 80)}`);
        ts.forEachChild(node, visit);
    };
    visit(source);
}

/** Whether a literal looks like words for people. Above a line of code, `// not shown: why` says that it is none. */
function isSentence(ts, node, text) {
    let words;
    if (ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node)) words = node.text;
    else if (ts.isTemplateExpression(node)) {
        words = [node.head, ...node.templateSpans.map(({ literal }) => literal)].map((part) => part.text).join("\u{fffc}");
    } else return false;
    const { parent } = node;
    if (ts.isImportDeclaration(parent) || ts.isExportDeclaration(parent)) return false;
    if (ts.isTaggedTemplateExpression(parent) || ts.isElementAccessExpression(parent)) return false;
    if (ts.isCallExpression(parent) && parent.expression.kind === ts.SyntaxKind.ImportKeyword) return false;
    if (ts.isNewExpression(parent) && /Error$/.test(parent.expression.getText())) return false;
    if (ts.isPropertyAssignment(parent)) {
        if (parent.name === node) return false;
        if (/^["']?name["']?$/.test(parent.name.getText()) && !isOfHeader(ts, parent)
            || /^["']?(class|className|type|role|kind|icon|id|href|src|d|viewBox|method|credentials|cache|for|rel|autocomplete|inputmode|style|slug|event|transform|points)["']?$/.test(parent.name.getText())) return false;
    }
    if (ts.isBinaryExpression(parent) && /^(===|!==|in)$/.test(parent.operatorToken.getText())) return false;
    if (ts.isCaseClause?.(parent)) return false;
    const spoken = words.replaceAll("\u{fffc}", " ").trim();
    if (UNITS.test(spoken)) return false;
    const line = text.lastIndexOf("\n", text.lastIndexOf("\n", node.getStart()) - 1);
    if (/\/\/ not shown/.test(text.slice(line + 1, text.indexOf("\n", node.getStart())))) return false;
    if (isShown(ts, node) && /\p{L}{2}/u.test(spoken)) return true;
    // Two words, or one that begins as a sentence does.
    return /\p{L}{2,}[,;:.!?…’)”]*\s+[(“]?\p{L}{1,}/u.test(spoken) && !/[{};=<>]|^[a-z-]+(\s[a-z-]+)*$/u.test(spoken)
        || /^[(“]?\p{Lu}\p{Ll}+[.!?…]?$/u.test(spoken);
}

/** Whether a literal is what a call shows, by itself or as one of several that it may show. */
function isShown(ts, node) {
    let one = node;
    for (;;) {
        const { parent } = one;
        const isChoice = ts.isConditionalExpression(parent) && parent.condition !== one
            || ts.isBinaryExpression(parent) && /^(&&|\|\||\?\?)$/.test(parent.operatorToken.getText())
            || ts.isArrayLiteralExpression(parent) || ts.isParenthesizedExpression(parent);
        if (!isChoice) break;
        one = parent;
    }
    const { parent } = one;
    if (ts.isPropertyAssignment(parent)) return SHOWN.test(parent.name.getText()) || isOfHeader(ts, parent);
    if (ts.isBinaryExpression(parent) && parent.right === one) return /\.(textContent|innerText)$/.test(parent.left.getText());
    if (!ts.isCallExpression(parent)) return false;
    const from = SHOWING[parent.expression.getText().replace(/^.*\./, "*.")];
    const [first] = parent.arguments;
    if (from === undefined || parent.arguments.indexOf(one) < from) return false;
    // What button() and the like take first is the word, and then what they look like.
    return from > 0 || one === first || parent.expression.getText().includes(".");
}

/** Whether a property is the name that a header shows, which elsewhere is one for programs. */
function isOfHeader(ts, property) {
    const call = property.parent.parent;
    return property.name.getText() === "name" && ts.isCallExpression(call) && call.expression.getText() === "header";
}

// --- What a companion declares

/** All of its words but names for programs: see Declaration in Web/app/declarations.js. */
function declaration(path, note) {
    const { title, capabilities, withoutHTTPS, instead, gives } = JSON.parse(readFileSync(join(root, path), "utf8"));
    const words = [title, capabilities, withoutHTTPS, ...Object.values(instead ?? {}), ...Object.values(gives ?? {})];
    for (const one of words) if (one) note(one.replaceAll("%", "%%"), path);
}

// --- The hub

function hub(path, note, problems) {
    const text = readFileSync(join(root, path), "utf8");
    for (const { call, skipped, label } of SENTENCES) {
        for (const match of text.matchAll(call)) {
            const places = swiftArguments(text, match.index + match[0].length).slice(skipped)
                .map((at) => (label ? at + (label.exec(text.slice(at))?.[0].length ?? 0) : at));
            for (const at of places.filter((place) => text[place] === '"')) {
                const line = text.slice(0, at).split("\n").length;
                const key = swiftKey(text, at);
                if (key === null) problems.push(`${path}:${line}: this literal cannot be read; write it plainly`);
                else if (key !== "%@") note(key, `${path}:${line}`); // a name is the same in all languages
            }
        }
    }
}

/** What a song of the library is called, where it comes from, and whose it is where it is nobody's: a tradition. Names of people are the same in all languages. */
function song(path, note) {
    const text = readFileSync(join(root, path), "utf8");
    for (const line of [/^title: (.*)$/m, /^composer: (Traditional.*)$/m, /^source: (.*)$/m]) {
        const [, words] = line.exec(text) ?? [];
        if (words) note(words.replaceAll("%", "%%"), path);
    }
}

/** Where the arguments of a call begin, without their labels' own: an argument with a label begins with it. */
function swiftArguments(text, start) {
    const end = closing(text, start) ?? start;
    const places = [];
    for (let at = start; at < end;) {
        while (/\s/.test(text[at])) at += 1;
        if (at < end) places.push(at);
        at = nextComma(text, at, end) + 1;
    }
    return places;
}

/** The comma after an argument that begins at a position; `end` after the last. */
function nextComma(text, start, end) {
    let depth = 0;
    for (let at = start; at < end; at += 1) {
        if (text.startsWith('"""', at)) at = text.indexOf('"""', at + 3) + 2;
        else if (text[at] === '"') {
            for (at += 1; at < end && text[at] !== '"'; at += 1) {
                if (text[at] !== "\\") continue;
                if (text[at + 1] === "(") at = closing(text, at + 2) ?? end;
                else at += 1;
            }
        } else if ("([{".includes(text[at])) depth += 1;
        else if (")]}".includes(text[at])) depth -= 1;
        else if (text[at] === "," && depth === 0) return at;
    }
    return end;
}

/** The key of a Swift literal that begins at a position: one line, or several between three quotes. */
function swiftKey(text, start) {
    const isLong = text.startsWith('"""', start);
    let at = start + (isLong ? 3 : 1);
    let key = "";
    while (at < text.length) {
        if (text.startsWith(isLong ? '"""' : '"', at)) return isLong ? unindented(key) : key;
        if (text[at] === "\n" && !isLong) return null;
        if (text[at] === "\\") {
            const next = text[at + 1];
            if (next === "(") {
                const end = closing(text, at + 2);
                if (end === null) return null;
                key += "%@";
                at = end + 1;
                continue;
            }
            if (next === "\n" && isLong) { at = text.slice(at + 2).search(/\S/) + at + 2; continue; }
            if (next === "u") {
                const [whole, code] = /^\\u\{([0-9A-Fa-f]+)\}/.exec(text.slice(at)) ?? [];
                if (!whole) return null;
                key += String.fromCodePoint(parseInt(code, 16));
                at += whole.length;
                continue;
            }
            key += { n: "\n", t: "\t", '"': '"', "\\": "\\" }[next] ?? "";
            at += 2;
            continue;
        }
        key += text[at] === "%" ? "%%" : text[at];
        at += 1;
    }
    return null;
}

/** Where the parenthesis ends that is open at a position. */
function closing(text, start) {
    let depth = 1;
    for (let at = start; at < text.length; at += 1) {
        if (text.startsWith('"""', at)) at = text.indexOf('"""', at + 3) + 2;
        else if (text[at] === '"') { // a literal within; interpolations in it have their own parentheses
            for (at += 1; at < text.length && text[at] !== '"'; at += 1) {
                if (text[at] !== "\\") continue;
                if (text[at + 1] === "(") at = closing(text, at + 2) ?? text.length;
                else at += 1;
            }
        } else if (text[at] === "(") depth += 1;
        else if (text[at] === ")" && --depth === 0) return at;
    }
    return null;
}

function unindented(text) {
    const lines = text.replace(/^\n/, "").split("\n");
    const indentation = /^\s*/.exec(lines.at(-1))[0];
    return lines.slice(0, -1).map((line) => (line.startsWith(indentation) ? line.slice(indentation.length) : line)).join("\n");
}
