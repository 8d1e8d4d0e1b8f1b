import { signIn } from "../app/sign-in.js";
import { header, section } from "../elements/header.js";
import { icon } from "../elements/icon.js";
import { fill, make } from "../elements/make.js";
import { calmNotice } from "../elements/notice.js";
import { rowsSkeleton } from "../elements/skeleton.js";
import { t } from "../language/text.js";
import { recordingRow } from "./recordings/recording-list.js";
import { recordings } from "./recordings/recordings.js";
import { isRemovedHere } from "./recordings/removal.js";

const LATEST = 3;

/** The directory of the lab: each instrument, what was recorded, and the experiments. */
export async function openDirectory({ screen, signal, title }) {
    title(t`Lab`);
    const top = header({
        name: t`Lab`, icon: "lab", say: t`What shall we measure?`,
        lead: t`The sensors of this device, live, with what it costs to measure.`,
    });
    const latest = make("div", {}, rowsSkeleton(2));
    screen.append(top.node, make("div", { class: "content lab-content" },
        section(t`Instruments`, make("ul", { class: "rows" }, INSTRUMENTS.map(row))),
        section(t`Do more with it`, make("ul", { class: "rows" }, MORE.map(row))),
        section(t`Recorded last`, latest)));
    await recordings.follow(signal, {
        draw: () => {
            const all = recordings.data.recordings.filter(({ id }) => !isRemovedHere(id)).slice(0, LATEST);
            const known = { people: signIn.people };
            fill(latest, all.length > 0 ? make("ul", { class: "rows" }, all.map((one) => recordingRow(one, known)))
                : make("p", { class: "small second" }, t`Nothing recorded yet. Press Record on an instrument.`));
        },
        missing: (error, retry) => fill(latest, calmNotice(error, { retry })),
    });
}

/** @type {Array<{path: string, icon: string, name: string, says: string}>} */
const INSTRUMENTS = [
    { path: "/lab/gyroscope", icon: "lab", name: t`Gyroscope`, says: t`How fast it turns, and how far` },
    { path: "/lab/haptics", icon: "vibrate", name: t`Haptics`, says: t`Every kind of tap, and patterns of your own` },
    { path: "/lab/barometer", icon: "temperature", name: t`Barometer`, says: t`The air’s pressure, and how high it is` },
    { path: "/lab/accelerometer", icon: "tilt", name: t`Accelerometer`, says: t`What it feels: falls, steps, tilt, vibrations` },
];
const MORE = [
    { path: "/lab/recordings", icon: "record", name: t`Recordings`, says: t`Look, compare, take home` },
    { path: "/lab/experiments", icon: "play", name: t`Experiments`, says: t`Pendulum, free fall, lift, spin, sound, and your own` },
    { path: "/lab/classes", icon: "people", name: t`Class`, says: t`Many phones measure together, joined by a code` },
    { path: "/lab/phones", icon: "phone", name: t`Phones`, says: t`Let a phone’s app send what it measures` },
];

function row({ path, icon: name, name: word, says }) {
    return make("li", {}, make("a", { class: "row", href: path }, icon(name),
        make("span", { class: "words" },
            make("span", { class: "name" }, word), make("span", { class: "fine" }, says)),
        icon("forward", "s")));
}
