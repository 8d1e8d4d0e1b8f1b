import { get, put, remove } from "../../app/api.js";
import { Problem } from "../../app/problem.js";
import { signIn } from "../../app/sign-in.js";
import { button } from "../../elements/button.js";
import { form } from "../../elements/form.js";
import { header, section } from "../../elements/header.js";
import { icon } from "../../elements/icon.js";
import { fill, make } from "../../elements/make.js";
import { calmNotice } from "../../elements/notice.js";
import { rowsSkeleton } from "../../elements/skeleton.js";
import { confirm, sheet } from "../../elements/sheet.js";
import { t } from "../../language/text.js";
import { number } from "../../text/numbers.js";
import { EXPERIMENTS, inOneLine, sensorName } from "../recordings/recording-text.js";
import { builtIn, experimentEngine } from "./experiment-file.js";

/** The experiments: five that are built in, also without the hub, and the household's own. */
export async function openExperiments({ screen, signal, title }) {
    title(t`Experiments`);
    const top = header({
        back: { href: "/lab", word: t`Lab` }, say: t`What do you want to find out?`,
        lead: t`Each says what to do, measures by itself, and tells what came out and how sure that is.`,
    });
    const known = make("div", {}, rowsSkeleton(5));
    const own = make("div", {}, rowsSkeleton(1));
    screen.append(top.node, make("div", { class: "content lab-content" }, section(t`Built in`, known),
        section(t`Your own`, own, signIn.isAdult && button(t`Write one`, { icon: "plus", press: () => fileSheet(load) }))));
    const engine = await experimentEngine();
    if (signal.aborted) return;
    fill(known, make("ul", { class: "rows" }, builtIn(engine).map((one) => row({ ...one, title: EXPERIMENTS[one.slug] ?? one.title }))));
    async function load() {
        try {
            const { experiments } = await get("/api/lab/experiments", { signal });
            const all = experiments.filter(({ isBuiltIn }) => !isBuiltIn);
            fill(own, all.length > 0 ? make("ul", { class: "rows" }, all.map((one) => row(one, signIn.isAdult && (() => gone(one)))))
                : make("p", { class: "small second" }, t`An experiment is a small file: which sensors, which formulas, which charts.`));
        } catch (error) {
            if (!signal.aborted) fill(own, calmNotice(error, { retry: load }));
        }
    }
    const gone = ({ slug, title: name }) => confirm({
        title: t`Remove ${name}?`, lead: t`The file is gone then. What was recorded with it stays.`, yes: t`Remove`,
        act: async () => {
            await remove(`/api/lab/experiments/${encodeURIComponent(slug)}`);
            await load();
        },
    });
    await load();
}

function row({ slug, title, seconds, sensors }, drop) {
    return make("li", { class: drop ? "row-with" : null },
        make("a", { class: "row", href: `/lab/experiment/${encodeURIComponent(slug)}` }, icon("play"),
            make("span", { class: "words" }, make("span", { class: "name" }, title),
                make("span", { class: "fine" }, t`${inOneLine(sensors.map(({ sensor }) => sensorName(sensor)))}, ${number(seconds)} s`)),
            icon("forward", "s")),
        drop && button(t`Remove`, { kind: "quiet", icon: "trash", press: drop }));
}

/** A file of one's own: begun as a copy of the pendulum's. */
async function fileSheet(stored) {
    const engine = await experimentEngine();
    const first = builtIn(engine)[0];
    const copy = JSON.stringify({ ...first, slug: "my-experiment", title: t`My experiment` }, null, 1);
    const input = make("textarea", { class: "input experiment-file", id: "experiment-file", rows: 16, spellcheck: "false", name: "file" });
    input.value = copy;
    const said = make("p", { class: "problem", role: "alert", hidden: true });
    const file = {
        name: "file", input, node: make("div", { class: "field" }, make("label", { for: "experiment-file" }, t`The file`), input,
            make("span", { class: "hint" }, t`It begins as a copy of the pendulum: change what you like.`), said),
        problem: (words) => {
            said.hidden = !words;
            fill(said, words && [icon("warning"), make("span", {}, words)]);
        },
    };
    const opened = sheet(t`Write an experiment`, {
        body: [form({
            fields: [file], word: t`Save`, icon: "check",
            send: async () => {
                let read;
                try {
                    read = JSON.parse(input.value);
                } catch {
                    throw new Problem(0, { title: t`Not stored`, detail: t`This is no JSON: a bracket or a comma is missing somewhere.` });
                }
                await put(`/api/lab/experiments/${encodeURIComponent(String(read.slug))}`, read);
                opened.close();
                await stored();
            },
        })],
    });
}
