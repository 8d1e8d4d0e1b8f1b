import { button } from "../../elements/button.js";
import { icon } from "../../elements/icon.js";
import { fill, make } from "../../elements/make.js";
import { declarations } from "../../app/declarations.js";
import { bytes } from "../../text/numbers.js";
import { capabilities, countOf } from "./capabilities.js";
import { tries } from "./tries.js";
import { t } from "../../language/text.js";

const TAGS = {
    works: ["check", t`Works`], do: ["forward", t`To do`], never: ["close", t`Not here`], locked: ["lock", t`Needs HTTPS`],
};

/**
 * Step 2: what pages can do on this device, a row for each, with what to press or to do, and the way round it.
 * @param {{welcome: Hub.WelcomeResponse, here: import("./environment.js").Environment, trust:
 *   import("./capabilities.js").Trust}} data
 * @param {(all: Array) => void} changed  called whenever something was found out
 */
export function capabilitySection({ welcome, here, trust }, changed) {
    /** @type {Object<string, string>} */
    const found = {};
    const list = make("ul", { class: "rows capabilities" });
    const sum = make("p", { class: "second", role: "status" });
    const attempts = tries(window);
    const rows = new Map();

    const draw = () => {
        const all = capabilities(here, { origin: welcome.origin, trust }, found, declarations());
        for (const one of all) {
            if (!rows.has(one.id)) {
                const node = make("li", { class: "row capability" });
                rows.set(one.id, { node, shown: null });
                list.append(node);
            }
            const row = rows.get(one.id);
            const data = JSON.stringify(one);
            if (row.shown === data) continue;
            const hadFocus = row.node.contains(document.activeElement);
            row.shown = data;
            row.node.dataset.state = one.state;
            row.node.id = `can-${one.id}`;
            fill(row.node, content(one, here, attempt, answer));
            if (hadFocus) (row.node.querySelector("button") ?? row.node).focus();
        }
        sum.textContent = sentence(all, here);
        changed(all);
    };
    const attempt = async (id) => {
        try {
            found[id] = await attempts[id]();
        } catch (error) {
            console.error(error);
            found[id] = "refused";
        }
        draw();
    };
    const answer = (id, said) => {
        found[id] = said;
        draw();
    };
    draw();
    return [
        sum,
        list,
        make("p", { class: "fine" }, declarations().flatMap((one) => one.capabilities ?? []).join(" ")),
    ];
}

function sentence(all, here) {
    const [working, toTry, never] = ["works", "try", "never"].map((state) => countOf(all, state));
    return [
        working === 0 ? t`None of these works on this ${here.noun} yet.`
            : working === all.length ? t`All of these work on this ${here.noun}.`
                : t`${working} of these work on this ${here.noun}.`,
        toTry > 0 && t`${toTry} more may work: press the button to find out.`,
        never > 0 && t`${never} never will, but there is another way.`,
    ].filter(Boolean).join(" ");
}

function content(one, here, attempt, answer) {
    const room = one.id === "storage" && here.room && one.state !== "locked"
        ? t`It uses ${bytes(here.room.used)} of at most ${bytes(here.room.most)}.` : null;
    return [
        icon(one.icon),
        make("div", { class: "words" },
            make("span", { class: "name" }, one.name),
            make("span", { class: "small second" }, [one.says, room].filter(Boolean).join(" ")),
            one.around && make("span", { class: "small around" }, icon("forward", "xs"), make("span", {}, one.around))),
        make("div", { class: "capability-end" }, end(one, attempt, answer)),
    ];
}

function end(one, attempt, answer) {
    if (one.state === "asked") {
        return [button(t`Yes`, { press: () => answer(one.id, "felt") }),
            button(t`No`, { press: () => answer(one.id, "not-felt") })]
            .map((node) => { node.setAttribute("aria-label", `${node.textContent}: ${one.says}`); return node; });
    }
    const [sign, word] = TAGS[one.state] ?? [];
    const press = one.word && button(one.word, { press: () => attempt(one.id) });
    if (press) press.setAttribute("aria-label", `${one.word}: ${one.name}`);
    return [
        word && make("span", { class: "tag", data: { state: one.state === "do" ? "now" : one.state } }, icon(sign),
            word),
        press,
    ];
}
