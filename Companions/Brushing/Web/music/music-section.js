import { button, iconButton } from "../../elements/button.js";
import { field } from "../../elements/field.js";
import { form } from "../../elements/form.js";
import { section } from "../../elements/header.js";
import { icon } from "../../elements/icon.js";
import { fill, make } from "../../elements/make.js";
import { problemNotice } from "../../elements/notice.js";
import { canRecord, record } from "../../elements/recorder.js";
import { sheet } from "../../elements/sheet.js";
import { toast } from "../../elements/toast.js";
import { messageOf } from "../../app/problem.js";
import { clockOf } from "../../text/durations.js";
import { t } from "../../language/text.js";
import { choiceOf, choose, keepRecording, putBack, recordings, removeRecording, SURPRISE } from "./music-store.js";

const LONGEST_RECORDING = 300; // seconds: five minutes of a grandfather's accordion

/** What somebody brushes to on this device: recordings of the family's own. */
export function musicSection() {
    const list = make("div", { class: "stack" });
    const trouble = make("div", { "aria-live": "assertive" });
    const file = make("input", { type: "file", accept: "audio/*", hidden: true, "aria-label": t`Sound file` });
    file.addEventListener("change", () => {
        const chosen = file.files[0];
        file.value = "";
        if (chosen) keep(chosen, chosen.name.replace(/\.[^.]+$/, ""));
    });
    const node = section(t`Music while brushing`,
        make("p", { class: "second" }, t`A song of your own, or somebody who sings. It stays on this device and plays without the hub too.`),
        list, trouble,
        make("div", { class: "row-of-buttons" },
            button(t`Choose a sound file`, { icon: "music", press: () => file.click() }), file,
            canRecord() && button(t`Record something`, { icon: "record", press: () => recordSheet(keep) })));
    let person = null;
    const playing = new Audio();
    let heard = null; // the id of what is tried

    const show = (data) => {
        person = data;
        draw();
    };
    const draw = async () => {
        const all = await recordings();
        if (all.length === 0) return fill(list, make("p", { class: "fine" }, t`There is no music on this device yet.`));
        const choice = choiceOf(person.id);
        const known = choice === SURPRISE || all.some(({ id }) => id === choice) ? choice : null;
        fill(list, make("fieldset", { class: "rows music" },
            make("legend", { class: "unseen" }, t`What ${person.name} brushes to`),
            option(null, t`No music`, null, known),
            all.map((one) => option(one.id, one.name, one, known)),
            all.length > 1 && option(SURPRISE, t`A surprise each time`, null, known)));
    };
    const option = (id, name, recording, choice) => {
        const input = make("input", { type: "radio", name: "music", checked: id === choice });
        input.addEventListener("change", () => {
            try {
                choose(person.id, id);
                fill(trouble);
            } catch (error) {
                fill(trouble, problemNotice(error));
            }
        });
        return make("div", { class: "row" },
            make("label", { class: "music-choice" }, input, make("span", { class: "words" },
                make("span", { class: "name" }, name),
                recording?.seconds && make("span", { class: "fine" }, t`${clockOf(Math.round(recording.seconds))} min`))),
            recording && iconButton(heard === id ? t`Stop ${name}` : t`Listen to ${name}`, heard === id ? "stop" : "play",
                () => listen(recording)),
            recording && iconButton(t`Remove ${name}`, "trash", () => take(recording)));
    };
    const listen = (recording) => {
        playing.pause();
        if (playing.src) URL.revokeObjectURL(playing.src);
        heard = heard === recording.id ? null : recording.id;
        if (heard) {
            playing.src = URL.createObjectURL(recording.sound);
            playing.play().catch((error) => toast(messageOf(error), { icon: "warning" }));
        }
        draw();
    };
    const keep = async (sound, name, seconds) => {
        fill(trouble);
        try {
            const kept = await keepRecording(sound, name, seconds);
            if (!choiceOf(person.id)) choose(person.id, kept.id);
            toast(t`“${name}” is on this device.`, { icon: "music" });
        } catch (error) {
            fill(trouble, problemNotice(error));
        }
        draw();
    };
    const take = async (recording) => {
        if (heard === recording.id) listen(recording);
        await removeRecording(recording.id);
        draw();
        toast(t`“${recording.name}” was removed from this device.`, {
            icon: "trash", undo: async () => {
                await putBack(recording);
                draw();
            },
        });
    };
    playing.addEventListener("ended", () => {
        heard = null;
        draw();
    });
    return {
        node, show,
        /** Nothing goes on sounding. */
        close: () => playing.pause(),
    };
}

/** Records, and asks for a name. */
function recordSheet(keep) {
    const opened = sheet(t`Record something`, { lead: t`Sing, play, or tell a story of two minutes.` });
    const body = make("div", { class: "stack" });
    const trouble = make("div", { "aria-live": "assertive" });
    opened.paper.append(body, trouble);
    const idle = () => fill(body, button(t`Record`, { kind: "primary", size: "l", wide: true, icon: "record", press: begin }));
    const begin = async () => {
        fill(trouble);
        let run;
        try {
            run = await record(LONGEST_RECORDING, opened.signal);
        } catch (error) {
            fill(trouble, problemNotice(error));
            return;
        }
        const from = performance.now();
        const time = make("p", { class: "music-time", role: "timer" });
        const passed = () => Math.min(LONGEST_RECORDING, (performance.now() - from) / 1000);
        const tick = () => { time.textContent = clockOf(Math.floor(passed())); };
        tick();
        const ticking = setInterval(tick, 250);
        const stop = button(t`Stop recording`, { kind: "primary", size: "l", wide: true, icon: "stop", press: () => run.stop() });
        fill(body, time, stop);
        stop.focus();
        const sound = await run.ended;
        clearInterval(ticking);
        if (!opened.signal.aborted) done(sound, passed());
    };
    const done = (sound, seconds) => {
        const address = URL.createObjectURL(sound);
        opened.signal.addEventListener("abort", () => URL.revokeObjectURL(address));
        const name = field({ label: t`What is it called?`, name: "name", value: t`Our song` });
        fill(body, make("audio", { controls: true, src: address, "aria-label": t`What was recorded` }),
            form({
                fields: [name], word: t`Keep it`, icon: "check",
                send: async () => {
                    await keep(sound, name.value.trim() || t`Our song`, seconds);
                    opened.close();
                },
            }),
            button(t`Record again`, { icon: "record", press: begin }));
    };
    idle();
}
