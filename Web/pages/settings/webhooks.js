import { button } from "../../elements/button.js";
import { copyLine } from "../../elements/copy.js";
import { field } from "../../elements/field.js";
import { form } from "../../elements/form.js";
import { icon } from "../../elements/icon.js";
import { fill, make } from "../../elements/make.js";
import { confirm, menu, sheet } from "../../elements/sheet.js";
import { toggle } from "../../elements/switch.js";
import { toast } from "../../elements/toast.js";
import { get, post, put, remove } from "../../app/api.js";
import { live } from "../../app/live.js";
import { messageOf } from "../../app/problem.js";
import { signIn } from "../../app/sign-in.js";
import { houseAddressField } from "../../reminders/house-address.js";
import { dayAndTimeWithin } from "../../text/dates.js";
import { loaded } from "./loaded.js";
import { listed, t } from "../../language/text.js";

/** Webhooks: addresses of other programs that are told chosen events, such as that somebody has brushed. */
export function webhooksSection({ signal, section }) {
    const part = loaded(() => get("/api/webhooks", { signal }), (data) => draw(data, part.reload), signal);
    live.addEventListener("reset", part.reload, { signal });
    live.addEventListener("changed", ({ detail }) => {
        if (detail.companion === "hub" && detail.what === "webhook") part.reload();
    }, { signal });
    return section(t`Webhooks`, part.node);
}

function draw({ webhooks, events }, changed) {
    return [
        make("p", { class: "second" }, t`Another program is told at once when something happens here: a POST of JSON to its address, signed.`),
        webhooks.length > 0 && make("ul", { class: "rows" }, webhooks.map((webhook) => row(webhook, events, changed))),
        events.length > 0
            ? make("div", { class: "row-of-buttons" },
                button(t`Add a webhook`, { icon: "plus", press: () => addWebhook(events, changed) }))
            : make("p", { class: "second with-sign" }, icon("info", "s"),
                make("span", {}, t`There is nothing to tell of yet.`)),
    ];
}

const titleOf = (slug) => signIn.companions.find((one) => one.slug === slug)?.title ?? slug;
const keyOf = ({ companion, event }) => `${companion} ${event}`;
const wordOf = (event, events) => events.find((one) => keyOf(one) === keyOf(event))?.title ?? event.event;

function row(webhook, events, changed) {
    const { name, address, lastError, lastAt } = webhook;
    const sent = listed(webhook.events.map((event) => wordOf(event, events)));
    return make("li", {},
        make("button", { class: "row", type: "button", on: { click: () => choose(webhook, events, changed) } }, icon("out"),
            make("span", { class: "words" }, make("span", { class: "name" }, name),
                make("span", { class: "fine" }, new URL(address).host),
                make("span", { class: "fine" }, lastAt ? t`${sent}, last ${dayAndTimeWithin(lastAt)}` : t`${sent}, nothing told yet`)),
            icon("forward", "s")),
        lastError && make("p", { class: "problem" }, icon("warning"), make("span", {}, lastError)));
}

function choose(webhook, events, changed) {
    const { id, name } = webhook;
    menu(name, [
        {
            word: t`Try it`, icon: "out", hint: t`Sends an event that says nothing`,
            act: async () => {
                try {
                    await post(/** @type {const} */ (`/api/webhooks/${id}/try`));
                    toast(t`On its way. What comes of it stands in the list.`, { icon: "out" });
                } catch (error) {
                    toast(messageOf(error), { icon: "warning" });
                }
            },
        },
        { word: t`What it is told`, icon: "edit", act: () => changeWebhook(webhook, events, changed) },
        {
            word: t`Remove`, icon: "trash", act: () => confirm({
                title: t`Remove ${name}?`, lead: t`It is told nothing more, nor what still waits for it.`, yes: t`Remove`,
                act: async () => {
                    await remove(/** @type {const} */ (`/api/webhooks/${id}`));
                    await changed();
                },
            }),
        },
    ]);
}

/** The switches of events and of people. */
function choices(events, chosen, people) {
    const selected = new Set(chosen.map(keyOf));
    const of = new Set(people);
    const set = (all, key, on) => (on ? all.add(key) : all.delete(key));
    const whose = make("div", { class: "stack" }, make("span", { class: "label" }, t`Of whom`),
        make("p", { class: "small second" }, t`Nobody appears until you say so.`),
        signIn.people.map(({ id, name }) => toggle({ name, on: of.has(id), change: (on) => set(of, id, on) }).node));
    const show = () => { whose.hidden = !events.some((one) => one.isOfPeople && selected.has(keyOf(one))); };
    const said = make("p", { class: "problem", hidden: true });
    const node = make("div", { class: "stack" },
        make("span", { class: "label" }, t`What it is told`),
        events.map((one) => toggle({
            name: one.title, hint: titleOf(one.companion), on: selected.has(keyOf(one)),
            change: (on) => {
                set(selected, keyOf(one), on);
                show();
            },
        }).node), said, whose);
    show();
    return {
        name: "events", node,
        problem(words) {
            said.hidden = !words;
            fill(said, words && [icon("warning"), make("span", {}, words)]);
        },
        get events() { return events.filter((one) => selected.has(keyOf(one))).map(({ companion, event }) => ({ companion, event })); },
        get people() { return signIn.people.map(({ id }) => id).filter((id) => of.has(id)); },
    };
}

function changeWebhook(webhook, events, changed) {
    const chosen = choices(events, webhook.events, webhook.people);
    const opened = sheet(webhook.name, {
        body: [make("div", { class: "stack" }, form({
            fields: [chosen], word: t`Keep`,
            send: async () => {
                await put(/** @type {const} */ (`/api/webhooks/${webhook.id}`), { events: chosen.events, people: chosen.people });
                opened.close();
                await changed();
            },
        }))],
    });
}

function addWebhook(events, changed) {
    const name = field({ label: t`Name`, name: "name", required: true, hint: t`By which you know it again, such as Node-RED` });
    const address = field({
        label: t`Address`, name: "address", required: true, hint: t`https://, or http:// within your own network`,
        attributes: { inputmode: "url", spellcheck: "false" },
    });
    const houseAddress = houseAddressField();
    const chosen = choices(events, [], []);
    const body = make("div", { class: "stack" });
    const opened = sheet(t`Add a webhook`, {
        lead: t`Whoever has this address learns what you choose here.`, body: [body], closed: changed,
    });
    fill(body, form({
        fields: [name, address, houseAddress, chosen], word: t`Add`, icon: "plus",
        send: async () => show(await post("/api/webhooks", {
            name: name.value.trim(), address: address.value.trim(), houseAddress: houseAddress.value.trim() || undefined,
            events: chosen.events, people: chosen.people,
        })),
    }));
    /** @param {{key: string}} made */
    const show = ({ key }) => fill(body,
        make("div", { class: "field" }, make("span", { class: "label" }, t`Key`), copyLine(key, t`Copy the key`)),
        make("p", { class: "small second" }, t`Each message has X-Hub-Signature: sha256= and the HMAC-SHA256 of its body with this key. Compare it before you believe one.`),
        make("p", { class: "small strong" }, t`The key is shown only this once.`),
        make("div", { class: "sheet-actions" }, button(t`Done`, { kind: "primary", press: () => opened.close() })));
}
