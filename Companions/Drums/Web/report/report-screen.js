import { button } from "../../elements/button.js";
import { icon } from "../../elements/icon.js";
import { fill, make } from "../../elements/make.js";
import { problemNotice } from "../../elements/notice.js";
import { linesSkeleton } from "../../elements/skeleton.js";
import { get, isAborted } from "../../app/api.js";
import { t } from "../../language/text.js";
import { overview } from "../overview.js";
import { exportSheet } from "./export-sheet.js";
import { fitOf } from "./one-page.js";
import { paper } from "./paper.js";
import { periodField } from "./period-field.js";

/** One page of paper for the therapist: what was practised, with its uncertainty, and what that does not show. */
export async function openReport({ screen, signal, title }) {
    title(t`Practice report`);
    const period = periodField((chosen) => { span = chosen; load(); });
    const back = make("a", { class: "button", data: { kind: "quiet" }, href: "/drums/data" }, icon("back"), t`Drums`);
    const take = button(t`Export`, { icon: "download", press: () => exportSheet(person) });
    const bar = make("nav", { class: "toolbar", "aria-label": t`Report`, data: { noprint: "" } }, back,
        make("span", { class: "row-of-buttons" },
            take, button(t`Print`, { kind: "primary", icon: "print", press: () => print() })));
    const page = make("article", { class: "paper", data: { theme: "light" } }, linesSkeleton(70, 50, 90, 90, 60));
    const who = make("div", { class: "report-who", data: { noprint: "" } });
    screen.classList.add("report-screen");
    signal.addEventListener("abort", () => screen.classList.remove("report-screen"));
    screen.append(bar, make("div", { class: "toolbar period", data: { noprint: "" } }, who, period.node),
        make("div", { class: "paper-place" }, page));
    let person = null;
    let span = {};

    const draw = (data) => {
        title(t`Practice report: ${person.name}`);
        period.show(data);
        fill(page, paper(data));
    };
    // Laid out a second time, and a third: not before it is printed. What prints without a word has it small, by its style.
    addEventListener("beforeprint", () => { page.style.setProperty("--fit", String(fitOf(page))); }, { signal });
    const load = async () => {
        if (!person) return;
        const asked = JSON.stringify([person.id, span]);
        const query = new URLSearchParams({ ...span });
        page.setAttribute("aria-busy", "true");
        try {
            const data = await get(`/api/drums/report?person=${encodeURIComponent(person.id)}&${query.toString()}`, { signal });
            if (asked === JSON.stringify([person.id, span])) draw(data);
        } catch (error) {
            if (isAborted(error) || asked !== JSON.stringify([person.id, span])) return;
            if (error.field) period.problem(error);
            else fill(page, make("h1", {}, t`The report cannot be made right now`), problemNotice(error, { retry: load }));
        } finally {
            page.removeAttribute("aria-busy");
        }
    };
    const drawWho = () => {
        const people = overview.data.people.filter(({ mayDecide }) => mayDecide);
        person = people.find(({ id }) => id === (person ?? overview.here())?.id) ?? people[0] ?? null;
        take.hidden = !person;
        if (!person) return fill(page, make("h1", {}, t`No report`),
            make("p", {}, t`There is nobody here whose report this page may show.`));
        back.href = `/drums/data?person=${encodeURIComponent(person.id)}`;
        const select = make("select", { class: "input", "aria-label": t`Whose report` },
            people.map(({ id, name }) => make("option", { value: id, selected: id === person.id }, name)));
        select.addEventListener("change", () => {
            person = overview.person(select.value);
            history.replaceState(history.state, "", `/drums/report?person=${encodeURIComponent(person.id)}`);
            load();
        });
        fill(who, people.length > 1 && make("span", { class: "with-arrow" }, select, icon("down", "s")));
        return load();
    };
    try {
        await overview.known();
    } catch (error) {
        if (!signal.aborted) fill(page, make("h1", {}, t`The report cannot be made right now`), problemNotice(error));
        return;
    }
    if (!signal.aborted) await drawWho();
}
