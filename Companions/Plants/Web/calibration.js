import { button } from "../elements/button.js";
import { fill, make } from "../elements/make.js";
import { problemNotice } from "../elements/notice.js";
import { sheet } from "../elements/sheet.js";
import { linesSkeleton } from "../elements/skeleton.js";
import { toast } from "../elements/toast.js";
import { get, isAborted, post, put, remove } from "../app/api.js";
import { now } from "../app/clock.js";
import { messageOf } from "../app/problem.js";
import { dayAndTimeWithin } from "../text/dates.js";
import { number } from "../text/numbers.js";
import { t } from "../language/text.js";

/**
 * Tells a sensor what dry and what wet is, in three taps: dry, in water, save. What the values mean, the hub says.
 * @param {{device: string, name: string}} sensor
 * @param {() => any} changed  the sensor has another scale
 */
export function calibrate({ device, name }, changed) {
    const path = /** @type {const} */ (`/api/plants/sensors/${encodeURIComponent(device)}/calibration`);
    const opened = sheet(t`Calibrate ${name}`);
    const body = make("div", { class: "stack", "aria-live": "polite" });
    const trouble = make("div", { "aria-live": "assertive" });
    opened.paper.append(trouble, body);
    const measured = { dry: null, wet: null };

    const dryStep = (known) => show({
        step: 1, word: t`It is dry`, words: t`Take the probe out of the soil, wipe it dry and hold it in the air.`,
        press: () => measure("dry", wetStep),
        below: [make("p", { class: "fine" }, known.isMeasured
            ? t`Calibrated ${dayAndTimeWithin(known.changedAt)}: ${number(known.dry)} in air, ${number(known.wet)} in water.`
            : t`Nobody has calibrated it yet. It counts ${number(known.dry)} as dry and ${number(known.wet)} as wet.`),
        known.isMeasured && button(t`Use the sensor’s own scale`, { kind: "quiet", icon: "undo", press: forget })],
    });
    const wetStep = () => show({
        step: 2, word: t`It is in water`, words: t`Now put it into a glass of water, up to the line on the probe and no further.`,
        press: () => measure("wet", saveStep),
        below: [make("p", { class: "fine" }, t`In air it read ${number(measured.dry)}.`)],
    });
    const saveStep = () => show({
        step: 3, word: t`Save`, words: t`In air it read ${number(measured.dry)}, in water ${number(measured.wet)}.`,
        press: save,
        below: [button(t`Measure again`, { kind: "quiet", icon: "refresh", press: begin })],
    });
    const show = ({ step, words, word, press, below }) => {
        const yes = button(word, { kind: "primary", size: "l", wide: true, icon: "check", press });
        fill(body, make("p", { class: "step-of" }, t`Step ${step} of 3`), make("p", {}, words), yes, ...below.filter(Boolean));
        yes.focus();
    };
    const measure = async (which, next) => {
        fill(trouble);
        fill(body, make("p", {}, t`Waiting for the sensor’s next reading. Leave the probe as it is.`),
            make("progress", { class: "upload-bar", "aria-label": t`Waiting for a reading` }),
            make("p", { class: "fine" }, t`Sensors that sleep send one every few minutes.`),
            button(t`Cancel`, { kind: "quiet", press: () => opened.close() }));
        const since = now();
        try {
            let reading = null;
            while (!reading) ({ reading } = await post(`${path}/reading`, { since }, { signal: opened.signal }));
            measured[which] = reading.value;
            next();
        } catch (error) {
            if (isAborted(error)) return;
            fill(trouble, problemNotice(error));
            begin();
        }
    };
    const save = async () => {
        fill(trouble);
        try {
            await put(path, { dry: measured.dry, wet: measured.wet });
            opened.close();
            toast(t`${name} is calibrated. Its forecast begins anew.`, { icon: "check" });
            changed();
        } catch (error) {
            fill(trouble, problemNotice(error));
            begin();
        }
    };
    const forget = async () => {
        try {
            await remove(path);
            opened.close();
            toast(t`${name} uses its own scale again.`, { icon: "undo" });
            changed();
        } catch (error) {
            toast(messageOf(error), { icon: "warning" });
        }
    };
    const begin = async () => {
        fill(body, linesSkeleton(80, 60));
        try {
            dryStep(await get(path, { signal: opened.signal }));
        } catch (error) {
            if (!isAborted(error)) fill(body, problemNotice(error, { retry: begin }));
        }
    };
    begin();
}
