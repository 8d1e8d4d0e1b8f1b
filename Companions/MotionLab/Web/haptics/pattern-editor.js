import { button, iconButton } from "../../elements/button.js";
import { fill, make } from "../../elements/make.js";
import { number } from "../../text/numbers.js";
import { t } from "../../language/text.js";

const FIRST = [40, 80, 40];
const STEP = 10; // milliseconds

/**
 * A pattern of vibrations and rests, each with its length. What is a pattern the engine says.
 * @param {Awaited<ReturnType<typeof import("../../engine/engine.js").engine>>} rules
 * @param {(pattern: Uint16Array) => void} play
 */
export function patternEditor(rules, play) {
    let parts = [...FIRST];
    const list = make("ol", { class: "pattern-parts" });
    const picture = make("div", { class: "pattern-picture", role: "img" });
    const said = make("p", { class: "small second", role: "status" });
    const press = button(t`Play it`, { kind: "primary", icon: "vibrate", press: () => play(Uint16Array.from(parts)) });
    const node = make("div", { class: "stack" }, picture, list, said, make("div", { class: "row-of-buttons" }, press,
        button(t`Add a part`, {
            icon: "plus",
            press: () => {
                parts = [...parts, parts.length % 2 === 0 ? 40 : 80];
                draw();
                list.lastElementChild?.querySelector("input").focus();
            },
        })));

    function look() {
        const total = rules.call.checkHaptic(rules.put(new Uint8Array(Uint16Array.from(parts).buffer)));
        press.disabled = total < 0;
        said.textContent = total >= 0 ? t`${number(total)} ms altogether`
            : total === -1 ? t`Add a part first.` : total === -2 ? t`A pattern has at most 32 parts.`
                : t`Part ${-3 - total + 1} is too long, or lasts no time: 1 to 2,000 ms.`;
        const whole = parts.reduce((sum, part) => sum + part, 0) || 1;
        picture.setAttribute("aria-label", t`${parts.length} parts, the dark ones vibrate`);
        fill(picture, parts.map((part, i) => make("i", { data: { on: i % 2 === 0 ? "" : null }, vars: { share: (part / whole) * 100 } })));
    }
    function draw() {
        fill(list, parts.map((part, i) => make("li", {},
            make("label", {}, make("span", { class: "fine" }, i % 2 === 0 ? t`vibrate` : t`rest`),
                make("input", {
                    class: "input", type: "number", min: 1, max: 2000, step: STEP, value: String(part), inputmode: "numeric",
                    on: {
                        input: ({ target }) => {
                            parts[i] = Math.max(0, Math.min(65_535, Math.round(Number(target.value)) || 0));
                            look();
                        },
                    },
                }), make("span", { class: "fine" }, "ms")),
            iconButton(t`Remove part ${i + 1}`, "close", () => {
                parts = parts.filter((_, place) => place !== i);
                draw();
            }))));
        look();
    }
    draw();
    return node;
}
