import { field } from "../../elements/field.js";
import { form } from "../../elements/form.js";
import { make } from "../../elements/make.js";
import { sheet } from "../../elements/sheet.js";
import { toast } from "../../elements/toast.js";
import { t } from "../../language/text.js";
import { PADS, padShape } from "../pads.js";
import { crosstalkOf, keepCrosstalk, USUAL_CROSSTALK } from "./stored-links.js";

const MOST = { milliseconds: 100, percent: 100 }; // as the engine takes them

/**
 * What of each pad is crosstalk: kept on this device for this kit, and told to the engine when a song begins.
 * @param {string} name  of the kit
 */
export function crosstalkSheet(name) {
    const known = crosstalkOf(name);
    const fields = PADS.map((pad, drum) => {
        const now = known?.[drum] ?? USUAL_CROSSTALK;
        const number = (label, what) => field({
            label, name: `${what}-${pad.name}`, type: "number", value: String(now[what]), required: true,
            attributes: { min: 0, max: MOST[what], step: 1, inputmode: "numeric" },
        });
        return { milliseconds: number(t`${pad.word}: within so many ms`, "milliseconds"), percent: number(t`${pad.word}: at most so many %`, "percent") };
    });
    const opened = sheet(t`Strokes that are none`, {
        lead: t`A pad feels a part of its neighbours’ strokes. What it tells so shortly before a stronger stroke is not counted as a wrong drum. What was hit is kept all the same.`,
        body: [form({
            fields: fields.flatMap(({ milliseconds, percent }) => [milliseconds, percent]), word: t`Keep`, icon: "check",
            send: async () => {
                keepCrosstalk(name, fields.map(({ milliseconds, percent }) => ({
                    milliseconds: within(milliseconds.value, MOST.milliseconds), percent: within(percent.value, MOST.percent),
                })));
                opened.close();
                toast(t`Saved on this device, from the next song on.`);
            },
        }), make("div", { class: "teach-steps", "aria-hidden": "true" }, PADS.map((_, drum) => padShape(drum)))],
    });
}

const within = (text, most) => Math.min(Math.max(Math.round(Number(text)) || 0, 0), most);
