import { get, patch, post } from "../../app/api.js";
import { go } from "../../app/shell.js";
import { signIn } from "../../app/sign-in.js";
import { button } from "../../elements/button.js";
import { field } from "../../elements/field.js";
import { form } from "../../elements/form.js";
import { header, section } from "../../elements/header.js";
import { fill, make } from "../../elements/make.js";
import { notice, problemNotice } from "../../elements/notice.js";
import { readout } from "../../elements/readout.js";
import { saveFrom } from "../../offline/save-file.js";
import { menu, sheet } from "../../elements/sheet.js";
import { chartSkeleton, sayingSkeleton } from "../../elements/skeleton.js";
import { number } from "../../text/numbers.js";
import { t } from "../../language/text.js";
import { recordingChart } from "./recording-chart.js";
import { removeRecording } from "./removal.js";
import { dateTime, lengthOf, nameOf, sensorName, whoseText } from "./recording-text.js";

/** One recording: its chart, what was written down, what is odd about it, and its files. */
export async function openRecording({ screen, params, signal, title }) {
    title(t`Recording`);
    const path = /** @type {const} */ (`/api/lab/recordings/${encodeURIComponent(params.id)}`);
    const top = header({ back: { href: "/lab/recordings", word: t`Recordings` }, lead: " " });
    fill(top.say, sayingSkeleton(t`recording`));
    const content = make("div", { class: "content lab-content" }, chartSkeleton());
    screen.append(top.node, content);

    async function load() {
        try {
            draw(await get(path, { signal }));
        } catch (error) {
            if (signal.aborted) return;
            top.say.textContent = t`This recording cannot be shown right now`;
            top.lead.hidden = true;
            fill(content, problemNotice(error, { retry: load }));
        }
    }
    function draw(recording) {
        const known = { people: signIn.people ?? [] };
        const name = nameOf(recording);
        title(name);
        top.say.textContent = name;
        top.lead.hidden = false;
        top.lead.textContent = [whoseText(recording, known), dateTime(recording.startMicroseconds / 1000), lengthOf(recording)].filter(Boolean).join(" · ");
        const streams = recording.streams.filter(({ samples }) => samples > 0);
        const charts = make("div", { class: "stack" }, streams.map(() => chartSkeleton()));
        fill(content,
            (recording.findings ?? []).length > 0 && notice({
                icon: "info", title: t`Good to know`,
                words: make("ul", { class: "findings" }, recording.findings.map((one) => make("li", {}, one))),
            }),
            charts,
            section(t`Sensors`, make("dl", { class: "readouts" }, streams.map(({ sensor, hertz, samples }) =>
                readout(sensorName(sensor), hertz ? number(hertz, hertz < 10 ? 1 : 0) : number(samples), hertz ? " Hz" : ` ${t`samples`}`, hertz ? t`${samples} samples` : null)))),
            notes(recording),
            recording.clock && make("p", { class: "small second" },
                t`Its clock was ${number(Math.abs(recording.clock.offsetMicroseconds) / 1000, 0)} ms from the hub’s, give or take ${number(Math.max(1, recording.clock.uncertaintyMicroseconds / 1000), 0)} ms.`),
            make("div", { class: "row-of-buttons" },
                button(t`Take it home`, { icon: "download", press: () => files(recording) }),
                button(t`Give it a name`, { icon: "edit", press: () => nameSheet(recording) }),
                (signIn.isAdult || recording.person === signIn.profile.id) && button(t`Remove`, {
                    kind: "quiet", icon: "trash",
                    press: () => {
                        removeRecording(recording, name);
                        go("/lab/recordings");
                    },
                })));
        // All at once: one that came later would push those below it down.
        Promise.all(streams.map(({ sensor }) => recordingChart({ id: recording.id, name }, sensor, signal).catch(problemNotice)))
            .then((drawn) => { if (!signal.aborted) fill(charts, drawn); });
    }
    function notes(recording) {
        const all = recording.annotations.map(({ atMicroseconds, text }) => make("li", { class: "row" },
            make("span", { class: "words" }, make("span", { class: "name" }, text),
                make("span", { class: "fine" }, t`after ${number((atMicroseconds - recording.startMicroseconds) / 1e6, 1)} s`))));
        return section(t`What was written down`,
            all.length > 0 ? make("ul", { class: "rows" }, all) : make("p", { class: "small second" }, t`Nothing was written down.`),
            button(t`Write something down`, { icon: "edit", press: () => noteSheet(recording) }));
    }
    function noteSheet(recording) {
        const longest = (recording.endMicroseconds - recording.startMicroseconds) / 1e6;
        const words = field({ label: t`What happened?`, name: "text", required: true, attributes: { maxlength: 500, autofocus: true } });
        const at = field({
            label: t`After how many seconds?`, name: "atMicroseconds", type: "number", value: "0",
            attributes: { min: 0, max: longest, step: "any", inputmode: "decimal" },
        });
        const opened = sheet(t`Write something down`, {
            body: [form({
                fields: [words, at], word: t`Write it down`, icon: "check",
                send: async () => {
                    await post(`${path}/annotations`, {
                        text: words.value.trim(),
                        atMicroseconds: recording.startMicroseconds + Math.round(Number(at.value) * 1e6),
                    });
                    opened.close();
                    await load();
                },
            })],
        });
    }
    function nameSheet(recording) {
        const name = field({ label: t`Name`, name: "name", value: recording.name, attributes: { maxlength: 120, autofocus: true } });
        const opened = sheet(t`Give it a name`, {
            body: [form({
                fields: [name], word: t`Save`, icon: "check",
                send: async () => {
                    await patch(path, { name: name.value.trim() });
                    opened.close();
                    await load();
                },
            })],
        });
    }
    function files({ id }) {
        const one = (format, more = "") => () => saveFrom(`/api/lab/recordings/${encodeURIComponent(id)}/export?format=${format}${more}`);
        menu(t`Take it home`, [
            { word: t`A table`, hint: t`CSV, one row for each time, with units`, icon: "download", act: one("csv", "&spreadsheet=comma") },
            { word: t`A table with semicolons`, hint: t`The same for an Excel that writes 1,5`, icon: "download", act: one("csv", "&spreadsheet=semicolon") },
            { word: t`For a program`, hint: "JSON", icon: "download", act: one("json") },
            { word: t`For Jupyter`, hint: t`ZIP: a table of each sensor, the units and a notebook`, icon: "download", act: one("zip") },
        ]);
    }
    await load();
}
