import { button } from "../../elements/button.js";
import { make } from "../../elements/make.js";
import { section } from "../../elements/header.js";
import { t } from "../../language/text.js";
import { exportSheet } from "../report/export-sheet.js";

/** What was played, in and out: the original's file, tables. */
export function filesSection() {
    let person = null;
    const bring = button(t`Import`, { icon: "share",
        press: async () => (await import("./import-sheet.js")).openImport(person) });
    const node = section(t`Files`,
        make("p", { class: "small second" }, t`You can bring in what the original app has kept (sessiondata.plist), and take along all that was played.`),
        make("div", { class: "row-of-buttons" }, bring,
            button(t`Export`, { icon: "download", press: () => exportSheet(person) })));
    node.id = "files";
    return { node, show: (data) => { person = data; bring.hidden = !data.mayDeliver; } };
}
