import { button } from "./button.js";
import { make } from "./make.js";
import { sheet } from "./sheet.js";
import { t } from "../language/text.js";

/**
 * Asks whether to stop a session, which waits meanwhile; not where nothing is lost.
 * @param {{isOver: boolean, isWorthKeeping: boolean, isPaused: boolean, pause: Function, resume: Function, stop: Function}}
 *   active
 * @param {{lead: () => string, goOn: string, mayGoOn?: () => boolean}} words  `lead`: what is done so far, and kept;
 *   `goOn`: on the button; `mayGoOn`: false where the screen of the session has been left
 */
export async function askToStop(active, { lead, goOn, mayGoOn = () => true }) {
    if (active.isOver) return;
    if (!active.isWorthKeeping) return active.stop();
    const wasPaused = active.isPaused;
    if (!wasPaused) await active.pause();
    if (active.isOver) return;
    let isAnswered = false;
    const asked = sheet(t`Stop here?`, {
        lead: lead(),
        body: [make("div", { class: "sheet-actions" },
            button(t`Stop`, {
                kind: "danger",
                press: async () => {
                    isAnswered = true;
                    asked.close();
                    await active.stop();
                },
            }),
            button(goOn, { kind: "quiet", press: () => asked.close() }))],
        closed: () => { if (!isAnswered && !wasPaused && mayGoOn()) active.resume(); },
    });
}
