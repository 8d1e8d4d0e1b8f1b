import { button } from "../elements/button.js";
import { face } from "../elements/face.js";
import { field } from "../elements/field.js";
import { form } from "../elements/form.js";
import { icon } from "../elements/icon.js";
import { make } from "../elements/make.js";
import { segmented } from "../elements/segmented.js";
import { confirm, menu, sheet } from "../elements/sheet.js";
import { toast } from "../elements/toast.js";
import { get, post, remove } from "../app/api.js";
import { live } from "../app/live.js";
import { messageOf } from "../app/problem.js";
import { signIn } from "../app/sign-in.js";
import { loaded } from "../pages/settings/loaded.js";
import { mailAccountRow } from "../pages/settings/mail-account.js";
import { dayAndTimeWithin } from "../text/dates.js";
import { houseAddressField } from "./house-address.js";
import { t } from "../language/text.js";

/**
 * The channels by which reminders arrive besides: ntfy and email, for phones that get no notifications of a browser. Only an
 * adult may.
 * @param {AbortSignal} signal
 */
export function channels(signal) {
    const load = async () => {
        const [{ channels: all }, { account }] = await Promise.all(
            [get("/api/channels", { signal }), get("/api/mail-account", { signal })]);
        return { all, account };
    };
    const part = loaded(load, (data) => draw(data, part.reload), signal);
    live.addEventListener("changed", ({ detail }) => {
        if (detail.companion === "hub" && detail.what === "channel") part.reload();
    }, { signal });
    return part.node;
}

function draw({ all, account }, changed) {
    const hasMail = Boolean(account);
    return [
        make("div", { class: "row feed-head" }, icon("phone"),
            make("span", { class: "words" },
                make("span", { class: "name" }, t`ntfy and email`),
                make("span", { class: "fine" }, t`for phones without Google or Apple`)),
            button(t`Add`, { kind: "quiet", icon: "plus", press: () => addChannel(hasMail, changed) })),
        (all.length > 0 || hasMail) && make("ul", { class: "rows" },
            all.map((channel) => row(channel, changed)), hasMail && mailAccountRow(account, changed)),
    ];
}

const nameOf = (person) => signIn.people.find(({ id }) => id === person)?.name ?? "";

function row(channel, changed) {
    const { kind, address, person, isConfirmed, lastError, lastAt } = channel;
    const about = !isConfirmed ? t`waits for the code that was sent there`
        : lastAt ? t`for ${nameOf(person)}, last ${dayAndTimeWithin(lastAt)}` : t`for ${nameOf(person)}, nothing sent yet`;
    return make("li", {},
        make("button", { class: "row", type: "button", on: { click: () => choose(channel, changed) } },
            icon(kind === "ntfy" ? "bell" : "words"),
            make("span", { class: "words" }, make("span", { class: "name" }, shortOf(address)),
                make("span", { class: "fine" }, about)),
            !isConfirmed && make("span", { class: "tag", data: { state: "unknown" } }, icon("clock"), t`Not confirmed`),
            icon("forward", "s")),
        lastError && make("p", { class: "problem" }, icon("warning"), make("span", {}, lastError)));
}

