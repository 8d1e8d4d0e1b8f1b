import { session } from "../house/session.js";
import { Told } from "../house/told.js";

const CHOSEN = "tandem.brushing.person"; // who brushed last on this device

/**
 * What the hub told last about who brushes: routines, progress, weeks; `{headline, lead, people}`. It is kept on the
 * device, so that a session needs no hub.
 */
class Desk extends Told {
    constructor() {
        super("brushing", "/api/brushing");
    }

    /** One person as last told. @param {string} id */
    person(id) {
        return this.told?.people.find((one) => one.id === id);
    }

    /** Puts a person whom the hub just answered into their place. */
    take(person) {
        if (!this.told) return this.soon();
        this.put({ ...this.told, people: this.told.people.map((one) => (one.id === person.id ? person : one)) });
        this.soon();
    }

    /** Those for whom this device may note a session. */
    get brushers() {
        return this.told?.people.filter((one) => one.mayDeliver) ?? [];
    }

    /** Who it is about: as the address says (`?person=`), else who was chosen last, else the profile, else the first. */
    here() {
        const asked = this.person(new URLSearchParams(location.search).get("person"));
        if (asked) return asked;
        const { brushers } = this;
        const find = (id) => brushers.find((one) => one.id === id);
        return find(chosen()) ?? find(session.profile?.id) ?? brushers[0] ?? this.told?.people[0];
    }

    /** Remembers on this device who brushes. @param {string} id */
    choose(id) {
        try {
            localStorage.setItem(CHOSEN, id);
        } catch {
            // A browser that keeps nothing asks again next time.
        }
    }
}

function chosen() {
    try {
        return localStorage.getItem(CHOSEN);
    } catch {
        return null;
    }
}

/** The one desk of this page. */
export const desk = new Desk();
