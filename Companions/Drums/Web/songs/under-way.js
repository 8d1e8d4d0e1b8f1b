import { age } from "../../elements/age.js";
import { button } from "../../elements/button.js";
import { fill, make } from "../../elements/make.js";
import { notice, problemNotice } from "../../elements/notice.js";
import { confirm } from "../../elements/sheet.js";
import { remove } from "../../house/api.js";
import { frameDrawn } from "../../house/when-idle.js";
import { deviceWords } from "../../words/agent.js";
import { desk } from "../desk.js";
import { playHere } from "../play/begin.js";
import { lookRun } from "../play/runs.js";

/** A song that the hub has and could not store: it is kept whole, and an adult is told why. */
function parkedNotice({ person, seenAt, reason }) {
    return notice({
        icon: "warning", state: "problem", title: `A song of ${desk.person(person)?.name ?? "somebody"}’s is not stored yet`,
        words: make("span", {}, `${reason} Played `, age(seenAt, { plain: true })),
    });
}

/** Songs that are played in this moment: on this device, or on another, from where one can go on here. */
class UnderWay extends EventTarget {
    /** What runs on this device: `{id, person, song}`, or null. */
    here = null;
    node = make("div", { class: "under-way", hidden: true });
    #signal;
    #trouble;
    #shape = "";

    constructor(signal, trouble) {
        super();
        this.#signal = signal;
        this.#trouble = trouble;
    }

    /** Looks what this device has kept; an event `change` when something runs. */
    async look() {
        await frameDrawn();
        const here = await lookRun().catch(() => null); // said where it is begun
        if (this.#signal.aborted) return;
        this.here = here ?? null;
        this.dispatchEvent(new Event("change"));
    }

    /** Draws those of other devices. */
    show() {
        const others = (desk.told?.running ?? []).filter(({ id }) => id !== this.here?.id);
        const parked = desk.told?.parked ?? [];
        this.node.hidden = others.length + parked.length === 0;
        const shape = JSON.stringify([others, parked]);
        if (shape === this.#shape) return;
        this.#shape = shape;
        fill(this.node, others.map((one) => this.#notice(one)), parked.map(parkedNotice));
    }

    #notice(one) {
        const name = desk.person(one.person)?.name ?? "Somebody";
        return notice({
            icon: "drums", title: `${name} is playing ${one.song.title}`,
            words: make("span", {}, `Beat ${one.beat} of ${one.beats}${one.agent ? `, on ${deviceWords(one.agent).words}` : ""}, `,
                age(one.seenAt, { plain: true })),
            actions: one.mayGoOn && [
                button("Go on here", { icon: "play", press: () => this.#goOn(one) }),
                button("End it", { kind: "quiet", press: () => this.#end(one, name) })],
        });
    }

    async #goOn(one) {
        try {
            await playHere(one.id);
        } catch (error) {
            this.#trouble(problemNotice(error));
            desk.soon();
        }
    }

    #end(one, name) {
        confirm({
            title: `End ${name}’s song?`, yes: "End it", kind: "primary", no: "Let it run",
            lead: "What was played is kept as it is, and cannot be gone on with.",
            act: async () => {
                await remove(`/api/drums/running/${encodeURIComponent(one.id)}`);
                desk.soon();
            },
        });
    }
}

/**
 * @param {AbortSignal} signal
 * @param {(notice: Node) => any} trouble  where a problem is said
 */
export function underWay(signal, trouble) {
    return new UnderWay(signal, trouble);
}
