import { get } from "../../app/api.js";
import { messageOf } from "../../app/problem.js";
import { signIn } from "../../app/sign-in.js";
import { button } from "../../elements/button.js";
import { header } from "../../elements/header.js";
import { icon } from "../../elements/icon.js";
import { fill, make } from "../../elements/make.js";
import { notice, problemNotice } from "../../elements/notice.js";
import { rowsSkeleton, sayingSkeleton } from "../../elements/skeleton.js";
import { toast } from "../../elements/toast.js";
import { outbox } from "../../offline/outbox.js";
import { t } from "../../language/text.js";
import { recordingRow } from "./recording-list.js";
import { recordings } from "./recordings.js";
import { isRemovedHere } from "./removal.js";
import { settleRecordings } from "./active-recordings.js";

const PATH = "/api/lab/sessions";
const MOST_COMPARED = 4;

/** What has been recorded, and what waits on this device. */
export async function openRecordings({ screen, signal, title }) {
    title(t`Recordings`);
    const top = header({ back: { href: "/lab", word: t`Lab` }, lead: " " });
    fill(top.say, sayingSkeleton(t`recordings`));
    const waiting = make("div", { "aria-live": "polite" });
    const list = make("div", {}, rowsSkeleton(3));
    const chosen = new Set();
    const compare = button(t`Compare`, { icon: "lab", press: () => go() });
    compare.disabled = true;
    const hint = make("p", { class: "small second" });
    const actions = make("div", { class: "row-of-buttons" }, compare,
        button(t`Bring in a file`, { icon: "upload", press: async () => (await import("./import-sheet.js")).importSheet() }));
    screen.append(top.node, make("div", { class: "content lab-content" }, waiting, actions, hint, list));
    const older = [];
    let olderNext = null;

    function go() {
        const link = make("a", { href: `/lab/compare?of=${[...chosen].map(encodeURIComponent).join(",")}` });
        screen.append(link);
        link.click();
        link.remove();
    }
    function choose(id, isOn) {
        if (isOn) chosen.add(id);
        else chosen.delete(id);
        compare.disabled = chosen.size < 2 || chosen.size > MOST_COMPARED;
        hint.textContent = chosen.size > MOST_COMPARED ? t`Up to four recordings fit on one chart.`
            : chosen.size === 1 ? t`Choose another one to compare it with.` : "";
    }
    function draw() {
        const { recordings: all, next } = recordings.data;
        const shown = [...all, ...older].filter(({ id }) => !isRemovedHere(id));
        const known = { people: signIn.people ?? [] };
        top.say.textContent = shown.length === 0 ? t`Nothing recorded yet` : t`${shown.length} recordings`;
        top.lead.hidden = false;
        top.lead.textContent = shown.length === 0 ? t`Press Record on an instrument, or begin an experiment.`
            : t`Tick two to lay them over each other.`;
        actions.firstChild.hidden = shown.length < 2;
        fill(list, shown.length > 0 ? make("ul", { class: "rows" }, shown.map((one) => {
            const box = make("input", {
                type: "checkbox", class: "pick", checked: chosen.has(one.id), "aria-label": t`Compare this one`,
                on: { change: ({ target }) => choose(one.id, target.checked) },
            });
            return recordingRow(one, known, shown.length > 1 && make("label", { class: "pick-label" }, box));
        })) : make("p", { class: "row-of-buttons" },
            make("a", { class: "button", href: "/lab/accelerometer" }, icon("lab"), t`Accelerometer`),
            make("a", { class: "button", href: "/lab/experiments" }, t`Experiments`)));
        const oldest = older.length > 0 ? olderNext : next;
        if (oldest) list.append(button(t`Show older ones`, { kind: "quiet", press: () => more(oldest) }));
    }
    async function more(before) {
        try {
            const answer = await get(`/api/lab/recordings?before=${before}`, { signal });
            older.push(...answer.recordings);
            olderNext = answer.next;
            draw();
        } catch (error) {
            toast(messageOf(error), { icon: "warning" });
        }
    }
    function showWaiting(entries) {
        fill(waiting, entries?.filter(({ path }) => path === PATH).map((entry) => (entry.failed
            ? notice({ icon: "warning", state: "problem", title: entry.title, words: entry.failed.detail ?? entry.failed.title })
            : notice({ icon: "clock", state: "unknown", title: entry.title, words: t`It is kept on this device, and sent when the hub answers.` }))));
    }
    outbox.addEventListener("delivered", ({ detail }) => { if (detail.path === PATH) recordings.soon(); }, { signal });
    settleRecordings().catch((error) => console.info(error)).finally(() => outbox.follow(signal, showWaiting));
    await recordings.follow(signal, {
        draw,
        missing: (error, retry) => {
            top.say.textContent = t`The recordings cannot be shown right now`;
            top.lead.hidden = true;
            fill(list, problemNotice(error, { retry }));
        },
    });
}
