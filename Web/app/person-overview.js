import { signIn } from "./sign-in.js";
import { CachedResource } from "./cached-resource.js";

/**
 * What answers with people for whom sessions may be noted.
 * @typedef {{ [Route in keyof Contract.Routes]: Route extends `GET ${infer Path}`
 *   ? Contract.Routes[Route]["answer"] extends {people: Array<{mayDeliver: boolean}>} ? Path : never : never
 *   }[keyof Contract.Routes]} OverviewPath
 */

/**
 * A person of such an answer.
 * @template {OverviewPath} Path
 * @typedef {Contract.Answer<"GET", Path>["people"][number]} PersonOf
 */

/**
 * What the hub answered last about who does something together with a device: `{..., people: [{id, name,
 * mayDeliver}]}`. It is cached on the device, so that a session needs no hub; and whom whoever uses it chose last is remembered.
 * @template {OverviewPath} Path
 * @extends {CachedResource<Path>}
 */
export class PersonOverview extends CachedResource {
    #slug;

    /** @param {string} slug  the companion's @param {Path} path  what is asked for */
    constructor(slug, path) {
        super(slug, path);
        this.#slug = slug;
    }

    /** The name under which this device remembers whom whoever uses it chose: who signs in after another chooses anew. */
    get #key() { return `tandem.${this.#slug}.person.${signIn.profile?.id}`; }

    /** @returns {Array<PersonOf<Path>>} */
    get #people() { return this.data?.people ?? []; }

    /**
     * One person as last loaded.
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
        if (this.data) {
            this.put({ ...this.data, people: this.data.people.map((one) => (one.id === person.id ? person : one)) });
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
        return this.chosen ?? players.find(({ id }) => id === signIn.profile?.id) ?? players[0] ?? this.data?.people[0];
    }

    /**
     * Remembers on this device who does it, for whoever uses it.
     * @param {string} id
     */
    choose(id) {
        try {
            localStorage.setItem(this.#key, id);
        } catch {
            // A browser that stores nothing asks again next time.
        }
    }

    /**
     * Whom they chose last on this device, of those for whom it may note a session.
     * @returns {PersonOf<Path> | undefined}
     */
    get chosen() {
        let id = null;
        try {
            id = localStorage.getItem(this.#key);
        } catch {
            // A browser that stores nothing has no choice to remember.
        }
        return this.players.find((one) => one.id === id);
    }
}
