import { button, iconButton } from "../../elements/button.js";
import { section } from "../../elements/header.js";
import { fill, make } from "../../elements/make.js";
import { problemNotice } from "../../elements/notice.js";
import { menu } from "../../elements/sheet.js";
import { linesSkeleton } from "../../elements/skeleton.js";
import { toast } from "../../elements/toast.js";
import { get, isAborted, post, remove } from "../../app/api.js";
import { messageOf } from "../../app/problem.js";
import { t } from "../../language/text.js";
import { shortDay } from "../../text/civil.js";
import { scoreCharts } from "./score-charts.js";
import { fileLink } from "../session-page/downloads.js";

const SIDES = { left: t`left hand`, right: t`right hand` };

/** What the clinic measured, typed in by a grown-up: by day, beside nothing that was computed here. */
export function scoresSection(signal) {
    const body = make("div", { class: "stack" });
    const node = section(t`Clinic scores`,
        make("p", { class: "small second" }, t`Measured in the clinic and typed in by a grown-up. None is computed from practice, and children do not see them.`),
        body);
    node.hidden = true;
    let person = null;
    let goals = [];
    const path = () => /** @type {const} */ (`/api/drums/people/${encodeURIComponent(person.id)}/scores`);
    const load = async () => {
        const asked = person.id;
        try {
            const data = await get(path(), { signal });
            if (asked === person.id) draw(data);
        } catch (error) {
            if (!isAborted(error) && asked === person.id) fill(body, problemNotice(error, { retry: load }));
        }
    };
    const take = async (score) => {
        const scorePath = /** @type {const} */ (`${path()}/${encodeURIComponent(score.id)}`);
        try {
            draw(await remove(scorePath));
            toast(t`The score was removed.`, { icon: "trash",
                undo: async () => draw(await post(/** @type {const} */ (`${scorePath}/restore`))) });
        } catch (error) {
            toast(messageOf(error), { icon: "warning" });
        }
    };
    const draw = (data) => {
        const add = button(t`Enter a score`, { icon: "plus",
            press: async () => (await import("./score-sheet.js")).openScoreSheet(data, goals, path(), draw) });
        const about = ({ side, goalText }) => (side ? SIDES[side] : goalText ?? "");
        fill(body, scoreCharts(data.charts), data.scores.length > 0 ? make("ul", { class: "rows" }, data.scores.toReversed().map((one) =>
            make("li", { class: "row" },
                make("span", { class: "words" }, make("span", { class: "name" }, one.words),
                    make("span", { class: "fine" }, [`${shortDay(one.day)} ${one.day.slice(0, 4)}`, one.title, about(one)].filter(Boolean).join(", "))),
                iconButton(t`Remove: ${one.title}, ${one.words}`, "trash", () => take(one)))))
            : make("p", { class: "second" }, t`No score has been entered yet.`),
            make("div", { class: "row-of-buttons" }, add,
                data.scores.length > 0 && button(t`Export`, { icon: "download", press: () => exportMenu(`${path()}/file`) })));
    };
    return {
        node,
        /** @param {Drums.OverviewPerson} data */
        show: (data, list) => {
            const isOther = person?.id !== data.id;
            person = data;
            goals = list;
            node.hidden = !data.mayPlan;
            if (node.hidden) return;
            if (isOther) fill(body, linesSkeleton(80, 60));
            load();
        },
    };
}

/** Asks which separator the spreadsheet wants. */
function exportMenu(path) {
    menu(t`Export`, [
        { word: t`A table, CSV`, hint: t`With commas, for a spreadsheet that writes 1.5`, icon: "download", act: () => fileLink(`${path}?spreadsheet=comma`) },
        { word: t`CSV with semicolons`, hint: t`For an Excel that writes 1,5`, icon: "download", act: () => fileLink(`${path}?spreadsheet=semicolon`) },
    ]);
}
