import { button } from "../../elements/button.js";
import { icon } from "../../elements/icon.js";
import { fill, make } from "../../elements/make.js";
import { problemNotice } from "../../elements/notice.js";
import { segmented } from "../../elements/segmented.js";
import { sheet } from "../../elements/sheet.js";
import { linesSkeleton } from "../../elements/skeleton.js";
import { toast } from "../../elements/toast.js";
import { engine } from "../../engine/engine.js";
import { put } from "../../app/api.js";
import { Problem } from "../../app/problem.js";
import { t } from "../../language/text.js";
import { clockOf } from "../../text/durations.js";
import { number } from "../../text/numbers.js";
import { songs } from "../overview.js";
import { heardLatencyOf } from "../links/stored-links.js";
import { LINK } from "../engine-constants.js";
import { LONGEST, TOO_LONG } from "../play/recording.js";

const BARS = ["2", "3", "4"].map((value) => ({ value, word: value }));
const SAYS = {
    1: t`Keep tapping: eight taps at least.`,
    2: t`The taps are too uneven. Start over, and tap on each beat.`,
    3: t`That is slower or faster than a song here may be, 30 to 300 beats a minute. Tap each beat, not each note.`,
};
const MINUTE = 60_000_000; // microseconds

/**
 * The tempo of the family's own recording, tapped along while it plays: the first tap on the first beat of a bar. The
 * engine makes tempo and offset of the taps.
 */
export function openTapSheet(song) {
    const place = make("div", { class: "stack" }, linesSkeleton(90, 60));
    const opened = sheet(t`The tempo of ${song.title}`, {
        lead: t`Let it play, and tap along on each beat. Begin with the first beat of a bar.`, body: [place],
    });
    const load = async () => {
        try {
            const drums = await engine("drums");
            if (!opened.signal.aborted) tapping(song, drums, place, opened);
        } catch (error) {
            fill(place, problemNotice(error, { retry: load }));
        }
    };
    load();
}

function tapping(song, drums, place, opened) {
    const { call } = drums;
    const path = song.audio?.path ?? `/api/drums/songs/${encodeURIComponent(song.id)}/audio`;
    const audio = make("audio", { src: path, preload: "auto" });
    let beatsPerBar = song.beatsPerBar || 4;
    let taps = 0;
    let found = false;
    const trouble = make("div", { "aria-live": "assertive" });
    const says = make("p", { class: "tap-says", role: "status" });
    const tooLong = make("p", { class: "small second", hidden: true }, TOO_LONG);
    const where = make("span", { class: "fine" });
    const play = button(t`Play`, { icon: "play", press: () => (audio.paused ? start() : audio.pause()) });
    const pad = make("button", { class: "tap-pad", type: "button", "aria-describedby": "tap-hint" },
        make("span", {}, t`Tap`), make("b", { class: "tap-count", "aria-hidden": true }));
    const save = button(t`Save`, { kind: "primary", press: () => store() });
    const length = () => (Number.isFinite(audio.duration) ? audio.duration * 1000 : song.audio?.milliseconds ?? 0);
    const anew = () => {
        taps = 0;
        found = false;
        call.tapsBegin(heardLatencyOf(LINK.screen) / 10);
        draw();
    };
    const start = async () => {
        fill(trouble);
        try {
            anew();
            audio.currentTime = 0;
            await audio.play();
        } catch (error) {
            fill(trouble, problemNotice(error, { title: t`This browser cannot play it` }));
        }
    };
    const tap = (event) => {
        event?.preventDefault();
        if (audio.paused) return;
        taps = call.tap(audio.currentTime * 1000);
        pad.dataset.beat = String(taps % 2);
        draw();
    };
    const draw = () => {
        pad.querySelector(".tap-count").textContent = taps > 0 ? number(taps) : "";
        fill(play, icon(audio.paused ? "play" : "pause", "s"), audio.paused ? t`Play` : t`Pause`);
        const code = taps > 0 ? call.tapsTempo(beatsPerBar) : 1;
        found = code === 0;
        const { microsecondsPerBeat, offsetMilliseconds, spreadMilliseconds } = drums.view("taps");
        save.disabled = !found;
        tooLong.hidden = length() <= LONGEST;
        says.textContent = taps === 0 ? (audio.paused ? t`Press Play, then tap on each beat.`
            : t`Tap on each beat, starting on a “one”.`)
            : found ? foundText(MINUTE / microsecondsPerBeat, offsetMilliseconds / 1000, spreadMilliseconds, taps)
                : SAYS[code] ?? SAYS[2];
    };
    const store = async () => {
        fill(trouble);
        try {
            const { microsecondsPerBeat, offsetMilliseconds } = drums.view("taps");
            await put(`/api/drums/songs/${encodeURIComponent(song.id)}`, {
                microsecondsPerBeat, offsetMilliseconds, milliseconds: Math.round(length()), beatsPerBar,
            });
            songs.soon();
            opened.close();
            toast(t`${song.title} can be played now.`);
        } catch (error) {
            fill(trouble, problemNotice(error));
        }
    };
    pad.addEventListener("pointerdown", tap);
    pad.addEventListener("keydown", (event) => { if ((event.key === " " || event.key === "Enter")
        && !event.repeat) tap(event); });
    for (const type of ["play", "pause", "ended", "loadedmetadata"]) audio.addEventListener(type, draw);
    audio.addEventListener("timeupdate",
        () => { where.textContent = t`${clockOf(audio.currentTime)} of ${clockOf(length() / 1000)}`; });
    audio.addEventListener("error", () => fill(trouble, problemNotice(new Problem(404, {
        detail: t`The recording did not come from the hub, or is of a kind that this browser does not know.`,
    }), {
        title: t`This browser cannot play it`, retry: () => { fill(trouble); audio.load(); },
    })));
    opened.signal.addEventListener("abort", () => audio.pause());
    fill(place, audio,
        make("div", { class: "tap-top" }, play, where),
        make("div", { class: "field" }, make("span", { class: "label" }, t`Beats in a bar`),
            segmented(t`Beats in a bar`, BARS, String(beatsPerBar),
                (value) => { beatsPerBar = Number(value); draw(); })),
        pad, make("p", { class: "fine", id: "tap-hint" }, t`A finger, or the space bar.`), says, tooLong, trouble,
        make("div", { class: "sheet-actions" }, save,
            button(t`Start over`, { kind: "quiet", icon: "undo", press: start })));
    anew();
}

/** What the taps say: beats a minute, the first beat's seconds, and within how many milliseconds half of the taps lie. */
function foundText(tempo, first, spread, taps) {
    return t`${number(tempo, 1)} beats a minute, the first at ${number(first, 2)} s. Half of ${taps} taps are within ${number(spread)} ms.`;
}
