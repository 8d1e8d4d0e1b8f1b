/**
 * What waits on this device, written down in a second place: cookies, which a browser keeps when it empties a page's disk to
 * make room. So the page knows afterwards that something is gone, and of some of it what it was.
 */
// A cookie is of a host with all its ports, and a disk of one of them.
const HERE = `${location.protocol.slice(0, -1)}${location.port}`;
const WAITING = `tandem-waiting-${HERE}`; // what waits now
const LOST = `tandem-lost-${HERE}`; // what waited when the disk was emptied, until somebody has read it
const YEAR = 31_536_000; // seconds
const TITLES = 5; // that are written down, each as far as it goes
const LONGEST = 40; // characters of a title
const ROOM = 1500; // bytes of a cookie: it goes with each request

/**
 * What was written down of things that waited.
 * @typedef {{count: number, at: number, titles: string[]}} Waiting  `at`: when the last was noted, UTC milliseconds
 */

/**
 * Writes down what waits now; nothing, when nothing does.
 * @param {Array<{title: string, madeAt: number}>} entries
 */
export function recordWaiting(entries) {
    write(WAITING, entries.length === 0 ? null : {
        count: entries.length, at: Math.max(...entries.map(({ madeAt }) => madeAt)),
        titles: entries.slice(0, TITLES).map(({ title }) => shortened(title)),
    });
}

/** The disk is a new one: what waited on the one before is lost. Called before anything else sees the new one. */
export function recordEmptied() {
    const waiting = read(WAITING);
    if (!waiting) return;
    const before = read(LOST);
    write(LOST, before ? {
        count: before.count + waiting.count, at: Math.max(before.at, waiting.at),
        titles: [...before.titles, ...waiting.titles].slice(0, TITLES),
    } : waiting);
    write(WAITING, null);
}

/**
 * What is lost, and nobody has read yet.
 * @returns {Waiting?}
 */
export const lost = () => read(LOST);

/** Somebody has read it. */
export const forgetLost = () => write(LOST, null);

const shortened = (title) => (title.length > LONGEST ? `${title.slice(0, LONGEST - 1)}…` : title);

function read(name) {
    const pair = document.cookie.split("; ").find((one) => one.startsWith(`${name}=`));
    try {
        const { count, at, titles } = JSON.parse(decodeURIComponent(pair.slice(name.length + 1)));
        return count > 0 && Array.isArray(titles) ? { count, at, titles: titles.map(String) } : null;
    } catch {
        return null; // there is none, or somebody else wrote it
    }
}

/** @param {string} name @param {Waiting?} value  null takes it away */
function write(name, value) {
    let text = value ? encodeURIComponent(JSON.stringify(value)) : "";
    while (value && text.length > ROOM && value.titles.length > 0) {
        value = { ...value, titles: value.titles.slice(0, -1) };
        text = encodeURIComponent(JSON.stringify(value));
    }
    const safe = location.protocol === "https:" ? "; Secure" : "";
    document.cookie = `${name}=${text}; Path=/; Max-Age=${value ? YEAR : 0}; SameSite=Strict${safe}`;
}
