import { isAborted } from "../app/api.js";
import { signIn } from "../app/sign-in.js";
import { button } from "../elements/button.js";
import { field } from "../elements/field.js";
import { section } from "../elements/header.js";
import { fill, make } from "../elements/make.js";
import { notice, problemNotice } from "../elements/notice.js";
import { canRecord, record } from "../elements/recorder.js";
import { toast } from "../elements/toast.js";
import { fileField, upload } from "../elements/upload.js";
import { whoRow } from "../elements/who-row.js";
import { newID } from "../offline/outbox-store.js";
import { clockOf } from "../text/durations.js";
import { t } from "../language/text.js";
import { overview } from "./overview.js";

/**
 * Records a message, lets it be heard, and sends it.
 * @param {{limits: {seconds: number, bytes: number}, signal: AbortSignal, sent: () => any}} options
 */
export function recordSection({ limits, signal, sent }) {
    const people = overview.data?.people.filter(({ mayDecide }) => mayDecide) ?? [];
    let person = overview.reader() ?? people[0];
    const speaker = field({ label: t`Who speaks`, name: "name", value: signIn.profile?.name ?? "" });
    const body = make("div", { class: "stack" });
    const trouble = make("div", { "aria-live": "assertive" });
    const isTold = (sound, key, came) => upload(
        // Not by URLSearchParams, which writes a space as "+".
        `/api/toy/messages?person=${encodeURIComponent(person.id)}&name=${encodeURIComponent(speaker.value.trim())}`, sound,
        { key, signal, came });
    const done = async () => {
        toast(t`${person.name} hears it in place of the next fact.`, { icon: "check" });
        showIdle();
        await sent();
    };

    const showIdle = () => {
        fill(body, canRecord()
            ? button(t`Record`, { kind: "primary", icon: "record", press: begin })
            : noMicrophone());
    };
    const noMicrophone = () => {
        const file = fileField({
            label: t`Sound file`, accept: "audio/*", most: limits.bytes,
            hint: t`At most ${limits.seconds} seconds, as your phone’s own recorder writes it.`,
        });
        return [
            notice({
                icon: "info", state: "unknown", title: t`This page cannot record here`,
                words: t`It needs a microphone and HTTPS. Record with another app, and choose the file.`,
            }),
            file.node,
            button(t`Send it`, {
                kind: "primary", icon: "share",
                press: async () => {
                    const problem = file.trouble;
                    file.problem(problem);
                    if (problem) return;
                    await send(file.value, file.key, file.came);
                    file.came(null);
                },
            }),
        ];
    };
    const begin = async () => {
        fill(trouble);
        let run;
        try {
            run = await record(limits.seconds, signal);
        } catch (error) {
            fill(trouble, problemNotice(error));
            return;
        }
        const time = make("p", { class: "toy-code", role: "timer" });
        const bar = make("progress", { class: "upload-bar", max: limits.seconds, value: 0, "aria-label": t`Recorded so far` });
        const from = performance.now();
        const tick = () => {
            const seconds = Math.min(limits.seconds, (performance.now() - from) / 1000);
            time.textContent = t`${clockOf(Math.floor(seconds))} of ${clockOf(limits.seconds)}`;
            bar.value = seconds;
        };
        tick();
        const ticking = setInterval(tick, 250);
        const stop = button(t`Stop recording`, { kind: "primary", icon: "stop", press: () => run.stop() });
        fill(body, time, bar, stop);
        stop.focus();
        run.ended.then((sound) => {
            clearInterval(ticking);
            if (!signal.aborted) showRecorded(sound);
        });
    };
    const showRecorded = (sound) => {
        const key = newID();
        const address = URL.createObjectURL(sound);
        signal.addEventListener("abort", () => URL.revokeObjectURL(address));
        const yes = button(t`Send it`, { kind: "primary", icon: "share", press: () => send(sound, key) });
        fill(body, make("audio", { controls: true, src: address, "aria-label": t`What was recorded` }),
            make("div", { class: "row-of-buttons" }, yes,
                button(t`Record again`, { icon: "record", press: begin })));
        yes.focus();
    };
    const send = async (sound, key, came) => {
        fill(trouble);
        try {
            await isTold(sound, key, came);
            await done();
        } catch (error) {
            if (!isAborted(error)) fill(trouble, problemNotice(error));
        }
    };
    showIdle();
    return section(t`Record one`,
        people.length > 1 && make("div", { class: "field" }, make("span", { class: "label" }, t`For whom`),
            make("div", { class: "settings-who" },
                whoRow(t`For whom`, people, person?.id, (id) => { person = people.find((one) => one.id === id); }))),
        speaker.node, body, trouble);
}