/** An address as people say it. */
const shortOf = (address) => address.replace(/^https:\/\//, "");

function choose(channel, changed) {
    const { id, address, isConfirmed } = channel;
    menu(shortOf(address), [
        isConfirmed && {
            word: t`Try it`, icon: "bell", hint: t`Sends a message there now`,
            act: () => tell(async () => {
                await post(/** @type {const} */ (`/api/channels/${id}/try`));
                toast(t`Sent. It should be there within a few seconds.`, { icon: "bell" });
            }),
        },
        !isConfirmed && { word: t`Type the code`, icon: "key", act: () => typeCode(channel, changed) },
        {
            word: t`Remove`, icon: "trash", act: () => confirm({
                title: t`Remove this?`, lead: t`No reminders for ${nameOf(channel.person)} go to ${shortOf(address)} any more.`,
                yes: t`Remove`,
                act: async () => {
                    await remove(/** @type {const} */ (`/api/channels/${id}`));
                    await changed();
                },
            }),
        },
    ].filter(Boolean));
}

/** Does what was pressed in a list that has closed, and says what came in its way. */
async function tell(work) {
    try {
        await work();
    } catch (error) {
        toast(messageOf(error), { icon: "warning" });
    }
}

function typeCode({ id, address }, changed) {
    const code = field({
        label: t`Code`, name: "code", required: true, autocomplete: "one-time-code", attributes: { inputmode: "numeric" },
    });
    const opened = sheet(t`Type the code`, {
        lead: t`It was sent to ${address}, and is good for half an hour. Look into the folder for unwanted mail, too.`,
        body: [make("div", { class: "stack" },
            form({
                fields: [code], word: t`Confirm`, icon: "check",
                send: async () => {
                    await post(/** @type {const} */ (`/api/channels/${id}/confirm`), { code: code.value });
                    opened.close();
                    toast(t`Confirmed. Reminders go there from now on.`, { icon: "check" });
                    await changed();
                },
            }),
            button(t`Send another code`, {
                kind: "quiet",
                press: () => tell(async () => {
                    await post(/** @type {const} */ (`/api/channels/${id}/code`));
                    toast(t`Another code is on its way.`);
                }),
            }))],
    });
}

function addChannel(hasMail, changed) {
    /** @type {"ntfy" | "email"} */
    let kind = "ntfy";
    let person = signIn.profile.id;
    const who = segmented(t`For whom`, signIn.people.map(({ id, name }) => ({ value: id, word: name })), person,
        (id) => { person = id; }, { areChips: true });
    for (const [i, one] of [...who.children].entries()) one.prepend(face(signIn.people[i], "s"));
    const address = field({
        label: t`Address`, name: "address", required: true, attributes: { inputmode: "url", spellcheck: "false" },
    });
    const houseAddress = houseAddressField();
    const token = field({
        label: t`Token, if the topic wants one`, name: "token", hint: t`ntfy makes it: Account, Access tokens`,
        attributes: { spellcheck: "false" },
    });
    const say = make("p", { class: "small second" });
    const show = () => {
        const isTopic = kind === "ntfy";
        address.input.placeholder = isTopic ? "https://ntfy.example/our-topic" : "mila@linden.example"; // not shown: examples
        token.node.hidden = !isTopic;
        say.textContent = isTopic
            ? t`Make up a topic that nobody guesses, subscribe to it in the ntfy app, and type its address here. Whoever knows a topic can read it, and so can the server.`
            : hasMail ? t`A code is sent to this address first: only its owner can confirm it.`
                : t`Emails need an account of yours to send them by. Add that first, below.`;
    };
    const kinds = segmented(t`By what`, [{ value: "ntfy", word: t`ntfy` }, { value: "email", word: t`Email` }], "ntfy", (value) => {
        kind = value === "email" ? "email" : "ntfy";
        houseAddress.node.hidden = true;
        show();
    });
    show();
    const labelled = (label, node) => ({
        name: "person", problem: () => {}, node: make("div", { class: "field" }, make("span", { class: "label" }, label), node),
    });
    const opened = sheet(t`Add ntfy or email`, {
        lead: t`Reminders then go there as well, also while Tandem is closed.`,
        body: [make("div", { class: "stack" }, kinds, say, form({
            fields: [labelled(t`For whom`, who), address, houseAddress, token], word: t`Add`, icon: "plus",
            send: async () => {
                const made = await post("/api/channels", {
                    kind, person, address: address.value.trim(), houseAddress: houseAddress.value.trim() || undefined,
                    token: kind === "ntfy" ? token.value.trim() : undefined,
                });
                opened.close();
                if (!made.isConfirmed) typeCode(made, changed);
                await changed();
            },
        }), !hasMail && mailAccountRow(null, changed, () => opened.close()))],
    });
}
