import { button } from "../../elements/button.js";
import { form } from "../../elements/form.js";
import { fill, make } from "../../elements/make.js";
import { notice } from "../../elements/notice.js";
import { sheet } from "../../elements/sheet.js";
import { Problem } from "../../app/problem.js";
import { t } from "../../language/text.js";
import { bytes, number } from "../../text/numbers.js";
import { overview } from "../overview.js";
import { fileField, upload } from "../../elements/upload.js";

const MOST = 8_388_608; // bytes that a hub takes which does not say; the command line takes more

/** Brings in what the original app has kept. */
export function openImport(person) {
    const most = overview.data?.limits?.importBytes ?? MOST;
    const file = fileField({
        label: t`File`, accept: ".plist,application/x-plist,text/xml", most,
        hint: t`sessiondata.plist, XML or binary, up to ${bytes(most)}`,
    });
    const body = make("div", { class: "stack" });
    const opened = sheet(t`Import for ${person.name}`, {
        lead: t`Each session is computed anew from its messages. What is here already is not added twice.`, body: [body],
    });
    fill(body, form({
        word: t`Import`, fields: [file],
        send: async () => {
            if (file.trouble) throw new Problem(422, { detail: file.trouble, field: "file" });
            try {
                const path = `/api/drums/import?person=${encodeURIComponent(person.id)}`;
                const data = await upload(path, file.value, { key: file.key, signal: opened.signal, came: file.came });
                overview.soon();
                fill(body, outcome(data, person), button(t`Done`, { kind: "primary", press: () => opened.close() }));
            } finally {
                file.came(null);
            }
        },
    }));
}

function outcome({ sessions, stored, again, refused }, person) {
    return [
        notice({
            icon: stored > 0 ? "check" : "info", title: t`${number(stored)} of ${sessions} sessions stored for ${person.name}`,
            words: [again > 0 && t`${again} were here already.`,
                refused.length > 0 && t`${refused.length} could not be read.`].filter(Boolean).join(" "),
        }),
        refused.length > 0 && make("ul", { class: "rows" },
            refused.map(({ detail }) => make("li", { class: "row small" }, detail))),
    ];
}
