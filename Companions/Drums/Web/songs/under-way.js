import { age } from "../../elements/age.js";
import { button } from "../../elements/button.js";
import { fill, make } from "../../elements/make.js";
import { notice, problemNotice } from "../../elements/notice.js";
import { confirm } from "../../elements/sheet.js";
import { remove } from "../../app/api.js";
import { frameDrawn } from "../../app/when-idle.js";
import { t } from "../../language/text.js";
import { deviceText } from "../../text/agent.js";
import { overview } from "../overview.js";
import { playHere } from "../play/begin.js";
import { findSession } from "../play/active-sessions.js";

/** A song that the hub has and could not store: it is stored whole, and an adult is shown why. */
function failedNotice({ person, seenAt, reason }) {
    return notice({
        icon: "warning", state: "problem", title: t`A song of ${overview.person(person)?.name ?? "somebody"}’s is not stored yet`,
        words: make("span", {}, t`${reason} Played `, age(seenAt, { plain: true })),
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
        const here = await findSession().catch(() => null); // said where it is begun
        if (this.#signal.aborted) return;
        this.here = here ?? null;
        this.dispatchEvent(new Event("change"));
    }

    /** Draws those of other devices. */
    show() {
        const others = (overview.data?.running ?? []).filter(({ id }) => id !== this.here?.id);
        const parked = overview.data?.parked ?? [];
        this.node.hidden = others.length + parked.length === 0;
        const shape = JSON.stringify([others, parked]);
        if (shape === this.#shape) return;
        this.#shape = shape;
        fill(this.node, others.map((one) => this.#notice(one)), parked.map(failedNotice));
    }

    #notice(one) {
        const name = overview.person(one.person)?.name ?? t`Somebody`;
        return notice({
            icon: "drums", title: `${name} is playing ${one.song.title}`,
            words: make("span", {}, t`Beat ${one.beat} of ${one.beats}${one.agent ? `, on ${deviceText(one.agent).words}` : ""}, `,
                age(one.seenAt, { plain: true })),
            actions: one.mayGoOn && [
                button(t`Go on here`, { icon: "play", press: () => this.#goOn(one) }),
                button(t`End it`, { kind: "quiet", press: () => this.#end(one, name) })],
        });
    }

    async #goOn(one) {
        try {
            await playHere(one.id);
        } catch (error) {
            this.#trouble(problemNotice(error));
            overview.soon();
        }
    }

    #end(one, name) {
        confirm({
            title: `End ${name}’s song?`, yes: t`End it`, kind: "primary", no: t`Let it run`,
            lead: t`What was played is kept as it is, and cannot be gone on with.`,
            act: async () => {
                await remove(`/api/drums/running/${encodeURIComponent(one.id)}`);
                overview.soon();
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
