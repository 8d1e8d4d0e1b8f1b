import { button } from "../../elements/button.js";
import { fill, make } from "../../elements/make.js";
import { notice, problemNotice } from "../../elements/notice.js";
import { sheet } from "../../elements/sheet.js";
import { toast } from "../../elements/toast.js";
import { now } from "../../app/clock.js";
import { messageOf } from "../../app/problem.js";
import { t } from "../../language/text.js";
import { newID } from "../../offline/outbox-store.js";
import { outbox } from "../../offline/outbox.js";
import { questions } from "./questions.js";

const askedAt = new Map(); // when somebody was asked last on this page, hub's time, by person
const answered = new Set(); // sessions after which they were

/**
 * Asks before a practice, where the plan asks for it and one begins now.
 * @param {Drums.OverviewPerson} person
 * @returns {Promise<{said: object}|"play"|"stop">}  "play" where nothing is asked; "stop" where nothing is to be played
 */
export function askBefore(person) {
    const part = person.play.selfReport;
    if (!part || now() < Math.max(part.from, (askedAt.get(person.id) ?? 0) + part.pauseMilliseconds)) return Promise.resolve("play");
    return new Promise((resolve) => {
        const body = make("div", { class: "stack" });
        /** @type {{said: object}|"stop"} */
        let outcome = "stop";
        let heard = null;
        const opened = sheet(t`Before you play`, {
            body: [body],
            closed: () => {
                // What was said counts, though nothing is played.
                if (outcome === "stop" && heard) {
                    noteReport(person, newID(), "before", heard).catch((error) => toast(messageOf(error), { icon: "warning" }));
                }
                resolve(outcome);
            },
        });
        const play = (said) => {
            askedAt.set(person.id, now());
            outcome = { said };
            opened.close();
        };
        fill(body, questions(part.scales, "before", (said, stops) => {
            if (!stops) return play(said);
            heard = said;
            fill(body, stopNotice(part.stop), make("div", { class: "sheet-actions" },
                button(t`Stop for today`, { kind: "primary", size: "l", press: () => opened.close() }),
                button(t`A grown-up says I may play`, { kind: "quiet", press: () => play(said) })));
            body.querySelector("button").focus();
        }));
    });
}

/**
 * Asks after a song that was just played here; null where the plan does not.
 * @param {Drums.OverviewPerson} person
 * @param {string} session  its id
 * @param {() => void} stopped  called where the answer is one at which the plan says to stop
 * @returns {HTMLElement|null}
 */
export function askAfter(person, session, stopped) {
    const part = person?.play?.selfReport;
    if (!part || answered.has(session)) return null;
    const body = make("div", { "aria-live": "polite" });
    fill(body, questions(part.scales, "after", (said, stops) => {
        answered.add(session);
        askedAt.set(person.id, now());
        // That one is to stop is said at once, whether or not the device has room for the answer.
        if (stops) {
            stopped();
            fill(body, stopNotice(part.stop));
        }
        note(said, stops);
    }));
    const note = async (said, stops) => {
        try {
            await noteReport(person, session, "after", said);
            if (!stops) fill(body, make("p", { class: "second" }, t`Thank you. It is noted beside the song.`));
        } catch (error) {
            fill(body, stops && stopNotice(part.stop), problemNotice(error, { retry: () => note(said, stops) }));
        }
    };
    return make("section", { class: "section", "aria-labelledby": "self-report-after" },
        make("h2", { id: "self-report-after" }, t`How was it?`), body);
}

/** Sends what was said, now or when the hub is there. */
export function noteReport({ id, name }, session, moment, said) {
    return outbox.add({
        queue: `drums reports ${id}`, path: `/api/drums/sessions/${session}/reports/${moment}`, method: "PUT",
        title: moment === "before" ? t`What ${name} said before playing` : t`What ${name} said after playing`,
        bytes: new TextEncoder().encode(JSON.stringify({ person: id, at: now(), ...said })),
    });
}

const stopNotice = ({ title, words }) => notice({ icon: "info", title, words });
