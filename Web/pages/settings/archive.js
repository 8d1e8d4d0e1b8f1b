import { button } from "../../elements/button.js";
import { copyLine, withWholeOptions } from "../../elements/copy.js";
import { icon } from "../../elements/icon.js";
import { make } from "../../elements/make.js";
import { notice, problemNotice } from "../../elements/notice.js";
import { readout } from "../../elements/readout.js";
import { segmented } from "../../elements/segmented.js";
import { sheet } from "../../elements/sheet.js";
import { get, post, remove } from "../../app/api.js";
import { live } from "../../app/live.js";
import { dayAndTime } from "../../text/dates.js";
import { bytes, number } from "../../text/numbers.js";
import { loaded } from "./loaded.js";
import { momentReadout } from "./moment-readout.js";
import { language, t } from "../../language/text.js";

/**
 * The separator of the tables: where one writes 1,5 a spreadsheet wants semicolons.
 * @type {"comma"|"semicolon"}
 */
let separator = null;

/** All that the household has, in one file of open formats: made while one goes on, then downloaded. */
export function archiveSection({ signal, section }) {
    return section(t`Take everything with you`, ...archive({
        path: "/api/archive", id: "", file: "tandem-household.zip", signal,
        words: t`One ZIP file with all that the household has: readings, sessions, songs, recordings, photos, settings. As tables, JSON and sound that other programs open, with a README that explains them. A new hub can become this one from it.`,
        note: t`Passwords and keys are not in it; a backup has those too. Whoever has the file can read all of it: keep it as you keep letters.`,
    }));
}

/**
 * Opens the sheet that makes a file of what is kept of one person.
 * @param {{id: string, name: string}} person
 */
export function openPersonArchive({ id, name }) {
    const opened = sheet(t`What is kept of ${name}`);
    opened.paper.append(...archive({
        path: /** @type {const} */ (`/api/people/${encodeURIComponent(id)}/archive`), id, file: "tandem-person.zip",
        signal: opened.signal,
        words: t`One ZIP file with all that names ${name}: what was practised, brushed, heard, measured and planned, as tables and JSON that other programs open. For a clinic’s programs it is in there as FHIR too.`,
        note: t`Nothing else of the household is in it, and no password. Whoever has the file can read all of it.`,
    }));
}

/**
 * @typedef {{path: "/api/archive"|`/api/people/${string}/archive`, id: string, file: string, words: string, note: string,
 *   signal: AbortSignal}} Archive  where it is asked for, whose it is, its file's name, and what is said of it
 */

/**
 * An archive: how far it is, and what can be done with it.
 * @param {Archive} of
 * @returns {Node[]}
 */
function archive(of) {
    const { path, id, signal } = of;
    const trouble = make("div", { "aria-live": "assertive" });
    const part = loaded(() => get(path, { signal }), (state) => draw(state, of, asked), signal);
    const asked = async (work) => {
        trouble.replaceChildren();
        try {
            await work();
            await part.reload();
        } catch (error) {
            trouble.replaceChildren(problemNotice(error));
        }
    };
    live.addEventListener("changed", ({ detail }) => {
        if (detail.companion === "hub" && detail.what === "archive" && detail.item === id) part.reload();
    }, { signal });
    live.addEventListener("reset", part.reload, { signal });
    return [part.node, trouble];
}

/**
 * @param {any} state  as the hub says it
 * @param {Archive} of
 * @param {(work: () => Promise<any>) => Promise<void>} asked  does what was pressed, and tells what went wrong
 */
function draw({ progress, archive, problem, notice: missing }, { path, file, words, note }, asked) {
    separator ??= language() === "en" ? "comma" : "semicolon";
    return [
        make("p", { class: "second" }, words),
        problem && !progress && notice({ icon: "warning", title: t`The file could not be made`, words: problem }),
        missing && !progress && notice({ icon: "warning", title: t`Something is missing in it`, words: missing }),
        progress && bar(progress),
        !progress && archive && make("dl", { class: "readouts" },
            momentReadout(t`Made`, archive.at),
            readout(t`Size`, bytes(archive.bytes), null, t`everything in one file`),
            readout(t`Here until`, dayAndTime(archive.removedAt), null, t`then the hub removes it`)),
        !progress && make("div", { class: "field" }, make("span", { class: "label" }, t`Its tables open in a spreadsheet that writes`),
            segmented(t`Its tables open in a spreadsheet that writes`, [
                { value: "comma", word: t`1.5, with commas` }, { value: "semicolon", word: t`1,5, with semicolons` },
            ], separator, (chosen) => { separator = chosen; })),
        !progress && make("div", { class: "row-of-buttons" },
            archive && make("a", { class: "button", data: { kind: "primary" }, href: `${path}/file`, download: file },
                icon("download", "s"), t`Download`),
            button(archive ? t`Make a new one` : t`Make the file`, { icon: archive ? undefined : "keep", press: () => asked(() => post(`${path}?spreadsheet=${separator}`)) }),
            archive && button(t`Remove it`, { kind: "quiet", press: () => asked(() => remove(path)) })),
        make("p", { class: "small second" }, note),
        !progress && archive?.importCommand && make("details", { class: "unfold" },
            make("summary", {}, icon("down", "s"), t`How a new hub becomes this one`),
            make("div", { class: "stack" },
                make("p", { class: "small second" },
                    withWholeOptions(t`In a terminal on the new hub’s computer, before its first start, with the folder of its data behind --data:`)),
                copyLine(archive.importCommand, t`Copy the command`),
                make("p", { class: "small second" },
                    t`It says what comes next: everybody chooses a new password, and each device gets a new token.`))),
    ];
}

function bar({ done, total }) {
    const share = total > 0 ? Math.min(done / total, 1) : 0;
    return make("div", { class: "field", role: "status" },
        make("span", { class: "label" }, total > 0 ? t`Making the file: ${number(share * 100)}%` : t`Making the file`),
        make("progress", { class: "upload-bar", max: 1, value: share, "aria-label": t`Making the file` }),
        make("span", { class: "hint" }, t`It goes on while you do something else, and with this page closed.`));
}
