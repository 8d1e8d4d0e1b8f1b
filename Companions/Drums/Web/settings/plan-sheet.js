import { field } from "../../elements/field.js";
import { form } from "../../elements/form.js";
import { icon } from "../../elements/icon.js";
import { make } from "../../elements/make.js";
import { sheet } from "../../elements/sheet.js";
import { toast } from "../../elements/toast.js";
import { put } from "../../app/api.js";
import { t } from "../../language/text.js";
import { LEVELS } from "../levels.js";
import { overview } from "../overview.js";
import { PADS, padShape } from "../pads.js";

const number = (label, name, value, limits, hint) => field({
    label, name, type: "number", value: value ?? "", hint,
    attributes: { inputmode: "numeric", min: limits?.least, max: limits?.most, step: 1 },
});

/**
 * Asks for a whole plan; what is left empty is no rule.
 * @param {Drums.OverviewPerson} person
 * @param {`/api/drums/people/${string}/plan`} path
 */
export function openPlanSheet(person, path) {
    const { plan } = person;
    const { limits } = overview.data;
    const setBy = field({ label: t`Planned by`, name: "setBy", value: plan?.setBy ?? "", required: true,
        hint: t`Such as the therapist’s name`, attributes: { maxlength: limits?.setBy } });
    const week = number(t`Minutes a week`, "minutesPerWeek", plan?.minutesPerWeek ?? 60, limits?.minutesPerWeek);
    week.input.required = true;
    const session = number(t`At most at a time`, "minutesPerSession", plan?.minutesPerSession,
        limits?.minutesPerSession, t`Minutes; the song ends there`);
    const day = number(t`At most a day`, "minutesPerDay", plan?.minutesPerDay, limits?.minutesPerDay, t`Minutes`);
    const below = number(t`Rest below`, "belowPercent", plan?.belowPercent, limits?.belowPercent,
        t`Percent right. Leave it empty for no such rule.`);
    const beats = number(t`Of the last`, "beats", plan?.beats ?? 10, limits?.beats, t`Beats`);
    const level = choice(t`Level`, "level", String(plan?.level ?? ""),
        [["", t`As chosen`], ...LEVELS.map(({ value, word }) => [value, word])]);
    const tempo = number(t`Tempo`, "tempoPercent", plan?.tempoPercent, limits?.tempoPercent,
        t`Percent of a song’s own tempo. Leave it empty to leave it to the settings.`);
    const drums = drumChoice(plan?.drums);
    const songs = songChoice(plan);
    const asks = askChoice(plan);
    const limit = number(t`Stop from pain`, "painLimit", plan?.painLimit, limits?.painLimit,
        t`0 is no pain, 10 the worst. The page then says to stop and to tell a grown-up.`);
    const note = field({ label: t`Note`, name: "note", value: plan?.note ?? "",
        hint: t`A sentence for whoever practises`, attributes: { maxlength: limits?.note } });
    const whole = (one) => (one.value === "" ? null : Number(one.value));
    const opened = sheet(plan ? t`Change the plan` : t`Make a plan`, {
        lead: t`What ${person.name} practises, from today on. The weeks before keep the plan they had.`,
        body: [form({
            className: "form plan-form", word: t`Save`,
            fields: [setBy, week, level, tempo, drums, songs, session, day, below, beats, asks, limit, note],
            send: async () => {
                overview.take(await put(path, {
                    setBy: setBy.value.trim(), minutesPerWeek: whole(week),
                    level: level.value === "" ? null : Number(level.value),
                    tempoPercent: whole(tempo), drums: drums.value, songs: songs.value, onlySongs: songs.isOnly,
                    minutesPerSession: whole(session), minutesPerDay: whole(day), belowPercent: whole(below),
                    asksPain: asks.pain.checked, asksEffort: asks.effort.checked, painLimit: whole(limit),
                    ...(beats.value === "" ? {} : { beats: whole(beats) }), note: note.value.trim() || null,
                }));
                opened.close();
                toast(t`The plan for ${person.name} is saved.`);
            },
        })],
    });
}

/** What is asked before and after a practice. */
function askChoice(plan) {
    return withText("asksPain", (said) => {
        const box = (checked) => make("input", { type: "checkbox", checked });
        const [pain, effort] = [box(plan?.asksPain ?? false), box(plan?.asksEffort ?? false)];
        return {
            input: pain, pain, effort,
            node: make("fieldset", { class: "field" }, make("legend", { class: "label" }, t`Asked before and after`),
                make("label", { class: "check" }, pain, t`Pain, from 0 to 10`),
                make("label", { class: "check" }, effort, t`Effort, from 0 to 10 (Borg CR10)`), said),
        };
    });
}

/** A field whose error is shown at its end. */
function withText(name, build) {
    const said = make("p", { class: "problem", hidden: true });
    // Not spread: what a field has to say is asked for when it is sent.
    return Object.assign(build(said), {
        name,
        problem: (words) => {
            said.hidden = !words;
            said.replaceChildren(...(words ? [icon("warning"), make("span", {}, words)] : []));
        },
    });
}

function choice(label, name, value, choices) {
    return withText(name, (said) => {
        const id = `plan-${name}`;
        const select = make("select", { class: "input", id, name },
            choices.map(([of, word]) => make("option", { value: of, selected: of === value }, word)));
        return {
            input: select, get value() { return select.value; },
            node: make("div", { class: "field" }, make("label", { for: id }, label),
                make("span", { class: "with-arrow" }, select, icon("down", "s")), said),
        };
    });
}

function drumChoice(chosen) {
    return withText("drums", (said) => {
        const own = make("input", { type: "checkbox", checked: !chosen });
        const boxes = PADS.map(({ word }, drum) =>
            make("input", { type: "checkbox", "aria-label": word, checked: chosen?.[drum] ?? true }));
        const show = () => { for (const one of boxes) one.disabled = own.checked; };
        own.addEventListener("change", show);
        show();
        return {
            input: own, get value() { return own.checked ? null : boxes.map((one) => one.checked); },
            node: make("fieldset", { class: "field" }, make("legend", { class: "label" }, t`Drums`),
                make("label", { class: "check" }, own, t`As chosen in the settings`),
                make("div", { class: "check-pads" }, boxes.map((box, drum) =>
                    make("label", { class: "check" }, box, padShape(drum, "pad-sign"), PADS[drum].word))), said),
        };
    });
}

function songChoice(plan) {
    return withText("songs", (said) => {
        const boxes = overview.songs.map((song) => ({
            song, input: make("input", { type: "checkbox", value: song.id,
                checked: plan?.songs?.includes(song.id) ?? false }),
        }));
        const only = make("input", { type: "checkbox", checked: plan?.onlySongs ?? false });
        return {
            input: boxes[0]?.input, get value() { return boxes.filter(({ input }) => input.checked).map(({ song }) =>
                song.id); },
            get isOnly() { return only.checked; },
            node: make("details", { class: "field song-picks", open: plan?.songs?.length > 0 },
                make("summary", { class: "label" }, t`Songs`),
                make("span", { class: "hint" }, t`The ones you choose come first and are suggested`),
                make("div", { class: "check-songs" }, boxes.map(({ song, input }) =>
                    make("label", { class: "check" }, input, song.title))),
                make("label", { class: "check" }, only, t`Only these may be played`), said),
        };
    });
}
