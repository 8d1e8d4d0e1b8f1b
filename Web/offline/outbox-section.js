import { button } from "../elements/button.js";
import { icon } from "../elements/icon.js";
import { fill, make } from "../elements/make.js";
import { notice } from "../elements/notice.js";
import { confirm } from "../elements/sheet.js";
import { section as headerSection } from "../elements/header.js";
import { messageOf } from "../app/problem.js";
import { signIn } from "../app/sign-in.js";
import { toast } from "../elements/toast.js";
import { dayAndTime, localInput } from "../text/dates.js";
import { bytes } from "../text/numbers.js";
import { outbox } from "./outbox.js";
import { saveFile } from "./save-file.js";
import { t } from "../language/text.js";

export { outboxMark } from "./outbox-mark.js";

const AT_FIRST = 12;

/**
 * What waits on this device to be sent, and what the hub refused: a section of the settings.
 * @param {{signal?: AbortSignal, section?: (title: string, ...children: any) => HTMLElement}} [context]
 * @returns {HTMLElement}
 */
export function outboxSection(context = {}) {
    const { signal, section = headerSection } = context;
    const body = make("div", { class: "stack" });
    const room = make("p", { class: "fine" });
    const draw = async (entries) => {
        const { lost } = outbox.state ?? {};
        fill(body, lost && lostNotice(lost), entries ? listed(entries) : make("p", { class: "second" },
            t`This browser keeps nothing, so what the hub does not hear at once is lost. A private window may be why.`));
        room.textContent = await roomText();
    };
    outbox.follow(signal, draw);
    return section(t`Waiting to be sent`, body, room);
}

/** @param {import("./waiting-record.js").Waiting} lost */
function lostNotice({ count, at }) {
    return notice({
        icon: "warning", state: "problem", title: t`${count} things that waited here are lost`,
        words: [
            t`This browser emptied the disk of this page before they could be sent. The last was noted ${dayAndTime(at)}.`,
            t`Note them again. An installed Tandem is less likely to be emptied.`,
        ].join(" "),
        actions: [button(t`I have read it`, { icon: "check", press: () => outbox.heedLost() })],
    });
}

function listed(entries) {
    if (entries.length === 0) {
        return make("p", { class: "second" },
            t`Nothing waits. What you note while the hub is away is kept here, and sent when it is back.`);
    }
    const refused = entries.filter((entry) => entry.failed);
    const waiting = entries.filter((entry) => !entry.failed);
    const more = waiting.length - AT_FIRST;
    return [
        make("p", { class: "second", role: "status" }, sums(waiting.length, refused.length)),
        refused.map(rejection),
        waiting.length > 0 && make("ul", { class: "rows" }, waiting.slice(0, AT_FIRST).map(row)),
        more > 0 && make("p", { class: "fine" }, t`And ${more} others.`),
        make("div", { class: "row-of-buttons" },
            waiting.length > 0 && button(t`Try now`, { icon: "refresh", press: () => outbox.deliver({ force: true }) }),
            button(t`Export`, { icon: "download", press: () => save() })),
    ];
}

function sums(waiting, refused) {
    if (refused === 0) return t`${waiting} things wait for the hub.`;
    const said = t`${refused} things were refused by the hub and kept here.`;
    return waiting === 0 ? said : `${said} ${t`${waiting} others wait.`}`;
}

function row(entry) {
    const why = entry.household !== signIn.household?.id
        ? t`until somebody from ${entry.householdName} signs in here`
        : entry.isTakenBack ? t`may have reached the hub: taken back once it answers` : entry.trouble;
    return make("li", { class: "row" }, icon("clock"),
        make("span", { class: "words" },
            make("span", { class: "name" }, entry.title),
            make("span", { class: "fine" }, made(entry)),
            why && make("span", { class: "fine" }, why)),
        make("span", { class: "tag", data: { state: "unknown" } }, t`Waiting`));
}

function rejection(entry) {
    return notice({
        icon: "warning", state: "problem", title: entry.title,
        words: `${entry.failed.detail} ${made(entry)}`,
        actions: [
            button(t`Try again`, { icon: "refresh", press: () => outbox.retry(entry.id) }),
            button(t`Export`, { icon: "download", press: () => save(entry) }),
            button(t`Discard`, { kind: "quiet", icon: "trash", press: () => discard(entry) }),
        ],
    });
}

function made({ personName, madeAt, size }) {
    return `${personName}, ${dayAndTime(madeAt)}${size > 2000 ? `, ${bytes(size)}` : ""}`;
}

async function save(entry) {
    try {
        saveFile(await outbox.export(entry?.id), `tandem-outbox-${localInput(Date.now()).replace(/\D/g, "")}.json`);
    } catch (error) {
        toast(messageOf(error), { icon: "warning" });
    }
}

function discard(entry) {
    confirm({
        title: t`Discard “${entry.title}”?`, yes: t`Discard it`,
        lead: entry.sent === false
            ? t`The hub refused it, and nobody else has it. Export it first if you may want it.`
            : t`The hub refused it now. It may have it already, from an earlier try whose answer was lost: only this device forgets it. Export it first if you may want it.`,
        act: () => outbox.drop(entry.id),
    });
}

async function roomText() {
    /** @type {StorageEstimate} */
    const none = {};
    const { usage, quota } = await navigator.storage?.estimate?.().catch(() => none) ?? none;
    const isStored = await navigator.storage?.persisted?.().catch(() => false);
    return [
        quota && t`Uses ${bytes(usage)} of this device’s storage, and may take up to ${bytes(quota)}.`,
        isStored ? t`The browser keeps it when room is short.`
            : t`When room is short this browser may clear it. That is less likely once Tandem is installed.`,
        t`It is not encrypted: whoever can open this device can read what waits.`,
    ].filter(Boolean).join(" ");
}
