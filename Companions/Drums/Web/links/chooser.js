import { sheet } from "../../elements/sheet.js";

/** Asks which drums to play with. */
export function openLinkChooser() {
    return sheet("Drums to play with", { lead: "The screen and the keyboard are always there." });
}
