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
    const name = overview.person(person)?.name;
    return notice({
        icon: "warning", state: "problem",
        title: name ? t`One of ${name}’s songs is not saved yet` : t`A song is not saved yet`,
        words: age(seenAt, { plain: true, words: (ago) => t`${reason} It was played ${ago}.` }),
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
        const others = (overview.data?.active ?? []).filter(({ id }) => id !== this.here?.id);
        const failed = overview.data?.failed ?? [];
        this.node.hidden = others.length + failed.length === 0;
        const shape = JSON.stringify([others, failed]);
        if (shape === this.#shape) return;
        this.#shape = shape;
        fill(this.node, others.map((one) => this.#notice(one)), failed.map(failedNotice));
    }

    #notice(one) {
        const name = overview.person(one.person)?.name;
        const { beat, beats, agent, song: { title } } = one;
        const device = agent && deviceText(agent).words;
        return notice({
            icon: "drums", title: name ? t`${name} is playing ${title}` : t`Somebody is playing ${title}`,
            words: age(one.seenAt, {
                plain: true, words: (ago) => (device ? t`Beat ${beat} of ${beats}, on ${device}, ${ago}`
                    : t`Beat ${beat} of ${beats}, ${ago}`),
            }),
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
            title: name ? t`End ${name}’s song?` : t`End this song?`, yes: t`End it`, kind: "primary", no: t`Let it run`,
            lead: t`What was played is kept, but nobody can go on with it.`,
            act: async () => {
                await remove(`/api/drums/active/${encodeURIComponent(one.id)}`);
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
