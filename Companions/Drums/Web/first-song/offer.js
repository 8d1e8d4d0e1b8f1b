import { button } from "../../elements/button.js";
import { go } from "../../app/shell.js";
import { t } from "../../language/text.js";
import { unlockSound } from "../play/sound.js";

const KEY = "tandem.drums.shown";

/** Whom this browser has offered it to already. */
function offered() {
    try {
        return (localStorage.getItem(KEY) ?? "").split(" ").filter(Boolean);
    } catch {
        return null; // a browser that keeps nothing would offer it at every visit
    }
}

function noteOffered(id) {
    try {
        localStorage.setItem(KEY, [...(offered() ?? []), id].join(" "));
    } catch {
        // It is offered again, then.
    }
}

/** Leads somebody through their first beats. @param {{id: string}} person */
export function showHow(person) {
    unlockSound();
    noteOffered(person.id);
    return go(`/drums/first?person=${encodeURIComponent(person.id)}`);
}

/**
 * Offers to show how it goes, once, to who has never played; null where it is not to be offered.
 * @param {Drums.OverviewPerson} person
 * @param {() => void} declined
 */
export function firstOffer(person, declined) {
    const before = offered();
    if (person.hasPlayed !== false || !person.mayDeliver || !before || before.includes(person.id)) return null;
    return [
        button(t`Show me how it goes`, { icon: "tap", press: () => showHow(person) }),
        button(t`Not now`, { kind: "quiet", press: () => { noteOffered(person.id); declined(); } }),
    ];
}
