import { PersonOverview } from "../app/person-overview.js";
import { signIn } from "../app/sign-in.js";

/**
 * What the hub answered last about facts: who hears them, the toys, the categories; `{headline, people, toys, factCounts}`.
 * @extends {PersonOverview<"/api/toy">}
 */
class Overview extends PersonOverview {
    constructor() {
        super("toy", "/api/toy");
    }

    /** Those of whom this page may see what is their own. */
    get readable() { return this.data?.people.filter(({ mayRead }) => mayRead) ?? []; }

    /** Whose facts are shown first: as the address says, else who was chosen last, else who is here, else who heard one last. */
    reader() {
        const asked = this.person(new URLSearchParams(location.search).get("person"));
        return asked ?? this.chosen ?? this.readable.find(({ id }) => id === signIn.profile?.id) ?? this.readable.toSorted((one, other) => (other.lastHeardAt ?? 0) - (one.lastHeardAt ?? 0))[0];
    }
}

/** The one overview of this page. */
export const overview = new Overview();

/**
 * A path about a person's facts.
 * @type {<Rest extends string>(person: {id: string}, rest: Rest) => `/api/toy/people/${string}/${Rest}`}
 */
export const pathOf = ({ id }, rest) => `/api/toy/people/${encodeURIComponent(id)}/${rest}`;
