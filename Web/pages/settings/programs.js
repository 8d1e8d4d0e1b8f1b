import { age } from "../../elements/age.js";
import { button } from "../../elements/button.js";
import { companionChoice } from "../../elements/companion-choice.js";
import { copyLine } from "../../elements/copy.js";
import { field } from "../../elements/field.js";
import { form } from "../../elements/form.js";
import { icon } from "../../elements/icon.js";
import { fill, make } from "../../elements/make.js";
import { segmented } from "../../elements/segmented.js";
import { confirm, sheet } from "../../elements/sheet.js";
import { get, post, remove } from "../../app/api.js";
import { live } from "../../app/live.js";
import { signIn } from "../../app/sign-in.js";
import { shortDate } from "../../text/dates.js";
import { loaded } from "./loaded.js";
import { listed, t } from "../../language/text.js";

const EVERYONE = "";
const DAY = 86_400_000; // milliseconds

/** Programs that read: each has a token for what an adult chose, and changes nothing. */
export function programsSection({ signal, section }) {
    const part = loaded(() => get("/api/programs", { signal }), ({ programs }) => draw(programs, part.reload), signal);
    live.addEventListener("reset", part.reload, { signal });
    return section(t`Programs that read`, part.node);
}

function draw(programs, changed) {
    return [
        make("p", { class: "second" }, t`A program such as Grafana, or a script of your own, can read here what you choose, and change nothing.`),
        programs.length > 0 && make("ul", { class: "rows" }, programs.map((program) => row(program, changed))),
        make("div", { class: "row-of-buttons" },
            button(t`Let a program read`, { icon: "key", press: () => addProgram(changed) })),
    ];
}

const titleOf = (slug) => signIn.companions.find((one) => one.slug === slug)?.title ?? slug;

function row({ id, name, person, companions, endsAt, usedAt }, changed) {
    const whose = person ? signIn.people.find((one) => one.id === person)?.name : t`everyone`;
    const isOver = endsAt && endsAt <= Date.now();
    return make("li", { class: "row" }, icon("key"),
        make("span", { class: "words" }, make("span", { class: "name" }, name),
            make("span", { class: "fine" }, t`${listed(companions.map(titleOf))}, of ${whose}`),
            make("span", { class: "fine" }, usedAt ? age(usedAt, { plain: true, words: (ago) => t`read ${ago}` }) : t`not read yet`),
            endsAt && make("span", { class: "fine" }, isOver ? t`ended on ${shortDate(endsAt)}` : t`until ${shortDate(endsAt)}`)),
        button(t`End`, {
            kind: "quiet", press: () => confirm({
                title: t`End ${name}?`, lead: t`It reads nothing more, at once. To let it in again it needs a new token.`,
                yes: t`End it`,
                act: async () => {
                    await remove(/** @type {const} */ (`/api/programs/${id}`));
                    await changed();
                },
            }),
        }));
}

function addProgram(changed) {
    let person = EVERYONE;
    let days = "";
    const name = field({ label: t`Name`, name: "name", required: true, hint: t`By which you know it again, such as Grafana` });
    const companions = companionChoice(signIn.companions.map((one) => ({ ...one, isUsed: false })));
    const whose = segmented(t`Whose`, [
        { value: EVERYONE, word: t`Everyone’s` }, ...signIn.people.map((one) => ({ value: one.id, word: one.name })),
    ], person, (id) => { person = id; }, { areChips: true });
    const end = segmented(t`Until`, [
        { value: "", word: t`For good` }, { value: "30", word: t`30 days` }, { value: "365", word: t`A year` },
    ], days, (value) => { days = value; }, { areChips: true });
    const labelled = (key, label, node) => ({
        name: key, problem: () => {}, node: make("div", { class: "field" }, make("span", { class: "label" }, label), node),
    });
    const body = make("div", { class: "stack" });
    const opened = sheet(t`Let a program read`, {
        lead: t`It gets a token, and with it what you choose here: no accounts, no settings, nothing to change.`,
        body: [body], closed: changed,
    });
    const choice = { name: "companions", node: companions.node, input: companions.input, problem: companions.problem };
    fill(body, form({
        fields: [name, choice, labelled("person", t`Whose`, whose), labelled("endsAt", t`Until`, end)],
        word: t`Make the token`, icon: "key",
        send: async () => show(await post("/api/programs", {
            name: name.value.trim(), companions: companions.value, person: person || undefined,
            endsAt: days ? Date.now() + Number(days) * DAY : undefined,
        })),
    }));
    /** @param {{token: string}} made */
    const show = ({ token }) => fill(body,
        make("div", { class: "field" }, make("span", { class: "label" }, t`Token`), copyLine(token, t`Copy the token`)),
        make("div", { class: "field" }, make("span", { class: "label" }, t`The header of each request`),
            copyLine(`Authorization: Bearer ${token}`, t`Copy the header`)), // not shown: a header
        make("p", { class: "small strong" }, t`The token is shown only this once.`),
        make("p", { class: "small second" }, t`What there is to ask for stands in the hub’s own list of routes, at /openapi.json.`),
        make("div", { class: "sheet-actions" }, button(t`Done`, { kind: "primary", press: () => opened.close() })));
}
