import { button } from "../../elements/button.js";
import { fill, make } from "../../elements/make.js";
import { sheet } from "../../elements/sheet.js";
import { toast } from "../../elements/toast.js";
import { t } from "../../language/text.js";
import { PADS, padShape } from "../pads.js";

/** Of the four drums, in their order. */
const HIT_NOW = [t`Hit the red pad now.`, t`Hit the orange pad now.`, t`Hit the blue pad now.`, t`Hit the yellow pad now.`];
const THAT_WAS = [t`That was the red one.`, t`That was the orange one.`, t`That was the blue one.`, t`That was the yellow one.`];

/**
 * "Hit the pad now": asks for a hit of each of the four drums in turn, and keeps on this device which of the kit's pads
 * is which. A pad that the kit does not have can be left out.
 * @param {import("./midi-link.js").MidiLink | import("./bluetooth-midi.js").BluetoothMidi} link  one that is on
 */
export function teachPads(link) {
    const { strokes } = link;
    if (!strokes) return;
    let drum = 0;
    let isStored = false;
    const taken = new Map(); // note: drum
    const says = make("p", { class: "teach-says", role: "status" });
    const shape = make("div", { class: "teach-shape" });
    const steps = make("ol", { class: "teach-steps" });
    const actions = make("div", { class: "sheet-actions" });
    const opened = sheet(t`Teach the pads`, {
        lead: t`${link.name} sends a number for each pad. Tandem learns which is which.`,
        body: [make("div", { class: "teach" }, shape, says, steps), actions],
        closed: () => { if (!isStored) strokes.revert(); },
    });
    opened.node.classList.add("link-chooser");
    const draw = (trouble) => {
        const pad = PADS[drum];
        fill(steps, PADS.map(({ name, word }, at) => make("li", {
            data: { pad: name, state: [...taken.values()].includes(at) ? "done" : at === drum ? "now" : "" },
        }, padShape(at), make("span", { class: "fine" }, word))));
        fill(shape, pad && padShape(drum));
        if (pad) {
            fill(says, trouble ? `${trouble} ` : null, make("b", { class: "strong" }, HIT_NOW[drum]));
            fill(actions, button(t`This kit has no such pad`, { kind: "quiet", press: next }), again());
        } else {
            fill(says, make("b", { class: "strong" }, taken.size > 0 ? t`That is all of them. Try them: they light up.` : t`No pad was hit.`));
            fill(actions, taken.size > 0 && button(t`Keep`, { kind: "primary", icon: "check", press: store }), again());
        }
    };
    const again = () => button(t`Start over`, {
        kind: "quiet", icon: "undo",
        press: () => {
            drum = 0;
            taken.clear();
            strokes.unlearn();
            draw();
        },
    });
    const next = () => {
        drum += 1;
        draw();
    };
    const store = () => {
        strokes.store();
        isStored = true;
        opened.close();
        toast(t`The pads of ${link.name} are saved on this device.`);
    };
    link.addEventListener("note", ({ detail: { note } }) => {
        const before = taken.get(note);
        if (drum >= PADS.length) return flash(before);
        if (before !== undefined) {
            flash(before);
            if (before !== drum - 1) draw(THAT_WAS[before]);
            return; // a pad that sounds on, or another
        }
        taken.set(note, drum);
        strokes.learn(note, drum);
        next();
    }, { signal: opened.signal });
    link.addEventListener("state", () => { if (!link.isOn) opened.close(); }, { signal: opened.signal });
    const flash = (at) => {
        const step = at === undefined ? null : steps.children[at];
        step?.setAttribute("data-hit", "");
        setTimeout(() => step?.removeAttribute("data-hit"), 200);
    };
    strokes.unlearn();
    draw();
}
