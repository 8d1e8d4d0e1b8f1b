import { answered, exchange } from "../../app/api.js";
import { signIn } from "../../app/sign-in.js";
import { form } from "../../elements/form.js";
import { icon } from "../../elements/icon.js";
import { fill, make } from "../../elements/make.js";
import { segmented } from "../../elements/segmented.js";
import { sheet } from "../../elements/sheet.js";
import { toast } from "../../elements/toast.js";
import { t } from "../../language/text.js";
import { recordings } from "./recordings.js";

/** Brings in what another app has exported. */
export function importSheet() {
    let app = "sensor-logger-android";
    const said = make("p", { class: "problem", role: "alert", hidden: true });
    const input = make("input", { class: "input file-input", type: "file", id: "lab-file", accept: ".csv,.xlsx,.zip,.txt,text/csv,application/zip", name: "file" });
    const file = {
        name: "file", input,
        node: make("div", { class: "field" }, make("label", { for: "lab-file" }, t`The file`), input,
            make("span", { class: "hint" }, t`A CSV, Excel or ZIP file as the app wrote it, under its own name.`), said),
        problem: (words) => {
            said.hidden = !words;
            fill(said, words && [icon("warning"), make("span", {}, words)]);
        },
    };
    const which = {
        name: "app", problem: () => {},
        node: make("div", { class: "field" }, make("span", { class: "label" }, t`Which app wrote it?`),
            segmented(t`Which app wrote it?`, [
                // not shown but as names
                { value: "sensor-logger-android", word: "Sensor Logger, Android" },
                // not shown but as names
                { value: "sensor-logger-ios", word: "Sensor Logger, iPhone" },
                // not shown but as names
                { value: "phyphox", word: "phyphox" },
                // not shown but as names
                { value: "physics-toolbox", word: "Physics Toolbox" },
            ], app, (chosen) => { app = chosen; }, { areChips: true })),
    };
    const opened = sheet(t`Bring in a file`, {
        body: [form({
            fields: [which, file], word: t`Bring it in`, icon: "upload",
            send: async () => {
                const [chosen] = input.files;
                if (!chosen) return file.problem(t`Choose a file first.`);
                const asked = new URLSearchParams({
                    person: signIn.profile.id, app, name: chosen.name, startedAt: String(chosen.lastModified * 1000),
                });
                const imported = await answered(await exchange("POST", `/api/lab/import?${asked}`, {
                    headers: { "Content-Type": "application/octet-stream" }, bytes: await chosen.arrayBuffer(),
                }));
                opened.close();
                const remarks = imported.remarks.join(" ");
                toast([
                    imported.isKnown ? t`This file was here already.` : imported.unread.length > 0
                        ? t`Brought in. Not readable: ${imported.unread.join(", ")}` : remarks ? t`Brought in. ${remarks}` : t`Brought in.`,
                    imported.unread.length > 0 && !imported.isKnown && remarks,
                ].filter(Boolean).join(" "), { icon: "check" });
                recordings.soon();
            },
        })],
    });
}
