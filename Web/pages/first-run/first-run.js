import { stylesheet } from "../../elements/stylesheet.js";
import { signIn } from "../../app/sign-in.js";
import { openAdultStep } from "./adult-step.js";
import { openChildrenStep } from "./children-step.js";
import { openCompanionsStep } from "./companions-step.js";
import { openDeviceStep } from "./device-step.js";
import { openHouseholdStep } from "./household-step.js";

const STEPS = {
    household: openHouseholdStep, adult: openAdultStep, children: openChildrenStep, companions: openCompanionsStep,
    device: openDeviceStep,
};
const DRAFT = "tandem.first-run";

/**
 * The first run of a new hub in five steps. The first two become an account; after it the hub itself knows how far the
 * house has come, so a page that is loaded again, or another device, goes on there.
 * @param {(path?: string) => any} opened  called when the hub is set up
 */
export async function openFirstRun(opened) {
    await stylesheet("styles/first-run.css");
    const go = async (name) => {
        // Before there is an account, the hub has nowhere to keep the name: this tab does.
        await STEPS[name]({ draft, go, done });
        // A phone’s keyboard would cover the sentence that says what is asked.
        const first = matchMedia("(pointer: fine)").matches ? ".entry input[type=text]" : ".entry h1"; // not shown: selectors
        const find = (selector) => document.querySelector(selector);
        (find(".entry [aria-invalid=true]") ?? find(first) ?? find(".entry h1")).focus(); // not shown: selectors
    };
    const done = async (path) => {
        await signIn.setUpTo("done");
        await opened(path);
    };
    if (signIn.household) return go(signIn.household.setupStep ?? "children");
    return go(draft.household ? "adult" : "household");
}

/** The household's name until it is founded, in this tab only. */
const draft = {
    get household() {
        try {
            return sessionStorage.getItem(DRAFT) ?? "";
        } catch {
            return this.stored;
        }
    },
    set household(name) {
        this.stored = name;
        try {
            sessionStorage.setItem(DRAFT, name);
        } catch {
            // Then a reload asks for the name again.
        }
    },
    stored: "",
    /** What the hub said about the name, to be shown at its field. */
    problem: null,
    forget() {
        this.stored = "";
        try {
            sessionStorage.removeItem(DRAFT);
        } catch {
            // Nothing was stored.
        }
    },
};
