import { button } from "../elements/button.js";
import { face } from "../elements/face.js";
import { focusedIn } from "../elements/focused.js";
import { icon } from "../elements/icon.js";
import { fill, make } from "../elements/make.js";
import { calmNotice } from "../elements/notice.js";
import { linesSkeleton } from "../elements/skeleton.js";
import { storedControls } from "../elements/stored-controls.js";
import { toggle } from "../elements/switch.js";
import { toast } from "../elements/toast.js";
import { isAborted } from "../app/api.js";
import { live } from "../app/live.js";
import { messageOf } from "../app/problem.js";
import { signIn } from "../app/sign-in.js";
import { isBarWanted, wantBar } from "./bar-wanted.js";
import { push, usualPeople } from "./push.js";
import { t } from "../language/text.js";

/**
 * How reminders reach this device: by notifications, with what is missing for them in words, and on the open page.
 * @param {AbortSignal} signal
 */
export function thisDevice(signal) {
    const waiting = linesSkeleton(60, 80);
    waiting.dataset.late = ""; // a browser takes its time to say what it can: nothing waits for it
    const notifications = make("div", { class: "stack" }, waiting);
    const trouble = make("p", { class: "problem", role: "alert", hidden: true });
    const say = (words) => {
        trouble.hidden = !words;
        fill(trouble, words && [icon("warning"), make("span", {}, words)]);
    };
    const { show, save } = storedControls(notifications, () => draw());
    /** Does what was pressed, and says what came in its way. */
    const act = async (work) => {
        say(null);
        try {
            await work();
        } catch (error) {
            say(error instanceof DOMException
                ? t`The browser’s push service refused. ${error.message}` : messageOf(error));
        }
    };
    const load = async () => {
        try {
            await push.look(signal);
        } catch (error) {
            if (!isAborted(error) && !push.is) fill(notifications, calmNotice(error, { retry: load }));
        }
    };
    const draw = () => {
        const shown = focusedIn(notifications);
        const was = shown ? shown.dataset.id ?? shown.getAttribute("aria-label") : null;
        fill(notifications, notificationPart(trouble, { act, change: (work) => act(() => save(work)) }));
        // not shown: a selector
        if (was) [...notifications.querySelectorAll("input, button")].find((one) => one.dataset.id === was)?.focus();
    };
    const data = () => { if (push.is) show(push.is); };
    push.addEventListener("change", data, { signal });
    live.addEventListener("changed", ({ detail }) => {
        if (detail.companion === "hub" && detail.what === "push") load();
    }, { signal });
    live.addEventListener("state", ({ detail }) => {
        if (detail.state === "open" && !push.is) load();
    }, { signal });
    data();
    load();
    return make("div", { class: "rows" }, notifications, barSwitch());
}

function notificationPart(trouble, { act, change }) {
    const { can, isOn, lastError, host } = push.is;
    if (!["works", "try"].includes(can.state) && !isOn) return missing(can);
    const { node, input } = toggle({
        name: t`Notifications on this device`, on: isOn,
        hint: isOn && host ? t`They also come while Tandem is closed, by way of ${host}`
            : t`They also come while Tandem is closed`,
        change: (on) => {
            node.setAttribute("aria-busy", "true"); // until it is drawn anew
            change(async () => {
                if (!on) await push.unsubscribe();
                else if (await push.subscribe(usualPeople()) !== "granted") await push.look();
            });
        },
    });
    input.dataset.id = "notifications";
    return [
        node, trouble,
        push.refused && make("p", { class: "problem" }, icon("warning"), make("span", {},
            t`The browser changed its subscription, and the hub did not take the new one. ${push.refused}`)),
        lastError && make("p", { class: "problem" }, icon("warning"), make("span", {}, lastError)),
        isOn && whose(change),
        isOn && make("div", { class: "row-of-buttons" }, button(t`Try it on this device`, {
            icon: "bell",
            press: () => act(async () => {
                await push.sendOne();
                toast(t`Sent. It should be here within a few seconds.`, { icon: "bell" });
            }),
        })),
    ];
}

/** What is missing, and the way round. */
function missing({ state, says, around }) {
    return make("div", { class: "row push-missing", data: { state } },
        icon(state === "locked" ? "lock" : "bell"),
        make("span", { class: "words" },
            make("span", { class: "name" }, t`No notifications on this device`),
            make("span", { class: "small second" }, says),
            around && make("span", { class: "fine" }, around)),
        state !== "never" && make("a", { class: "button", data: { kind: "quiet" }, href: "/welcome" }, t`What to do`));
}

/** For whom they come to this device. */
function whose(change) {
    const chosen = new Set(push.is.people);
    const people = signIn.people.filter(({ id, role }) => role === "child" || chosen.has(id)
        || id === signIn.profile.id || id === signIn.person.id);
    return make("div", { class: "stack" },
        make("span", { class: "small strong", id: "push-whose" }, t`For whom`),
        make("div", { class: "chips", role: "group", "aria-labelledby": "push-whose" }, people.map((person) => make(
            "button", {
                class: "chip", type: "button", "aria-pressed": chosen.has(person.id), data: { id: person.id },
                on: {
                    click: ({ currentTarget }) => {
                        if (!chosen.delete(person.id)) chosen.add(person.id);
                        currentTarget.setAttribute("aria-pressed", String(chosen.has(person.id)));
                        const next = people.map(({ id }) => id).filter((id) => chosen.has(id));
                        change(() => push.hearOf(next));
                    },
                },
            }, face(person, "s"), person.name))));
}

function barSwitch() {
    return toggle({
        name: t`On the open page`, hint: t`A bar over whatever is open on this device, but never during a session`,
        on: isBarWanted(), change: wantBar,
    }).node;
}
