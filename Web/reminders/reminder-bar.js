import { button, iconButton } from "../elements/button.js";
import { face } from "../elements/face.js";
import { fill, make } from "../elements/make.js";
import { toast } from "../elements/toast.js";
import { messageOf } from "../app/problem.js";
import { signIn } from "../app/sign-in.js";
import { go } from "../app/shell.js";
import { isBarWanted } from "./bar-wanted.js";
import { reminders } from "./reminders.js";
import { withStart } from "./start-path.js";
import { t } from "../language/text.js";

const MOST = 2; // bars at once; what is behind them comes when they are gone

/**
 * Shows what is due over the page, whichever companion it is of, until it is begun, snoozed or dismissed, or the thing
 * was done elsewhere. Not while a session runs: a page that runs one says so by `documentElement.dataset.session`.
 */
export function showReminders() {
    const root = document.documentElement;
    const begun = new Set();
    const shelf = make("div", {
        class: "reminder-bars", role: "region", "aria-label": t`Reminders`, "aria-live": "polite",
    });
    const shown = new Map();
    new ResizeObserver(([{ target }]) => {
        const { bottom } = target.getBoundingClientRect();
        if (bottom > 0) root.style.setProperty("--reminders", `${Math.ceil(bottom)}px`);
        else root.style.removeProperty("--reminders");
    }).observe(shelf);
    const draw = () => {
        const isQuiet = root.dataset.session !== undefined || !signIn.person || !isBarWanted();
        const due = isQuiet ? [] : (reminders.data?.due ?? []).filter((one) => !begun.has(keyOf(one))).slice(0, MOST);
        for (const [key, node] of shown) {
            if (due.some((one) => keyOf(one) === key)) continue;
            node.remove();
            shown.delete(key);
        }
        for (const one of due) {
            const key = keyOf(one);
            if (shown.has(key)) continue;
            const node = bar(one, () => {
                begun.add(key);
                draw();
            });
            shown.set(key, node);
            shelf.append(node);
        }
        if (shown.size > 0 && !shelf.isConnected) document.body.append(shelf);
        if (shown.size === 0) shelf.remove();
    };
    reminders.addEventListener("change", draw);
    signIn.addEventListener("change", draw);
    addEventListener("tandem-reminder-bar", draw);
    addEventListener("tandem-signed-out", draw);
    new MutationObserver(draw).observe(root, { attributes: true, attributeFilter: ["data-session"] });
    // The app is drawn anew when somebody signs in: the bars stay over it.
    new MutationObserver(() => { if (shown.size > 0 && !shelf.isConnected) draw(); })
        .observe(document.body, { childList: true });
    reminders.want();
}

function bar(due, begin) {
    const person = signIn.people.find(({ id }) => id === due.person);
    const node = make("section", {
        class: "reminder-bar", "aria-label": due.title, data: { companion: slugOf(due.path) },
    });
    // What comes every day is something to do now; another, such as an appointment, is something to look at.
    const isDaily = reminders.data.reminders.some(({ id }) => id === due.id);
    const act = (work, done) => async () => {
        try {
            await work();
            if (done) toast(done(), { icon: "snooze" });
        } catch (error) {
            toast(messageOf(error), { icon: "warning" });
        }
    };
    fill(node,
        person && face(person),
        make("div", { class: "words" },
            make("p", { class: "name" }, due.title), make("p", { class: "small" }, due.body)),
        iconButton(t`Dismiss`, "close", act(() => reminders.dismiss(due.id))),
        make("div", { class: "row-of-buttons" },
            button(isDaily ? t`Start` : t`Open`, {
                icon: isDaily ? "play" : "forward", kind: "primary",
                press: () => {
                    begin();
                    go(isDaily ? withStart(due.path) : due.path);
                },
            }),
            button(t`Snooze`, {
                icon: "snooze",
                press: act(() => reminders.snooze(due.id), () => t`Again in ${reminders.data.snoozeMinutes} minutes.`),
            })));
    return node;
}

/** One coming of a reminder: tomorrow’s has the same id. */
function keyOf({ id, firedAt }) {
    return `${id} ${firedAt}`;
}

function slugOf(path) {
    return /^\/(\w+)/.exec(path)?.[1] ?? "app";
}
