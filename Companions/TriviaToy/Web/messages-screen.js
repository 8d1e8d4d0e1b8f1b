import { get, isAborted, remove } from "../app/api.js";
import { live } from "../app/live.js";
import { messageOf } from "../app/problem.js";
import { signIn } from "../app/sign-in.js";
import { age } from "../elements/age.js";
import { iconButton } from "../elements/button.js";
import { header, section } from "../elements/header.js";
import { icon } from "../elements/icon.js";
import { fill, make } from "../elements/make.js";
import { calmNotice } from "../elements/notice.js";
import { confirm } from "../elements/sheet.js";
import { linesSkeleton, rowsSkeleton } from "../elements/skeleton.js";
import { toast } from "../elements/toast.js";
import { durationText } from "../text/durations.js";
import { t } from "../language/text.js";
import { recordSection } from "./message-record.js";
import { overview } from "./overview.js";
import { playSound } from "./speech.js";

/** Messages that somebody recorded: each is heard in place of a fact. */
export async function openMessages({ screen, signal, title }) {
    title(t`Messages`);
    const top = header({
        back: { href: "/toy", word: t`Toy` }, say: t`A message in place of a fact`,
        lead: t`Grandma says good night, and it comes in place of the next fact.`,
    });
    const list = make("div", { "aria-live": "polite" }, rowsSkeleton(2));
    const recording = make("div", {}, signIn.isAdult && linesSkeleton(50, 90, 70));
    const limit = make("p", { class: "small second" },
        t`A page plays it: the one that tells facts, and that of a toy on a computer. The module of a toy in the hand speaks written words alone. There a message cannot be played, and it waits until a page has played it.`);
    const content = make("div", { class: "content" }, limit, recording, section(t`Recorded so far`, list));
    screen.append(top.node, content);
    await overview.load().catch(() => {});
    let isRecordingShown = false;
    const load = async () => {
        try {
            show(await get("/api/toy/messages", { signal }));
        } catch (error) {
            if (signal.aborted || isAborted(error)) return;
            if (!isRecordingShown) fill(recording);
            fill(list, calmNotice(error, { retry: load }));
        }
    };
    const show = ({ messages, limits }) => {
        if (signal.aborted) return;
        if (signIn.isAdult && !isRecordingShown) {
            isRecordingShown = true;
            fill(recording, recordSection({ limits, signal, sent: load }));
        }
        fill(list, messages.length === 0 ? make("p", { class: "second" }, t`No message yet.`)
            : make("ul", { class: "rows" }, messages.map(row)));
    };
    let sound = null;
    signal.addEventListener("abort", () => sound?.stop());
    const row = (message) => {
        const seconds = durationText(message.milliseconds / 1000);
        const name = overview.person(message.person)?.name ?? t`somebody`;
        return make("li", { class: "row" }, icon("voice"),
            make("span", { class: "words" },
                make("span", { class: "name" }, t`${message.title} for ${name}, ${seconds}`),
                message.heardAt ? age(message.heardAt, { words: (ago) => t`heard ${ago}` })
                    : make("span", { class: "fine" }, t`waits to be heard`)),
            iconButton(t`Listen to ${message.title}`, "play", () => {
                sound?.stop();
                sound = playSound(`/api/toy/messages/${message.id}/audio`);
                sound.ended.then((ending) => {
                    if (ending === "unable") toast(t`This recording cannot be played right now.`, { icon: "warning" });
                });
            }),
            signIn.isAdult && iconButton(t`Remove the message of ${message.title}`, "trash", () => confirm({
                title: t`Remove this message?`, lead: t`Its sound goes with it.`, yes: t`Remove it`,
                act: async () => {
                    await remove(/** @type {any} */ (`/api/toy/messages/${message.id}`));
                    await load();
                },
            })));
    };
    live.addEventListener("changed", ({ detail }) => {
        if (detail.companion === "toy" && detail.what === "message") load();
    }, { signal });
    live.addEventListener("state", ({ detail }) => {
        if (detail.state === "open" && detail.was === "lost") load();
    }, { signal });
    await load();
}
