import { isAborted, post } from "../app/api.js";
import { messageOf } from "../app/problem.js";
import { signIn } from "../app/sign-in.js";
import { button } from "../elements/button.js";
import { field } from "../elements/field.js";
import { form } from "../elements/form.js";
import { header, section } from "../elements/header.js";
import { fill, make } from "../elements/make.js";
import { notice } from "../elements/notice.js";
import { segmented } from "../elements/segmented.js";
import { unseen } from "../elements/unseen.js";
import { fileField, upload } from "../elements/upload.js";
import { t } from "../language/text.js";
import { overview } from "./overview.js";

/** Facts of the household's own: a table, a list, or Open Trivia DB. */
export async function openImport({ screen, signal, title }) {
    title(t`Add facts`);
    const top = header({
        back: { href: "/toy/categories", word: t`Categories` }, say: t`Add facts of your own`,
        lead: t`They are told like all others, and a mistake in one row spoils none of the others.`,
    });
    const content = make("div", { class: "content" });
    screen.append(top.node, content);
    if (!signIn.isAdult) return fill(content, unseen(t`A grown-up can add facts.`));
    fill(content, fileSection(signal), openTriviaSection());
}

function fileSection(signal) {
    let format = "csv";
    const result = make("div", { "aria-live": "polite" });
    const file = fileField({
        label: t`File`, accept: ".csv,.tsv,.txt,.xlsx,.ods,.zip,.json,text/csv,application/json",
        hint: t`A table has a column “text”, and may have category, difficulty, age, language, source and url. A list has these names.`,
    });
    const send = button(t`Add these facts`, {
        kind: "primary", icon: "plus",
        press: async () => {
            const trouble = file.trouble;
            file.problem(trouble);
            if (trouble) return;
            try {
                show(result, await upload(`/api/toy/imports?format=${format}`, file.value, { key: file.key, signal, came: file.came }));
            } catch (error) {
                if (!isAborted(error)) file.problem(messageOf(error));
            } finally {
                file.came(null);
            }
        },
    });
    return section(t`From a file`,
        segmented(t`What the file is`, [
            { value: "csv", word: t`Table (CSV, Excel)` }, { value: "json", word: t`List (JSON)` },
            { value: "openTrivia", word: t`Open Trivia DB` },
        ], format, (chosen) => { format = chosen; }),
        file.node, send, result);
}

function openTriviaSection() {
    const result = make("div", { "aria-live": "polite" });
    const amount = field({
        label: t`How many`, name: "amount", type: "number", value: "20", required: true,
        attributes: { min: 1, max: 50, inputmode: "numeric" },
    });
    return section(t`From Open Trivia DB`,
        make("p", { class: "small second" },
            t`A free collection of questions, made by many people, under the licence CC BY-SA 4.0. The hub asks it for you; it learns this house’s address in the internet, and nothing of you.`),
        form({
            fields: [amount], word: t`Ask for questions`, icon: "download", isPlain: true,
            send: async () => show(result,
                await post("/api/toy/imports/open-trivia", { amount: Math.trunc(Number(amount.value)) })),
        }), result);
}

function show(node, { added, known, refused, faults }) {
    overview.soon();
    fill(node, notice({
        icon: refused > 0 ? "warning" : "check",
        title: added > 0 ? t`${added} facts were added` : t`Nothing new was in it`,
        words: make("span", {},
            known > 0 && t`${known} facts were here already.`, " ",
            refused > 0 && t`${refused} rows could not be taken:`),
    }), faults.length > 0 && make("ul", { class: "rows" }, faults.map(({ row, detail }) => make("li", { class: "row" },
        make("span", { class: "words" }, make("span", { class: "name" }, t`Row ${row}`), make("span", { class: "fine" }, detail))))));
}
