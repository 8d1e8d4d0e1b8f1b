import { startCaching, clearCached, forgetCachedOf, store, cached } from "../offline/cache.js";
import { dropPreloads, get, patch, post, put, remove, rights } from "./api.js";
import { now, setClock, setTimeZone } from "./clock.js";
import { titled } from "./declarations.js";
import { isLeaving, setLeaving } from "./leaving.js";
import { live } from "./live.js";
import { Problem } from "./problem.js";
import { ResponseOrder } from "./response-order.js";
import { t } from "../language/text.js";

const PATIENCE = 3000; // milliseconds that a sign-out waits for the hub: what was here is forgotten by then

const DAY = 86_400_000; // milliseconds
const LARGEST = 5 * 60_000; // milliseconds: a difference that nobody need have noticed

/**
 * Who is signed in here, as the hub says it; an event `change` when that changes.
 */
class SignIn extends EventTarget {
    #is = null;
    #isRestored = false;
    #ending = null;
    #visit = 0;
    #order = new ResponseOrder();
    #tabs = new BroadcastChannel("tandem-session");

    constructor() {
        super();
        this.#tabs.addEventListener("message", () => {
            if (!this.#is) return;
            this.forget();
            dispatchEvent(new Event("tandem-signed-out"));
        });
        // When the hub was last heard: a page that opens without it says since when.
        live.addEventListener("state", ({ detail }) => { if (detail.was === "open") this.#remember(live.since); });
        document.addEventListener("visibilitychange", () => { if (document.hidden) this.#remember(live.since); });
    }

    /** The person whose sign-in this is. */
    get person() { return this.#is?.person; }
    /** The person who uses this device now. */
    get profile() { return this.#is?.profile; }
    get household() { return this.#is?.household; }
    get people() { return this.#is?.people ?? []; }
    /** What this household has, as the hub lists it: `{slug, title, path}`. */
    get companions() { return (this.#is?.companions ?? []).map(titled); }
    /** All that this hub could have: `{slug, title, path, isUsed}`. */
    get allCompanions() { return (this.#is?.allCompanions ?? []).map(titled); }
    get hub() { return this.#is?.hub; }
    /** True on a device that the family shares: it asks who is there. */
    get isShared() { return this.#is?.signIn?.isShared ?? false; }
    /**
     * True while an adult uses this device, not a child at an adult’s phone. The hub decides what is allowed; this
     * only leaves out what it would refuse.
     */
    get isAdult() { return this.#is?.person.role === "adult" && this.#is.profile.role === "adult"; }

    /**
     * True where the hub wants an adult’s password before it does or shows what is for adults: on a device that the family
     * shares, some minutes after it was typed.
     */
    get needsPassword() {
        const { needsPassword, passwordEnds } = this.#is?.signIn ?? {};
        return Boolean(needsPassword) || passwordEnds != null && passwordEnds <= now();
    }

    /** True while this is what the last visit knew, and the hub has not said yet whether it still holds. */
    get isRestored() { return this.#isRestored; }

    /**
     * Takes what the last visit knew, if the hub has not answered meanwhile.
     * @returns {boolean}
     */
    recall() {
        if (isLeaving()) return false;
        const last = cached("session");
        if (!last || this.#is) return false;
        startCaching();
        this.#is = last.session;
        this.#isRestored = true;
        live.since = last.heardAt;
        this.#leaveToChild();
        setTimeZone(last.session.hub.timeZone);
        setClock(Date.now() + differenceOf(last));
        this.dispatchEvent(new Event("change"));
        return true;
    }

    /** Asks the hub who is signed in. Throws a problem of status 401 when nobody is. */
    async load(signal) {
        if (isLeaving()) await dropPreloads();
        await this.#end();
        const visit = this.#visit;
        const isCurrent = this.#order.sent();
        const data = await get("/api/session", { signal, quiet: true });
        if (visit !== this.#visit) throw new Problem(401, { detail: t`You signed out.` }); // while this was asked
        if (isCurrent()) this.#take(data);
    }

    /** Signs in. */
    async signIn(email, password) {
        await this.#end();
        this.take((await post("/api/session", { email, password }, { quiet: true })).session);
    }

    /**
     * Signs in by what the browser answered for a passkey.
     * @param {Passkeys.UsedPasskey} passkey
     */
    async withPasskey(passkey) {
        await this.#end();
        this.take((await post("/api/session/passkey", passkey, { quiet: true })).session);
    }

    /**
     * Makes the first account of a new hub.
     * @param {Accounts.SetupBody} account
     */
    async setUp(account) {
        await this.#end();
        this.take((await post("/api/setup", account, { quiet: true })).session);
    }

    /**
     * Makes an account from an invitation.
     * @param {Accounts.JoinBody} account
     */
    async join(account) {
        await this.#end();
        this.take((await post("/api/accounts", account, { quiet: true })).session);
    }

    /** Chooses a new password with a code. @param {{code, password}} choice */
    async reset(choice) {
        await this.#end();
        this.take((await post("/api/password-reset", choice, { quiet: true })).session);
    }

    /** Says which person uses this device now. The hub asks for the password when a child’s profile is left. */
    async switchTo(personID, password) {
        this.take(await put("/api/session/profile", { personID, password }, { quiet: true }));
    }

    /** Shows the hub that an adult holds this device, which the family shares. */
    async confirm(password) {
        this.take(await post("/api/session/confirm", { password }, { quiet: true }));
    }

    /** Who was taken to be here while the hub could not be asked; it does not know yet. */
    assumed = null;

    /**
     * Takes somebody to be here, for what is noted until the hub answers again.
     * @param {{id: string}} person
     */
    assume(person) {
        this.assumed = person;
        this.#is = { ...this.#is, profile: person };
        this.#leaveToChild();
        this.dispatchEvent(new Event("change"));
    }

    /** Says whether the family shares this device. */
    async share(isShared) {
        this.take(await put("/api/session/shared", { isShared }));
    }

    /** Names the household anew. */
    async rename(name) {
        this.take(await patch("/api/household", { name }));
    }

    /**
     * Says which companions the household uses.
     * @param {string[]} slugs  at least one
     */
    async use(slugs) {
        this.take(await put("/api/household/companions", { slugs }));
    }

    /**
     * Says how far the first run is.
     * @param {"children"|"companions"|"device"|"done"} step
     */
    async setUpTo(step) {
        this.take(await put("/api/household/setup-step", { step }));
    }

    /**
     * Forgets who was here, in all tabs, and ends the sign-in on the hub: now, or before anything else is asked of it
     * when it is back.
     */
    async signOut() {
        setLeaving(true);
        await this.forget();
        this.#tabs.postMessage("signed out");
        await this.#end().catch(() => {}); // the hub is away
    }

    /** Ends on the hub what was ended here without it. */
    async #end() {
        if (!isLeaving()) return;
        this.#ending ??= remove("/api/session", { quiet: true, signal: AbortSignal.timeout(PATIENCE) });
        try {
            await this.#ending;
        } catch (error) {
            // Otherwise it had ended already, or a child uses a device that the family shares: it stays signed in.
            if (error.status !== 401 && error.status !== 403) throw error;
        } finally {
            this.#ending = null;
        }
        setLeaving(false);
    }

    /** Forgets who was here. Resolves once nothing of it is stored. */
    async forget() {
        live.forget();
        this.#visit += 1;
        this.#is = null;
        this.#isRestored = false;
        await clearCached();
    }

    /** Takes what the hub answered to a change: what it was asked for before is older. */
    take(session) {
        this.#order.stored();
        this.#take(session);
    }

    #take(session) {
        const isConfirmed = this.needsPassword && !session.signIn.needsPassword;
        this.#is = session;
        this.#isRestored = false;
        startCaching();
        setTimeZone(session.hub.timeZone);
        setClock(session.hub.now);
        this.#remember();
        this.#leaveToChild();
        this.dispatchEvent(new Event("change"));
        if (isConfirmed) rights.dispatchEvent(new Event("confirmed"));
    }

    /** Where a child’s face has come, what was cached for adults goes: whoever opens the browser’s own tools reads it. */
    #leaveToChild() {
        const { household, profile, people } = this.#is;
        if (profile.role !== "child") return;
        const children = new Set(people.filter(({ role }) => role === "child").map(({ id }) => `${household.id}/${id}`));
        forgetCachedOf((of) => children.has(of));
    }

    /** Keeps names, people and companions for a visit without the hub: no email, and nothing that opens a door. */
    #remember(heardAt) {
        if (!this.#is || this.#isRestored) return;
        const nameOnly = ({ email, ...person }) => person;
        const { person, profile, people, ...rest } = this.#is;
        const session = {
            ...rest, person: nameOnly(person), profile: nameOnly(profile), people: people.map(nameOnly),
        };
        store("session", { session, heardAt: heardAt ?? Date.now(), ahead: now() - Date.now() });
    }
}

/**
 * How far the hub's clock was ahead when it was last heard, milliseconds; 0 where that says little any more. A clock
 * that is minutes wrong is put right by somebody or by the network some day, one that was put back shows it, and after
 * a day a device is as likely right as its difference of yesterday. What is noted without the hub carries this time.
 */
function differenceOf({ ahead, heardAt }) {
    const age = Date.now() - heardAt;
    return age >= 0 && age < DAY && Math.abs(ahead) <= LARGEST ? ahead : 0;
}

/** Who is signed in, for the whole page. */
export const signIn = new SignIn();
