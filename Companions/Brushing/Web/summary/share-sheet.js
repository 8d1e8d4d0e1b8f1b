import { button } from "../../elements/button.js";
import { copyLine } from "../../elements/copy.js";
import { make } from "../../elements/make.js";
import { sheet } from "../../elements/sheet.js";
import { toggle } from "../../elements/switch.js";
import { toast } from "../../elements/toast.js";
import { saveFile } from "../../offline/save-file.js";
import { cardText, drawCard } from "./share-card.js";
import { t } from "../../language/text.js";

const NAMED = "tandem.brushing.share-name";

/**
 * Shares a brushing: the card as it will be seen, whether the name is on it, and the ways that this browser has: its
 * own sharing, a copy, a file. Nothing leaves the device but by a press here.
 * @param {{person: object, was: object, award: object?, progress: object?, tip: object?}} done
 */
export function openShare(done) {
    let isNamed = recalled();
    const card = make("div");
    const words = make("div", { class: "share-text" });
    let blob = null;
    const draw = () => {
        const canvas = drawCard(done, isNamed);
        const { text } = cardText(done, isNamed);
        canvas.className = "share-card";
        canvas.setAttribute("role", "img");
        canvas.setAttribute("aria-label", text);
        card.replaceChildren(canvas);
        words.replaceChildren(copyLine(text, t`Copy the words`));
        blob = new Promise((made) => { canvas.toBlob(made, "image/png"); });
    };
    draw();
    const file = async () => new File([await blob], "well-brushed.png", { type: "image/png" });
    const name = toggle({
        name: t`With the name`, on: isNamed,
        change: (on) => {
            isNamed = on;
            remember(on);
            draw();
        },
    });
    const canShare = typeof navigator.share === "function";
    const canCopy = typeof ClipboardItem === "function" && navigator.clipboard?.write !== undefined;
    const download = button(t`Download picture`, {
        kind: canShare ? undefined : "primary", icon: "download",
        press: async () => saveFile(await blob, "well-brushed.png"),
    });
    const opened = sheet(t`Share`, {
        body: [
            card, done.person.name && name.node,
            make("div", { class: "sheet-actions" },
                canShare && button(t`Share picture`, {
                    kind: "primary", icon: "share",
                    press: async () => {
                        if (await share(await file(), cardText(done, isNamed).text)) opened.close();
                    },
                }),
                !canShare && download,
                canCopy && button(t`Copy picture`, { icon: "copy", press: async () => copyPicture(await blob) }),
                canShare && download),
            words,
        ],
    });
}

/**
 * The picture where the browser shares files, else the words.
 * @returns {Promise<boolean>} whether it was shared
 */
async function share(picture, text) {
    const whole = { files: [picture], text };
    try {
        await navigator.share(navigator.canShare?.(whole) ? whole : { text });
        return true;
    } catch (error) {
        if (error.name === "AbortError") return false; // the person gave it up
        toast(t`This browser could not share it. Copy or download it instead.`, { icon: "warning" });
        return false;
    }
}

async function copyPicture(blob) {
    try {
        await navigator.clipboard.write([new ClipboardItem({ "image/png": blob })]);
        toast(t`Copied.`, { icon: "copy" });
    } catch {
        toast(t`This browser does not let a picture be copied. Download it instead.`, { icon: "warning" });
    }
}

function recalled() {
    try {
        return localStorage.getItem(NAMED) === "yes";
    } catch {
        return false;
    }
}

function remember(isNamed) {
    try {
        localStorage.setItem(NAMED, isNamed ? "yes" : "no");
    } catch {
        // Asked again next time.
    }
}
