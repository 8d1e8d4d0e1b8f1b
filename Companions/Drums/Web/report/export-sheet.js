import { menu } from "../../elements/sheet.js";
import { t } from "../../language/text.js";
import { exportPath, fileLink } from "../session-page/downloads.js";

/** Asks in which form a person's sessions are wanted. */
export function exportSheet(person) {
    const one = (format, word, hint, separator) => ({ word, hint, icon: "download",
        act: () => fileLink(exportPath(person.id, format, separator)) });
    return menu(t`Export what ${person.name} has played`, [
        one("csv", "CSV", t`A table, one row for each beat, with units`, "comma"),
        one("csv", t`CSV with semicolons`, t`The same for an Excel that writes 1,5`, "semicolon"),
        one("json", "JSON", t`All of it, with what it was computed from`),
        one("plist", "sessiondata.plist", t`As the original app keeps it`),
    ]);
}
