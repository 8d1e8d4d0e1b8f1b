import { make } from "../../elements/make.js";
import { toast } from "../../elements/toast.js";
import { get } from "../../app/api.js";
import { messageOf } from "../../app/problem.js";
import { t } from "../../language/text.js";
import { saveFile } from "../../offline/save-file.js";

/** What can be taken home of a session and of all of a person’s: the actions of a menu. */
export function downloads(data, person) {
    const all = (format, separator) => fileLink(exportPath(data.person, format, separator));
    return [
        { word: t`This song, every beat`, hint: "JSON", icon: "music", act: () => one(data) },
        { word: person.name ? t`All that ${person.name} has played, as a table` : t`All that was played, as a table`,
            hint: t`CSV, one row for each beat, with units`,
            icon: "download", act: () => all("csv", "comma") },
        { word: t`The same table with semicolons`, hint: t`For an Excel that writes 1,5`, icon: "download",
            act: () => all("csv", "semicolon") },
        { word: t`All of it, with what it was computed from`, hint: "JSON", icon: "download", act: () => all("json") },
        // not shown but as a name
        { word: t`All of it, as the original app keeps it`, hint: "sessiondata.plist", icon: "download", act: () => all("plist") },
    ];
}

/**
 * Where a person's sessions come as a file.
 * @param {"csv"|"json"|"plist"} format
 * @param {"comma"|"semicolon"} [separator]  of a table for a spreadsheet
 */
export function exportPath(person, format, separator) {
    return `/api/drums/export?person=${encodeURIComponent(person)}&format=${format}${separator ? `&spreadsheet=${separator}` : ""}`;
}

/** Has the browser save what an address answers, under the name that the hub gives it. */
export function fileLink(path) {
    const link = make("a", { href: path, download: "" });
    document.body.append(link);
    link.click();
    link.remove();
}

async function one(data) {
    try {
        const answer = await get(`/api/drums/sessions/${encodeURIComponent(data.id)}`);
        saveFile(new Blob([JSON.stringify(answer, null, 2)], { type: "application/json" }),
            `drums-${data.day}-${data.song.id}.json`);
    } catch (error) {
        toast(messageOf(error), { icon: "warning" });
    }
}
