import { Problem } from "../../app/problem.js";
import { t } from "../../language/text.js";
import { ActiveSession } from "../../sessions/active-session.js";
import { clockTime } from "../../text/dates.js";
import { overview } from "../overview.js";
import { LINK, OUTPUT } from "../engine-constants.js";
import { noteDone, PATH } from "./done.js";
import { beats, micros } from "./engine-says.js";
import { rehearse } from "./rehearsal.js";
import { setUp } from "./set-up.js";
import { SongAudio } from "./song-audio.js";
import { SongDrums } from "./song-drums.js";
import { musicOf, notesOf } from "./song-notes.js";
import { SongPosition } from "./song-position.js";

const TICK = 25; // milliseconds: how often sounds are planned, and how late a cue for a kit may be
const UPBEAT = 250; // milliseconds before the first count, in which its sound is planned

/**
 * The song that is played on this device. When a drum is asked for, what a hit is worth, when the music waits and when
 * it goes on is for the engine to say; here it is given what was hit, and when, and lights and sounds follow it. Of it
 * is kept besides: `{person: {id, name, face, timeZone}, song: {id, title}, tempoPercent, sounds, taken}`; `taken`: how
 * many beats of it the hub has.
 *
 * Events, besides those of every session: `rehearsal` (detail: see rehearsal.js), before it begins; `frame`, when a fullscreen view is to draw; `judged` (detail: the beat),
 * right after a hit was answered; `other` (detail: the drum that was hit instead); `struck` (detail: the pad of a link without a clock); `change` when
 * it waits, goes on, pauses, or its link came or went.
 */
export class ActiveSong extends ActiveSession {
    #engine;
    #songPosition;
    #drums;
    #audio = null;
    #notes = null;
    #isSetUp = false; // by prepare, and not begun yet
    #isEnded = false;
    #followUp = null; // what of an input is done right after it
    #unfollowed = 0; // what inputs have brought about that nothing has followed yet
    #beats = []; // how many there are in so many bytes of what the hub does not have
    #timer = null;
    #frame = 0;
    #isDue = false; // a cue is to be put out with the next frame
    #wrong = false; // another drum was hit since the cue
    /**
     * The beat that was judged last; undefined until somebody wants it.
     * @type {object | null | undefined}
     */
    #last;

