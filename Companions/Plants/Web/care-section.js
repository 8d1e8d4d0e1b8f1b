import { button, iconButton } from "../elements/button.js";
import { icon } from "../elements/icon.js";
import { fill, make } from "../elements/make.js";
import { calmNotice } from "../elements/notice.js";
import { sheet } from "../elements/sheet.js";
import { toast } from "../elements/toast.js";
import { form } from "../elements/form.js";
import { get, isAborted, post, remove } from "../app/api.js";
import { now } from "../app/clock.js";
import { live } from "../app/live.js";
import { messageOf } from "../app/problem.js";
import { signIn } from "../app/sign-in.js";
import { outbox } from "../offline/outbox.js";
import { dayAndTime } from "../text/dates.js";
import { concerns, plantStore } from "./plant-store.js";
import { showPhoto, takePhoto } from "./photo.js";
import { t } from "../language/text.js";

const AT_FIRST = 5;
const PATIENCE = 2500; // milliseconds: a hub that is there has stored it by then
const WORDS = { fertilised: t`Fertilised`, repotted: t`Repotted`, note: t`Note` };
const ICONS = { fertilised: "fertiliser", repotted: "pot", note: "edit" };

/**
 * What was done for a plant besides watering, and notes about it. Each goes through the outbox, as a watering does.
 * @param {{path: `/api/plants/${string}`, signal: AbortSignal, plant: () => object}} context
 */
