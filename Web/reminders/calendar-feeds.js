import { age } from "../elements/age.js";
import { button } from "../elements/button.js";
import { copyLine } from "../elements/copy.js";
import { face } from "../elements/face.js";
import { icon } from "../elements/icon.js";
import { fill, make } from "../elements/make.js";
import { problemNotice } from "../elements/notice.js";
import { qrCode } from "../elements/qr-code.js";
import { confirm, sheet } from "../elements/sheet.js";
import { toast } from "../elements/toast.js";
import { get, post, remove } from "../app/api.js";
import { signIn } from "../app/sign-in.js";
import { loaded } from "../pages/settings/loaded.js";
import { shortDate } from "../text/dates.js";
import { listed, t } from "../language/text.js";

/**
 * Calendar feeds: a link that any calendar subscribes to, for phones that get no notification. Each is made here, shown
 * once, and ended here. Only an adult may.
 * @param {AbortSignal} signal
 */
export function calendarFeeds(signal) {
    const part = loaded(() => get("/api/calendar-feeds", { signal }), (data) => draw(data.feeds ?? data, part.reload),
        signal);
    return part.node;
}

function draw(feeds, changed) {
    return [
        make("div", { class: "row feed-head" },
            icon("calendar"),
            make("span", { class: "words" },
                make("span", { class: "name" }, t`Calendar feed`),
                make("span", { class: "fine" }, t`for phones that get no notifications`)),
            button(t`Make a link`, { kind: "quiet", icon: "plus", press: () => makeFeed(changed) })),
        feeds.length > 0 && make("ul", { class: "rows" }, feeds.map((feed) => row(feed, changed))),
    ];
}

function row(feed, changed) {
    const names = namesOf(feed.people);
    const end = button(t`End`, { kind: "quiet", press: () => ask(feed, names, changed) });
    end.setAttribute("aria-label", names ? t`End the calendar feed for ${names}` : t`End the calendar feed for everybody`);
    return make("li", { class: "row" }, icon("out"),
        make("span", { class: "words" },
            make("span", { class: "name" }, names ? t`For ${names}` : t`For everybody`),
            make("span", { class: "fine" }, usedText(feed))),
        end);
}

/** When it was made, and when a calendar read it last. */
function usedText({ createdAt, readAt }) {
    const day = createdAt && shortDate(createdAt);
    if (!readAt) return day ? t`made ${day}, not read yet` : t`not read yet`;
    return age(readAt, { plain: true, words: (ago) => (day ? t`made ${day}, read ${ago}` : t`read ${ago}`) });
}

function ask({ id }, names, changed) {
    confirm({
        title: t`End this calendar feed?`, yes: t`End it`, no: t`Keep it`,
        lead: names ? t`Calendars that read it get nothing more for ${names}. Its link will never work again.`
            : t`Calendars that read it get nothing more. Its link will never work again.`,
        act: async () => {
            await remove(`/api/calendar-feeds/${encodeURIComponent(id)}`);
            toast(t`The link has ended.`, { icon: "calendar" });
            await changed();
        },
    });
}

function makeFeed(changed) {
    const chosen = new Set(signIn.people.filter(({ role }) => role === "child").map(({ id }) => id));
    if (chosen.size === 0) chosen.add(signIn.profile.id);
    const trouble = make("div", { "aria-live": "assertive" });
    const body = make("div", { class: "stack" });
    const opened = sheet(t`A calendar feed`, {
        lead: t`A link with the reminders of the coming weeks. Whoever has it can read them, and nothing else.`,
        body: [body],
        closed: changed,
    });
    fill(body,
        make("span", { class: "label", id: "feed-whose" }, t`For whom`),
        make("div", { class: "chips", role: "group", "aria-labelledby": "feed-whose" },
            signIn.people.map((person) => make("button", {
                class: "chip", type: "button", "aria-pressed": chosen.has(person.id),
                on: {
                    click: ({ currentTarget }) => {
                        if (!chosen.delete(person.id)) chosen.add(person.id);
                        currentTarget.setAttribute("aria-pressed", String(chosen.has(person.id)));
                    },
                },
            }, face(person, "s"), person.name))),
        trouble,
        make("div", { class: "sheet-actions" }, button(t`Make the link`, {
            kind: "primary", icon: "calendar",
            press: async () => {
                try {
                    show(await post("/api/calendar-feeds", { people: [...chosen] }, { signal: opened.signal }));
                } catch (error) {
                    fill(trouble, problemNotice(error));
                }
            },
        })));
    /** @param {Reminders.NewFeedResponse} made */
    const show = ({ url, qr }) => {
        fill(body,
            qr && make("div", { class: "qr-place" }, qrCode(qr, t`QR code of the calendar feed`)),
            make("div", { class: "field" }, make("span", { class: "label" }, t`Link`), copyLine(url, t`Copy the link`)),
            make("p", { class: "small second" }, t`Add it in the phone’s calendar as a subscription, or look at the code with its camera. It works in this house’s Wi-Fi; the calendar keeps what it has read.`),
            make("p", { class: "small strong" }, t`It is shown only now: the hub keeps no copy that could be read.`),
            make("div", { class: "sheet-actions" }, button(t`Done`, { press: () => opened.close() })));
        body.querySelector(".line code")?.focus(); // not shown: a selector
    };
}

/** Of whom it is, in words; null where it is of everybody. */
function namesOf(people) {
    const names = (people ?? []).map((id) => signIn.people.find((one) => one.id === id)?.name).filter(Boolean);
    return names.length === 0 || names.length === signIn.people.length ? null : listed(names);
}
