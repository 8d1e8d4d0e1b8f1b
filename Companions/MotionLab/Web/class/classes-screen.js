import { get, post } from "../../app/api.js";
import { live } from "../../app/live.js";
import { go } from "../../app/shell.js";
import { signIn } from "../../app/sign-in.js";
import { button } from "../../elements/button.js";
import { field } from "../../elements/field.js";
import { form } from "../../elements/form.js";
import { header, section } from "../../elements/header.js";
import { icon } from "../../elements/icon.js";
import { fill, make } from "../../elements/make.js";
import { calmNotice } from "../../elements/notice.js";
import { segmented } from "../../elements/segmented.js";
import { sheet } from "../../elements/sheet.js";
import { rowsSkeleton } from "../../elements/skeleton.js";
import { t } from "../../language/text.js";
import { builtIn, experimentEngine } from "../experiments/experiment-file.js";
import { dateTime, EXPERIMENTS, sensorName } from "../recordings/recording-text.js";
import { codes } from "./codes.js";

/** What a page can measure without the help of an app. */
const SENSORS = ["accelerometer", "linearAcceleration", "gyroscope", "sound"];

/** The classes of the household, and the way to start one. */
export async function openClasses({ screen, signal, title }) {
    title(t`Class`);
    const top = header({
        back: { href: "/lab", word: t`Lab` }, say: t`Many phones at once`,
        lead: t`A class, a birthday, two friends: whoever scans your code measures along with their own phone, without an account. You start and stop all of them.`,
    });
    const list = make("div", {}, rowsSkeleton(2));
    screen.append(top.node, make("div", { class: "content lab-content" },
        signIn.isAdult ? make("p", { class: "row-of-buttons" }, button(t`Start a class`, { icon: "people", kind: "primary", press: startSheet }))
            : make("p", { class: "small second" }, t`A grown-up can start a class.`),
        section(t`Your classes`, list)));
    async function load() {
        try {
            const { classes } = await get("/api/lab/classes", { signal });
            fill(list, classes.length === 0 ? make("p", { class: "small second" }, t`No class yet.`)
                : make("ul", { class: "rows" }, classes.map(row)));
        } catch (error) {
            if (!signal.aborted) fill(list, calmNotice(error, { retry: load }));
        }
    }
    live.addEventListener("changed", ({ detail }) => { if (detail.companion === "lab" && detail.what === "class") load(); }, { signal });
    if (signIn.isAdult) await load();
    else list.parentElement.hidden = true;
}

/** @param {MotionLab.ClassResponse} found */
function row({ id, name, openedAt, isOpen, guests, run }) {
    return make("li", {}, make("a", { class: "row", href: `/lab/classes/${encodeURIComponent(id)}` }, icon("people"),
        make("span", { class: "words" }, make("span", { class: "name" }, name),
            make("span", { class: "fine" }, isOpen ? run?.isMeasuring ? t`Measuring now` : t`Open now` : dateTime(openedAt)),
            make("span", { class: "fine" }, t`${guests.length} phones`)),
        icon("forward", "s")));
}

/** What the class is called, what it measures, and for how long. */
async function startSheet() {
    const files = builtIn(await experimentEngine()).filter(({ sensors }) => sensors.every(({ sensor }) => SENSORS.includes(sensor)));
    const chosen = { what: "sensor accelerometer", minutes: "60" };
    const name = field({ label: t`Name of the class`, name: "name", required: true, value: t`My class`, attributes: { maxlength: 40 } });
    const seconds = field({
        label: t`How long each run takes, in seconds`, name: "seconds", type: "number", value: "30",
        attributes: { min: 1, max: 900, step: 1, inputmode: "numeric" }, hint: t`You can stop all phones at any time.`,
    });
    const select = make("select", { class: "input", id: "class-what", name: "sensors" },
        make("optgroup", { label: t`A sensor` }, SENSORS.map((sensor) => make("option", { value: `sensor ${sensor}` }, sensorName(sensor)))),
        make("optgroup", { label: t`An experiment` }, files.map(({ slug, title: word }) => make("option", { value: slug }, EXPERIMENTS[slug] ?? word))));
    select.addEventListener("change", () => {
        chosen.what = select.value;
        const file = files.find(({ slug }) => slug === select.value);
        if (file) seconds.input.value = String(file.seconds);
    });
    const what = {
        name: "sensors", input: select, problem: () => {},
        node: make("div", { class: "field" }, make("label", { for: "class-what" }, t`What all phones measure`), select),
    };
    const minutes = {
        name: "minutes", problem: () => {},
        node: make("div", { class: "field" }, make("span", { class: "label" }, t`How long the class is open`),
            segmented(t`How long the class is open`, ["30", "60", "90", "240"].map((value) => ({
                value, word: value === "240" ? t`4 hours` : t`${Number(value)} min`,
            })), chosen.minutes, (value) => { chosen.minutes = value; })),
    };
    const opened = sheet(t`Start a class`, {
        lead: t`Whoever is in the room scans a code. The class sees nothing of your household, and of each other nothing but what you show.`,
        body: [form({
            fields: [name, what, seconds, minutes], word: t`Start a class`, icon: "people",
            send: async () => {
                const file = files.find(({ slug }) => slug === chosen.what);
                const answer = await post("/api/lab/classes", {
                    name: name.value.trim(), experiment: file?.slug,
                    sensors: file ? file.sensors.map(({ sensor }) => sensor) : [chosen.what.split(" ")[1]],
                    hertz: file?.sensors[0].hertz || undefined, seconds: Number(seconds.value), minutes: Number(chosen.minutes),
                });
                codes.set(answer.class.id, answer);
                opened.close();
                go(`/lab/classes/${encodeURIComponent(answer.class.id)}`);
            },
        })],
    });
    name.input.select();
}