export function careSection({ path, signal, plant }) {
    const body = make("div", { class: "stack" });
    const due = make("p", { class: "second", hidden: true });
    const node = make("section", { class: "section", "aria-labelledby": "care" },
        make("h2", { id: "care" }, t`Care`), due,
        make("div", { class: "row-of-buttons care-buttons" },
            button(t`I fertilised it`, { icon: ICONS.fertilised, press: () => note("fertilised", "") }),
            button(t`I repotted it`, { icon: ICONS.repotted, press: () => note("repotted", "") }),
            button(t`Write a note`, { icon: ICONS.note, press: () => write() }),
            button(t`Take a picture`, { icon: "photo", press: () => photograph() })),
        body);
    let entries = null;
    let trouble = null;
    let all = false;
    let next = [];
    /** What was noted here and the hub does not know yet: it is due no longer. */
    let noted = new Set();

    const showDue = () => {
        const words = next.filter(({ what }) => !noted.has(what)).map((one) => one.words);
        due.hidden = words.length === 0;
        due.textContent = words.join(" ");
    };
    const load = async () => {
        try {
            entries = await get(`${path}/care`, { signal });
            trouble = null;
        } catch (error) {
            if (isAborted(error)) return;
            trouble = error;
        }
        draw();
    };
    const draw = () => {
        const shown = (entries ?? []).slice(0, all ? undefined : AT_FIRST);
        fill(body,
            shown.length > 0 && make("ol", { class: "rows" }, shown.map(row)),
            entries?.length > AT_FIRST && !all && make("div", { class: "row-of-buttons" },
                button(t`Show all ${entries.length}`, { icon: "down", press: () => { all = true; draw(); } })),
            !entries && trouble && calmNotice(trouble, { retry: load }));
    };
    const nameOf = (entry) => entry.note || (entry.photo ? t`Picture` : WORDS[entry.what]);
    const whenOf = (entry) => entry.person ? t`${dayAndTime(entry.at)}, ${entry.person}` : dayAndTime(entry.at);
    const photoOf = (entry) => `${path}/photos/${encodeURIComponent(entry.id)}`;
    const row = (entry) => make("li", { class: "row" },
        entry.photo ? make("button", {
            class: "thumbnail", type: "button", "aria-label": t`Show the picture of ${dayAndTime(entry.at)}`,
            on: { click: () => openPhoto(entry) },
        }, make("img", { src: photoOf(entry), alt: "", loading: "lazy", decoding: "async" })) : icon(ICONS[entry.what]),
        make("span", { class: "words" },
            make("span", { class: "name" }, nameOf(entry)),
            make("span", { class: "fine" }, whenOf(entry))),
        iconButton(t`Remove this entry`, "trash", () => take(entry)));
    const take = async (entry) => {
        const entryPath = /** @type {const} */ (`${path}/care/${encodeURIComponent(entry.id)}`);
        try {
            await remove(entryPath);
            await load();
            plantStore.soon();
            toast(t`The entry was removed.`, {
                icon: "trash", undo: async () => {
                    await post(`${entryPath}/restore`);
                    await load();
                    plantStore.soon();
                },
            });
        } catch (error) {
            toast(messageOf(error), { icon: "warning" });
        }
    };
    const openPhoto = (entry) => showPhoto({
        title: nameOf(entry), words: whenOf(entry), address: photoOf(entry),
        actions: (opened) => button(t`Remove this entry`, {
            kind: "quiet", icon: "trash", press: async () => { await take(entry); opened.close(); },
        }),
    });
    const photograph = () => takePhoto(t`A picture of ${plant().name}`, ({ bytes, note: text }) => {
        const { id: plantId, name } = plant();
        const at = now();
        // The words go before the picture, not into the address, which the log of a proxy would have.
        const words = new TextEncoder().encode(text);
        const body = new Uint8Array(words.length + bytes.byteLength);
        body.set(words);
        body.set(new Uint8Array(bytes), words.length);
        return keep({
            queue: `plant ${plantId}`, title: t`${name}: ${t`Picture`}`, about: { at }, type: "application/octet-stream",
            path: `/api/plants/${encodeURIComponent(plantId)}/photos?at=${at}&noteBytes=${words.length}`, bytes: body,
        }, "photo");
    });
    const note = (what, text) => {
        const { id: plantId, name } = plant();
        const at = now();
        return keep({
            queue: `plant ${plantId}`, path: `/api/plants/${encodeURIComponent(plantId)}/care`,
            title: t`${name}: ${WORDS[what]}`, about: { at, what },
            bytes: new TextEncoder().encode(JSON.stringify({ what, note: text, at, person: signIn.profile.id })),
        }, ICONS[what]);
    };
    const keep = async (request, symbol) => {
        const { id: plantId, name } = plant();
        const carePath = /** @type {const} */ (`/api/plants/${encodeURIComponent(plantId)}/care`);
        const id = await outbox.add(request);
        const outcome = await outbox.outcome(id, PATIENCE);
        if (outcome.came === "failed") {
            toast(outcome.failed.detail, { icon: "warning" });
            return;
        }
        if (outcome.came !== "delivered") {
            toast(t`${name}: saved on this device, and sent when the hub is back.`, { icon: symbol });
            return;
        }
        await load();
        plantStore.soon();
        const response = outcome.response;
        toast(t`${name}: saved.`, { icon: symbol, undo: response?.id && (async () => {
            await remove(`${carePath}/${encodeURIComponent(response.id)}`);
            await load();
            plantStore.soon();
        }) });
    };
    const write = () => {
        const text = make("textarea", { class: "input", rows: 4, maxlength: 500, "aria-label": t`Note` });
        const said = make("p", { class: "problem", hidden: true });
        const asked = {
            name: "note", node: make("div", { class: "field" }, text, said), input: text,
            problem: (words) => {
                said.hidden = !words;
                said.textContent = words ?? "";
            },
        };
        const opened = sheet(t`A note about ${plant().name}`, {
            body: [form({
                fields: [asked], word: t`Save`, icon: "check",
                send: async () => {
                    if (!text.value.trim()) {
                        asked.problem(t`Write a few words first.`);
                        return;
                    }
                    await note("note", text.value.trim());
                    opened.close();
                },
            })],
        });
        text.focus();
    };
    live.addEventListener("changed", ({ detail }) => { if (concerns(detail, plant())) load(); }, { signal });
    live.addEventListener("reset", load, { signal });
    outbox.addEventListener("delivered", ({ detail }) => { if (detail.path.startsWith(path)) load(); }, { signal });
    outbox.follow(signal, (waiting) => {
        noted = new Set(waiting?.filter((entry) => entry.path === `${path}/care` && !entry.failed && !entry.isTakenBack)
            .map((entry) => entry.about?.what));
        showDue();
    });
    load();
    return {
        node,
        show: ({ due: asked = [] }) => {
            next = asked;
            showDue();
        },
    };
}
