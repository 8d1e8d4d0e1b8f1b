import { icon } from "../../elements/icon.js";
import { make } from "../../elements/make.js";
import { number } from "../../text/numbers.js";
import { t } from "../../language/text.js";
import { dateTime, lengthOf, nameOf, whoseText } from "./recording-text.js";

/**
 * A recording as a row that leads to it.
 * @param {MotionLab.RecordingResponse} recording
 * @param {{people: Array<{id: string, name: string}>}} known
 * @param {Node|false} [before]  such as a box that chooses it
 */
export function recordingRow(recording, known, before) {
    const { id, startMicroseconds, samples, origin } = recording;
    return make("li", { class: before ? "row-with" : null }, before,
        make("a", { class: "row", href: `/lab/recordings/${encodeURIComponent(id)}` }, icon(origin === "push" ? "phone" : "lab"),
            make("span", { class: "words" },
                make("span", { class: "name" }, nameOf(recording)),
                make("span", { class: "fine" }, [whoseText(recording, known), dateTime(startMicroseconds / 1000)].filter(Boolean).join(" · ")),
                make("span", { class: "fine" }, t`${lengthOf(recording)}, ${number(samples)} samples`)),
            icon("forward", "s")));
}
