import { session } from "./session.js";
import { Told } from "./told.js";

/**
 * What answers with people for whom sessions may be noted.
 * @typedef {{ [Route in keyof Contract.Routes]: Route extends `GET ${infer Path}`
 *   ? Contract.Routes[Route]["answer"] extends {people: Array<{mayDeliver: boolean}>} ? Path : never : never
 *   }[keyof Contract.Routes]} DeskPath
 */

/**
 * A person of such an answer.
 * @template {DeskPath} Path
 * @typedef {Contract.Answer<"GET", Path>["people"][number]} PersonOf
 */

/**
 * What the hub told last about who does something together with a device: `{..., people: [{id, name, mayDeliver}]}`.
 * It is kept on the device, so that a session needs no hub; and who did it last here is remembered.
 * @template {DeskPath} Path
 * @extends {Told<Path>}
 */
export class PersonDesk extends Told {
    #key; // the name under which this device remembers who was chosen

    /** @param {string} slug  the companion's @param {Path} path  what is asked for */
    constructor(slug, path) {
        super(slug, path);
        this.#key = `tandem.${slug}.person`;
    }

    /** @returns {Array<PersonOf<Path>>} */
    get #people() { return this.told?.people ?? []; }

    /**
     * One person as last told.
     * @param {string} id
     * @returns {PersonOf<Path> | undefined}
     */
    person(id) {
        return this.#people.find((one) => one.id === id);
    }

    /**
     * Puts a person whom the hub just answered into their place, and returns them.
     * @param {PersonOf<Path>} person
     */
    take(person) {
        if (this.told) {
            this.put({ ...this.told, people: this.told.people.map((one) => (one.id === person.id ? person : one)) });
        }
        this.soon();
        return person;
    }

    /**
     * Those for whom this device may note a session.
     * @returns {Array<PersonOf<Path>>}
     */
    get players() {
        return this.#people.filter((one) => one.mayDeliver);
    }

    /**
     * Who it is about: as the address says (`?person=`), else who was chosen last, else the profile, else the first.
     * @returns {PersonOf<Path> | undefined}
     */
    here() {
        const asked = this.person(new URLSearchParams(location.search).get("person"));
        if (asked) return asked;
        const { players } = this;
        return this.chosen ?? players.find(({ id }) => id === session.profile?.id) ?? players[0] ?? this.told?.people[0];
    }

    /**
     * Remembers on this device who does it.
     * @param {string} id
     */
    choose(id) {
        try {
            localStorage.setItem(this.#key, id);
        } catch {
            // A browser that keeps nothing asks again next time.
        }
    }

    /**
     * Who was chosen last on this device, of those for whom it may note a session.
     * @returns {PersonOf<Path> | undefined}
     */
    get chosen() {
        let id = null;
        try {
            id = localStorage.getItem(this.#key);
        } catch {
            // A browser that keeps nothing has no choice to remember.
        }
        return this.players.find((one) => one.id === id);
    }
}
