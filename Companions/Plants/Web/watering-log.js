import { button, iconButton } from "../elements/button.js";
import { field } from "../elements/field.js";
import { form } from "../elements/form.js";
import { icon } from "../elements/icon.js";
import { fill, make } from "../elements/make.js";
import { sheet } from "../elements/sheet.js";
import { toast } from "../elements/toast.js";
import { get, isAborted, post, remove } from "../app/api.js";
import { now } from "../app/clock.js";
import { live } from "../app/live.js";
import { calmNotice } from "../elements/notice.js";
import { linesSkeleton } from "../elements/skeleton.js";
import { messageOf } from "../app/problem.js";
import { outbox } from "../offline/outbox.js";
import { dayAndTime, instantOf, localInput } from "../text/dates.js";
import { concerns, plantStore } from "./plant-store.js";
import { noteWatering, waitingWaterings } from "./watering.js";
import { t } from "../language/text.js";

const AT_FIRST = 6;

/**
 * The waterings, seen by the sensor and noted by hand. One that was none is undone, and can be restored.
 * @param {{path: `/api/plants/${string}`, signal: AbortSignal, plant: () => object}} context
 */
export function wateringLog({ path, signal, plant }) {
    const body = make("div", { class: "stack" }, linesSkeleton(80, 60, 70));
    const node = make("section", { class: "section", "aria-labelledby": "log" },
        make("div", { class: "section-head" }, make("h2", { id: "log" }, t`Watering log`),
            button(t`Add`, { kind: "quiet", icon: "plus", press: () => openAdd() })),
        body);
    let waterings = null;
    let waiting = [];
    let trouble = null;
    let all = false;

    const load = async () => {
        try {
            waterings = await get(`${path}/waterings`, { signal });
            trouble = null;
        } catch (error) {
            if (isAborted(error)) return;
            trouble = error;
        }
        draw();
    };
    const draw = () => {
        const sorted = (waterings ?? []).toSorted((a, b) => b.at - a.at);
        const shown = sorted.slice(0, all ? undefined : AT_FIRST);
        const isEmpty = waiting.length + sorted.length === 0;
        fill(body,
            !isEmpty && make("ol", { class: "rows" }, waiting.map(waitingRow), shown.map(row)),
            sorted.length > AT_FIRST && !all && make("div", { class: "row-of-buttons" },
                button(t`Show all ${sorted.length}`, { icon: "down", press: () => { all = true; draw(); } })),
            !waterings && !trouble && linesSkeleton(80, 60, 70),
            !waterings && trouble && calmNotice(trouble, { retry: load }),
            waterings && isEmpty && make("p", { class: "second" },
                t`No watering yet. The sensor notices one when the soil gets wetter; what it does not see, you can add.`));
    };
    const drawWaiting = (entries) => {
        const before = waiting.map((one) => one.id + Boolean(one.failed)).join();
        waiting = waitingWaterings(entries ?? [], plant().id);
        if (before !== waiting.map((one) => one.id + Boolean(one.failed)).join()) draw();
    };
    const row = (watering) => make("li", { class: "row", data: { state: watering.undone ? "undone" : undefined } },
        icon(watering.by === "hand" ? "drop" : "watered"),
        make("span", { class: "words" },
            make(watering.undone ? "s" : "span", { class: "name" }, dayAndTime(watering.at)),
            make("span", { class: "fine" }, who(watering))),
        Number.isFinite(watering.from) && Number.isFinite(watering.to) && make("span", { class: "value small" },
            t`${Math.round(watering.from)}% to ${Math.round(watering.to)}%`),
        watering.undone ? button(t`Restore`, { kind: "quiet", press: () => restore(watering) })
            : iconButton(t`Undo: that was no watering`, "undo", () => undo(watering)));
    const put = (watering) => {
        if (!waterings) return;
        waterings = [...waterings.filter((one) => one.id !== watering.id), watering];
        draw();
        plantStore.soon();
    };
    const undo = async (watering) => {
        try {
            const answer = await remove(`${path}/waterings/${encodeURIComponent(watering.id)}`);
            put(answer ?? { ...watering, undone: true });
            toast(t`${plant().name}: this watering was removed from the log.`,
                { icon: "watered", undo: () => restore(watering) });
        } catch (error) {
            toast(messageOf(error), { icon: "warning" });
        }
    };
    const restore = async (watering) => {
        try {
            const answer = await post(`${path}/waterings/${encodeURIComponent(watering.id)}/restore`);
            put(answer ?? { ...watering, undone: false });
        } catch (error) {
            toast(messageOf(error), { icon: "warning" });
        }
    };
    const openAdd = () => {
        const at = field({
            label: t`When`, name: "at", type: "datetime-local", value: localInput(now()), required: true,
            attributes: { max: localInput(now()) },
        });
        const opened = sheet(t`When was ${plant().name} watered?`, {
            body: [form({
                fields: [at], word: t`Add watering`, icon: "drop",
                send: async () => {
                    await noteWatering(plant(), instantOf(at.value));
                    opened.close();
                },
            })],
        });
    };
    live.addEventListener("changed", ({ detail }) => { if (concerns(detail, plant())) load(); }, { signal });
    live.addEventListener("reset", load, { signal });
    outbox.addEventListener("delivered", ({ detail }) => {
        if (detail.path !== `${path}/waterings`) return;
        waiting = waiting.filter((one) => one.id !== detail.id);
        if (detail.response && waterings) put(detail.response);
        else load();
    }, { signal });
    outbox.follow(signal, drawWaiting);
    load();
    return { node };
}

/** One that the hub has not stored: hollow, since it is known to nobody but this device. */
function waitingRow({ about, madeAt, personName, failed }) {
    return make("li", { class: "row", data: { state: "waiting" } }, icon("drop"),
        make("span", { class: "words" },
            make("span", { class: "name" }, dayAndTime(about?.at ?? madeAt)),
            make("span", { class: "fine" }, failed ? failed.detail : t`By hand, ${personName}, saved on this device`)),
        make("a", { class: "tag", data: { state: "unknown" }, href: "/settings" },
            icon(failed ? "warning" : "clock"), failed ? t`Not accepted` : t`Waiting to be sent`));
}

function who(watering) {
    if (watering.by === "hand") return watering.person ? t`By hand, ${watering.person}` : t`By hand`;
    return watering.words ? t`Noticed by the sensor, ${watering.words}` : t`Noticed by the sensor`;
}
