import { Problem } from "../../app/problem.js";
import { t } from "../../language/text.js";
import { ActiveSession } from "../../sessions/active-session.js";
import { bytesFrom } from "../../sessions/active-sessions.js";
import { clockTime } from "../../text/dates.js";
import { alignClock } from "./clock.js";

const EACH = 1000; // milliseconds: what was measured goes to the disk, some five bytes a sample
const PATH = "/api/lab/sessions";
/** The engine's number of a stream that stopped: `RecordedStreamState`. */
const STOPPED = 1;

/**
 * A recording that goes on in this page. What it is made of is for the engine to say; here its bytes are stored each second,
 * on the disk first and then in the hub. A page that was closed has ended its recording: nobody held the phone meanwhile.
 */
export class ActiveRecording extends ActiveSession {
    #engine;
    #timer = null;
    #look = () => this.#seen();
    #isTakenUp = false;

    constructor(sessions, engine, stored, held) {
        super(sessions, stored, held);
        this.#engine = engine;
    }

    /**
     * @param {{streams: Array<{kind: number, source: number}>, hertz: number, experiment: string, name: string}} of
     *   `hertz`: so many a second are wanted; 0 for all
     */
    async begin({ streams, hertz, experiment, name }) {
        const { call } = this.#engine;
        this.#isTakenUp = true;
        call.begin(hertz);
        call.setID(this.#engine.put(bytesFrom(this.stored.id)));
        call.setPerson(this.#engine.put(encoded(this.stored.person.id)));
        call.setExperiment(this.#engine.put(encoded(experiment)));
        for (const { kind, source } of streams) call.addStream(kind, source, hertz);
        if (call.beginRecording(this.now(), -new Date().getTimezoneOffset()) !== 0) {
            throw new Problem(0, { title: t`Not recorded`, detail: t`This cannot be recorded for this person.` });
        }
        if (name) this.name(name);
        this.#timer = setInterval(() => this.#save(), EACH);
        addEventListener("pagehide", this.#look);
        document.addEventListener("visibilitychange", this.#look);
        this.#save(); // it has begun: nobody waits for the disk
        this.#align();
    }

    /** How this device's clock stands to the hub's, as soon as the hub answers. */
    #align() {
        return alignClock(this.#engine, () => { if (!this.isOver) this.#engine.call.recordClock(this.now()); });
    }

    /** The clock of the samples: this device's own. How it stands to the hub's is written down beside them. */
    now() { return performance.timeOrigin + performance.now(); }

    sample(...values) { if (!this.isOver) this.#engine.call.sample(...values); }

    /** How many were recorded of a kind. */
    recorded(kind) { return this.#engine.call.recorded(kind); }

    /** A sensor that sends no more. */
    stopped(kind) { this.#engine.call.recordState(kind, STOPPED, this.now()); }

    /** @param {string} words  @returns {boolean}  false where they are too long */
    annotate(words) { return this.#engine.call.annotate(this.#engine.put(encoded(words)), this.now()) === 1; }

    /** @param {string} words  @returns {boolean}  false where they are too long */
    name(words) { return this.#engine.call.nameRecording(this.#engine.put(encoded(words))) === 1; }

    /** After a reload: what there is of it is all. */
    async goOn() {
        if (this.#isTakenUp) return;
        this.#isTakenUp = true;
        await this.#deliver();
    }

    async stop() {
        if (this.isOver) return;
        this.#engine.call.endRecording(this.now());
        await this.#save();
        await this.#deliver();
    }

    left() {
        clearInterval(this.#timer);
        removeEventListener("pagehide", this.#look);
        document.removeEventListener("visibilitychange", this.#look);
    }

    #seen() {
        if (!document.hidden && document.visibilityState === "visible") return;
        this.#save();
        this.uploadLast();
    }

    #save() { return this.append(this.#engine.answer(this.#engine.call.takeRecording())); }

    async #deliver() {
        const { person, startedAt } = this.stored;
        await this.deliver({
            path: PATH, title: t`${person.name} recorded something, ${clockTime(startedAt)}`,
            noted: async () => {},
        });
    }
}

const encoded = (words) => new TextEncoder().encode(words);
