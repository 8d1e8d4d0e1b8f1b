import { button } from "./button.js";
import { make } from "./make.js";
import { sheet } from "./sheet.js";
import { t } from "../language/text.js";

/**
 * Asks whether to stop a session, which waits meanwhile; not where nothing is lost.
 * @param {{isOver: boolean, isWorthKeeping: boolean, isPaused: boolean, pause: Function, resume: Function, stop: Function}}
 *   active
 * @param {{lead: () => string, goOn: string, mayGoOn?: () => boolean,
 *   stops?: Array<{word: string, act: () => Promise<any>}>}} words  `lead`: what is done so far, and kept; `goOn`: on the
 *   button; `mayGoOn`: false where the screen of the session has been left; `stops`: what can be stopped where that is more
 *   than one thing: what is left then goes on
 */
export async function askToStop(active, { lead, goOn, mayGoOn = () => true, stops }) {
    if (active.isOver) return;
    if (!active.isWorthKeeping && !stops) return active.stop();
    const wasPaused = active.isPaused;
    if (!wasPaused) await active.pause();
    if (active.isOver) return;
    const choices = stops ?? [{ word: t`Stop`, act: () => active.stop() }];
    let isAnswered = false;
    const mayResume = () => !wasPaused && !active.isOver && mayGoOn();
    const asked = sheet(t`Stop here?`, {
        lead: lead(),
        body: [make("div", { class: "sheet-actions" },
            choices.map(({ word, act }) => button(word, {
                kind: "danger",
                press: async () => {
                    isAnswered = true;
                    asked.close();
                    await act();
                    if (mayResume()) await active.resume();
                },
            })),
            button(goOn, { kind: "quiet", press: () => asked.close() }))],
        closed: () => { if (!isAnswered && mayResume()) active.resume(); },
    });
}