    constructor(activeSessions, engine, stored, held) {
        super(activeSessions, stored, held);
        this.#engine = engine;
        this.#songPosition = new SongPosition(engine);
        this.#drums = new SongDrums(engine, {
            isPlayed: () => this.#isPlayed,
            took: (outputs, drum) => this.#took(outputs, drum),
            shown: (step, at) => this.#shown(step, at),
            struck: (drum) => this.dispatchEvent(new CustomEvent("struck", { detail: drum })),
            changed: () => this.dispatchEvent(new Event("change")),
        });
    }

    /** The session as the engine sees it: Browser/ViewExports.swift. */
    get session() { return this.#engine.view("session"); }
    get isPaused() { return this.session.isPaused === 1; }
    /** Whether anything was played that one would miss. */
    get isWorthKeeping() { return this.beatsDone > 0; }
    /** Whether it ended where the song does. */
    get isFinished() { return this.session.isFinished === 1; }
    /** How many drums were asked for. */
    get beatsDone() { return this.session.beatsDone; }
    /** Whether it has begun. */
    get hasBegun() { return !this.#isSetUp; }
    get sounds() { return this.stored.sounds; }
    /** Quartiles of what the link has taken so far, or null. */
    get latency() { return this.#drums.latency; }

    /** What stands still of it: for a fullscreen view, and its lane. Once it has begun. */
    get about() {
        return { ...this.#songPosition.song, song: this.stored.song };
    }

    /** Where one is: everything that a fullscreen view draws. One object, which the next look changes. */
    get view() {
        return Object.assign(this.#songPosition.look(micros(performance.now())), {
            last: this.#lastBeat, wrong: this.#wrong, song: this.stored.song.title, link: this.#drums.says,
        });
    }

    get #lastBeat() {
        if (this.#last === undefined) this.#last = this.beatsDone > 0 ? beats(this.#engine, this.beatsDone - 1)[0] : null;
        return this.#last;
    }

    /** Sets the engine up, see {@link setUp}; the song begins with {@link goOn}. */
    prepare(chosen) {
        setUp(this.#engine, { ...chosen, id: this.stored.id });
        this.#isSetUp = true;
    }

    /** Begins, or goes on with what was kept; called by who hears the events. */
    async goOn() {
        if (this.#timer || this.isOver) return;
        this.#notes ??= await notesOf(overview.song(this.stored.song.id), this.stored.tempoPercent);
        const content = this.#isSetUp ? null : await this.content();
        if (this.#timer || this.isOver) return;
        if (this.#isSetUp) this.#rehearse();
        const at = micros(performance.now());
        let outputs = 0;
        if (this.#isSetUp) {
            this.stored.startedAt = this.wallTime();
            outputs = this.#engine.call.begin(this.wallTime(), at + micros(UPBEAT));
            if (outputs < 0) {
                await this.drop();
                throw new Problem(0, { title: t`Not started`, detail: t`This song could not be started (${-outputs}).` });
            }
            this.#isSetUp = false;
        } else if (this.#engine.call.resumeSession(this.#engine.put(content), this.wallTime(), at) !== 0) {
            return this.deliver(this.#delivery()); // nobody can go on with it; the hub says why
        } else outputs = OUTPUT.recorded;
        this.#audio = new SongAudio(musicOf(this.about, this.#notes), this.stored.sounds);
        this.#watch();
        const ended = this.#took(outputs);
        if (ended) await ended;
        else this.#save(); // the song has begun: its fullscreen view does not wait for the disk
    }

    /** Whoever hears the events hits a drum ahead of time, see {@link rehearse}, and nothing of that is left. */
    #rehearse() {
        const asked = rehearse(this.#engine);
        if (!asked) return;
        this.#timer = 0; // as one that is played
        this.dispatchEvent(new CustomEvent("rehearsal", { detail: asked }));
        this.#engine.answer(this.#engine.call.sessionFrom(0));
        clearTimeout(this.#followUp);
        this.#timer = this.#followUp = null;
        this.#last = undefined;
        this.#unfollowed = 0;
        this.#wrong = this.#isDue = false;
    }

    /**
     * A pad of the screen or a key was hit.
     * @param {number} at  `performance.now()`
     * @returns {boolean}  false where the drums of the link answer, and nothing else
     */
    strike(drum, at, link = LINK.screen, velocity = 0) {
        if (!this.#isPlayed || this.isPaused || this.#drums.haveLights) return false;
        this.#took(this.#engine.call.strike(drum, velocity, link, micros(at)), drum);
        return true;
    }

    pause() { return this.#act("pause"); }
    resume() {
        this.#drums.tell(); // they may have been calibrated meanwhile
        return this.#act("unpause");
    }
    stop() { return this.#act("stop"); }

    /**
     * Says which sounds of this song are on.
     * @param {{song: boolean, metronome: boolean, hits: boolean}} sounds
     */
    async setSounds(sounds) {
        this.stored.sounds = sounds;
        if (this.#audio) this.#audio.sounds = sounds;
        if (this.length > 0) await this.append(new Uint8Array(0));
    }

    /**
     * Loads a recording that the song may have.
     * @returns {Promise<string?>}  why it cannot be heard, in words
     */
    loadSound(signal) { return this.#audio.load(signal); }

    async #act(input) {
        if (!this.#isPlayed) return;
        await (this.#took(this.#engine.call[input](micros(performance.now()))) ?? this.#save());
    }

    get #isPlayed() { return this.#timer !== null && !this.#isEnded && !this.isOver; }

    #watch() {
        this.#timer = setInterval(() => this.#tick(), TICK);
        this.#frame = requestAnimationFrame(this.#draw);
        document.addEventListener("visibilitychange", this.#look);
        addEventListener("pagehide", this.#look);
        this.#drums.begin();
    }

    left() {
        clearInterval(this.#timer);
        clearTimeout(this.#followUp);
        cancelAnimationFrame(this.#frame);
        this.#drums.end();
        document.removeEventListener("visibilitychange", this.#look);
        removeEventListener("pagehide", this.#look);
        this.#audio?.hush();
    }

    #tick() {
        if (!this.#isPlayed) return;
        if (!this.isOurs) return this.leave(); // it was paused when they signed out
        const now = performance.now();
        this.#took(this.#engine.call.tick(micros(now)));
        this.#drums.askAgain(now);
    }

    #draw = () => {
        if (!this.#isPlayed) return;
        // What is heard is planned with each tick, long before; with a frame only where something has come about.
        const outputs = this.#engine.call.tick(micros(performance.now()));
        if (outputs !== 0) this.#took(outputs);
        if (!this.#isPlayed) return;
        this.#frame = requestAnimationFrame(this.#draw);
        this.dispatchEvent(new Event("frame"));
        if (!this.#isDue) return;
        this.#isDue = false;
        // The fullscreen view has just drawn it: it is seen with this frame.
        this.#shown(this.session.cueStep, performance.now());
    };

    /** A page that is hidden is not played with, and may never be seen again. */
    #look = ({ type }) => {
        if (type !== "pagehide" && !document.hidden) return;
        this.pause();
        if (this.#isPlayed) this.#save();
        this.uploadLast();
    };

    /** The engine has taken an input, and said this. */
    #took(outputs, struck = null) {
        if (outputs & OUTPUT.judged) {
            this.#wrong = false;
            this.#last = undefined;
        }
        if (outputs & OUTPUT.otherDrum) {
            this.#wrong = true;
            this.dispatchEvent(new CustomEvent("other", { detail: struck }));
        }
        if (outputs & OUTPUT.cueDue) {
            this.#wrong = false;
            // The drums of the link are lit at once, those of the screen with the next frame.
            if (this.#drums.haveLights) this.#drums.light();
            else this.#isDue = true;
        } else if (outputs & OUTPUT.clear) {
            this.#isDue = false;
            this.#drums.clear();
        }
        this.#unfollowed |= outputs;
        // What was hit is seen and heard first; all else, and what the song goes on with, comes right after it.
        const ended = struck === null ? this.#follow() : null;
        if (!ended && outputs & OUTPUT.recorded) this.#followUp ??= setTimeout(() => this.#settle());
        return ended;
    }

    /** Says what inputs have brought about, and plans what is heard; where the session is over, it ends. */
    #follow() {
        const outputs = this.#unfollowed;
        this.#unfollowed = 0;
        if (outputs & OUTPUT.judged) this.dispatchEvent(new CustomEvent("judged", { detail: this.#lastBeat }));
        const { isRunning, isWaiting, anchor, floor, horizon } = this.session;
        this.#audio?.plan({ isRunning: isRunning === 1, isWaiting: isWaiting === 1, anchor: anchor / 1000, floor, horizon });
        if (outputs & ~OUTPUT.recorded) this.dispatchEvent(new Event("change"));
        return this.session.end === 0 ? null : this.#end();
    }

    /** After a hit was answered, not while: what is seen and heard comes first. */
    #settle() {
        if (this.#unfollowed !== 0) this.#follow();
        if (!this.#isEnded) this.#save();
    }

    #shown(step, at) {
        const { cueStep, isCueShown } = this.session;
        if (!this.#isPlayed || step < 0 || step !== cueStep || isCueShown) return;
        this.#took(this.#engine.call.cueShown(step, micros(at)));
    }

    #end() {
        if (this.#isEnded || this.isOver) return null;
        this.#isEnded = true;
        const isStored = this.isWorthKeeping || this.isFinished;
        this.#engine.call.finish(micros(performance.now()));
        this.#audio?.hush();
        this.#drums.clear();
        this.#drums.keepLatency();
        const saved = this.#save();
        // Nothing more of it is drawn or heard; the disk may take its time.
        this.left();
        return saved.then(() => (isStored ? this.deliver(this.#delivery()) : this.drop()));
    }

    #delivery() {
        const { person, song, startedAt } = this.stored;
        return {
            path: PATH, title: t`${person.name} played ${song.title}, ${clockTime(startedAt)}`,
            noted: (bytes) => noteDone({ ...this.stored, bytes }),
        };
    }

    #save() {
        clearTimeout(this.#followUp);
        this.#followUp = null;
        const saved = this.append(this.#engine.answer(this.#engine.call.sessionFrom(this.length)));
        this.#beats.push({ length: this.length, beats: this.beatsDone });
        return saved;
    }

    get isWorthSending() { return this.beatsDone > 0; }

    acknowledged(offset) {
        while (this.#beats[0]?.length <= offset) this.stored.taken = this.#beats.shift().beats;
    }

    /** What was played here, and the other device knows nothing of, goes to the hub, where it can be seen to. */
    elsewhere() {
        if (!this.#isPlayed) return;
        const isMore = this.beatsDone > (this.stored.taken ?? 0);
        this.#save();
        this.handOver(isMore ? this.#delivery() : null);
    }
}
