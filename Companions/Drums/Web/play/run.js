import { bytesOf } from "../../engine/base64.js";
import { Problem } from "../../house/problem.js";
import { bytesFrom, Runs } from "../../offline/runs.js";
import { SessionRun } from "../../offline/session-run.js";
import { clockTime } from "../../words/dates.js";
import { desk } from "../desk.js";
import { LINK } from "../links/link.js";
import { latencyOf, links } from "../links/links.js";
import { AskingAgain } from "./asking-again.js";
import { noteDone } from "./done.js";
import { beat, distribution, setup, upcoming } from "./engine-says.js";
import { HubCopy } from "./hub-copy.js";
import { SongAudio } from "./song-audio.js";
import { stillOpen } from "./still-open.js";
import { musicOf, notesOf } from "./song-notes.js";
import { sessionFromBytes } from "./session-told.js";

const PATH = "/api/drums/sessions";
const TICK = 25; // milliseconds: how often sounds are planned, and how late a cue for a kit may be
const UPBEAT = 250; // milliseconds before the first count, in which its sound is planned
const IN_SIGHT = 16; // beats to come that a stage may draw

/** What an input of the engine may say, as bits. */
const OUTPUT = { recorded: 1, cueDue: 2, judged: 4, waiting: 8, goesOn: 16, ended: 32, clear: 64, otherDrum: 128 };
const FLOW = 1; // the engine's number of the mode in which the song goes on
const FINISHED = 1; // and of an end that was reached

const micros = (at) => at * 1000;

/**
 * The song that is played on this device. When a drum is asked for, what a hit is worth, when the music waits and when
 * it goes on is for the engine to say; here it is told what was hit, and when, and lights and sounds follow it. Of it is
 * kept besides: `{person: {id, name, face, timeZone}, song: {id, title}, sounds, taken}`; `taken`: how many beats of it
 * the hub has.
 *
 * Events, besides those of every session: `frame`, when a stage is to draw; `judged` (detail: the beat); `other`
 * (detail: the drum that was hit instead); `change` when it waits, goes on, pauses, or its link came or went.
 */
class Run extends SessionRun {
    #engine;
    #isSetUp = false; // by prepare, and not begun yet
    #isEnded = false;
    #saving = null;
    #onDisk = null; // `{bytes, beats}`
    #again = new AskingAgain();
    #notes = null;
    #timer = null;
    #frame = 0;
    #isDue = false; // a cue is to be put out with the next frame
    #wrong = false; // another drum was hit since the cue
    #last = null;
    #coming = { of: null, beats: [] };
    #audio = null;
    #copy;
    #link = null;
    #linkEnds = new AbortController();

    constructor(engine, kept, held) {
        super(runs, kept, held);
        this.#engine = engine;
        // What the hub has is never more than what is here: the disk first.
        this.#copy = new HubCopy(kept.id, {
            recorded: () => (this.trouble ? { bytes: this.kept.bytes, beats: this.says.beatsDone() } : this.#onDisk),
            taken: (beats) => { this.kept.taken = beats; },
            elsewhere: () => this.#isElsewhere(),
        });
    }

    /** What the engine says: the functions of Browser/SessionExports.swift. */
    get says() { return this.#engine.call; }
    get isPaused() { return this.says.isPaused() === 1; }
    /** Whether anything was played that one would miss. */
    get isWorthKeeping() { return this.says.beatsDone() > 0; }
    /** How many drums were asked for, and how many of them were right. */
    get soFar() { return { asked: this.says.beatsDone(), right: this.says.rightSoFar() }; }
    get sounds() { return this.kept.sounds; }

    /**
     * Sets the engine up; the song begins with {@link goOn}.
     * @param {{person: object, song: object, level: number, mode: string, link: number}} chosen  of the desk
     */
    prepare({ person, song, level, mode, link }) {
        const { play } = person;
        const put = (bytes) => this.#engine.put(bytes);
        const { says } = this;
        const refuse = (fault, detail) => {
            if (fault) throw new Problem(0, { title: "Not begun", detail: `${detail} (${fault})` });
        };
        says.newSetup();
        refuse(says.setID(put(bytesFrom(this.kept.id))), "This page cannot begin a song.");
        refuse(says.setPerson(put(new TextEncoder().encode(person.id))), "This page cannot begin a song for them.");
        refuse(says.loadSong(put(bytesOf(song.bytes))), "This song cannot be read. Load the page again.");
        refuse(says.setSong(level), "This song cannot be played at this level.");
        const drums = play.drums.reduce((bits, isOn, drum) => bits | (isOn ? 1 << drum : 0), 0);
        const hands = ["both", "left", "right"].indexOf(play.hands);
        refuse(says.setPlay(mode === "flow" ? FLOW : 0, hands, drums, play.countIn), "These settings cannot be played.");
        refuse(says.setLink(link, latencyOf(link)), "These drums cannot be played.");
        says.setSeed(crypto.getRandomValues(new Uint32Array(1))[0]);
        const window = person.windows?.[LINK_CLASSES[link]]?.[play.hands];
        if (window) says.setWindow(window.centre, window.half, says.setupField(7));
        const { milliseconds, belowPercent, beats } = play.stop ?? { milliseconds: 0, belowPercent: 0, beats: 10 };
        says.setStop(milliseconds, belowPercent, beats);
        says.setUTCOffset(-new Date().getTimezoneOffset());
        this.#isSetUp = true;
    }

    /** Whether the song has begun. */
    get hasBegun() { return !this.#isSetUp; }

    /** Begins, or goes on with what was kept; called by who hears the events. */
    async goOn() {
        if (this.#timer || this.isOver) return;
        this.#notes ??= await notesOf(desk.song(this.kept.song.id));
        if (this.#timer || this.isOver) return;
        const at = micros(performance.now());
        let outputs = 0;
        if (this.#isSetUp) {
            this.kept.startedAt = this.wall();
            outputs = this.says.begin(this.wall(), at + micros(UPBEAT));
            if (outputs < 0) {
                await this.drop();
                throw new Problem(0, { title: "Not begun", detail: `This song cannot be begun (${-outputs}).` });
            }
            this.#isSetUp = false;
        } else if (this.says.resume(this.#engine.put(this.kept.bytes), this.wall(), at) !== 0) {
            return this.#deliver(); // nobody can go on with it; the hub says why
        } else outputs = OUTPUT.recorded;
        this.#audio = new SongAudio(musicOf(this.about, this.#notes), this.kept.sounds);
        this.#last = this.says.beatsDone() > 0 ? beat(this.#engine, this.says.beatsDone() - 1) : null;
        this.#watch();
        const ended = this.#took(outputs);
        if (ended) await ended;
        else this.#save(); // the song has begun: its stage does not wait for the disk
    }

    /** What stands still of it: for a stage, and its lane. Once it has begun. */
    get about() {
        const { says } = this;
        const told = setup(this.#engine);
        const { stepsPerBeat, steps, countIn, tempo } = told;
        const whole = Math.ceil(steps / stepsPerBeat);
        const beyond = says.microsecondsPerBeat(steps - 1) / stepsPerBeat; // a step behind the end
        const at = Array.from({ length: whole + 2 }, (_, beat) => says.stepPosition(Math.min(beat * stepsPerBeat, steps))
            + Math.max(0, beat * stepsPerBeat - steps) * beyond);
        const beatAt = (beat) => (beat < 0 ? beat * tempo : at[Math.min(beat, whole + 1)]);
        return {
            ...told, song: this.kept.song, beats: says.beatCount(), isFlow: told.mode === FLOW, whole, beatAt, countIn,
        };
    }

    /** Where one is: everything that a stage draws. */
    get view() {
        const { says } = this;
        const position = says.songAt(micros(performance.now()));
        const step = says.cueStep();
        const drum = says.cueDrum();
        const isPaused = says.isPaused() === 1;
        const isLost = says.isLinkLost() === 1;
        // After a pause the song takes a breath before the drum is lit again.
        const isLit = step >= 0 && !isPaused && (says.isCueDue() === 1 || says.isCueShown() === 1);
        const of = `${step} ${says.beatsAsked()}`;
        if (this.#coming.of !== of) this.#coming = { of, beats: upcoming(this.#engine, IN_SIGHT) };
        const phase = says.endReason() !== 0 ? "over" : isPaused ? "paused" : isLost ? "lost"
            : position < 0 && says.beatsAsked() === 0 ? "count" : "playing";
        return {
            phase, position, coming: this.#coming.beats, last: this.#last, wrong: this.#wrong,
            asked: isLit ? { step, drum, side: this.#sideOf(drum) } : null,
            isWaiting: says.isWaiting() === 1, isFlow: says.setupField(1) === FLOW,
            count: Math.ceil(-position / says.microsecondsPerBeat(0)), beat: says.beatsAsked(),
            song: this.kept.song.title, link: this.#link?.says ?? null,
        };
    }

    /**
     * A pad of the screen or a key was hit.
     * @param {number} at  `performance.now()`
     * @returns {boolean}  false where the drums of the link answer, and nothing else
     */
    strike(drum, at, link = LINK.screen, velocity = 0) {
        if (!this.#isPlayed || this.isPaused) return false;
        if (this.#link?.hasOwnClock && this.#link.isOn) return false;
        this.#took(this.says.strike(drum, velocity, link, micros(at)), drum);
        return true;
    }

    pause() { return this.#act("pause"); }
    resume() {
        this.#relit(); // these drums may have been calibrated meanwhile
        return this.#act("unpause");
    }
    stop() { return this.#act("stop"); }

    /** Says which sounds of this song are on. @param {{song: boolean, metronome: boolean, hits: boolean}} sounds */
    async setSounds(sounds) {
        this.kept.sounds = sounds;
        if (this.#audio) this.#audio.sounds = sounds;
        if (this.kept.bytes) await this.save(this.kept.bytes);
    }

    /** Loads a recording that the song may have. @returns {Promise<string?>}  why it cannot be heard, in words */
    loadSound(signal) { return this.#audio.load(signal); }

    async #act(input) {
        if (!this.#isPlayed) return;
        await (this.#took(this.says[input](micros(performance.now()))) ?? this.#save());
    }

    get #isPlayed() { return this.#timer !== null && !this.#isEnded && !this.isOver; }

    #watch() {
        this.#timer = setInterval(() => this.#tick(), TICK);
        this.#frame = requestAnimationFrame(this.#draw);
        document.addEventListener("visibilitychange", this.#look);
        addEventListener("pagehide", this.#look);
        links.addEventListener("change", this.#relink);
        this.#relink();
    }

    #tick() {
        if (!this.#isPlayed) return;
        if (!this.isOurs) return this.leave(); // it was paused when they signed out
        const now = performance.now();
        this.#took(this.says.tick(micros(now)));
        if (this.#again.isDue(now) && this.#isPlayed && this.#isUnanswered) this.#askAgain(now);
    }

    /** Whether the music waits for drums that were asked, and are there. */
    get #isUnanswered() {
        const { says } = this;
        return this.#link?.hasOwnClock && this.#link.isOn && says.isWaiting() === 1 && says.isCueDue() === 1;
    }

    /** To the engine, what got lost is a link that was lost for no time: the reaction counts from when it is back. */
    #askAgain(now) {
        this.#again.count();
        const kind = this.#link.kind;
        this.#took(this.says.linkLost(micros(now)) | this.says.linkBack(kind, latencyOf(kind), micros(now)));
    }

    #draw = () => {
        this.#tick();
        if (!this.#isPlayed) return;
        this.#frame = requestAnimationFrame(this.#draw);
        this.dispatchEvent(new Event("frame"));
        if (!this.#isDue) return;
        this.#isDue = false;
        // The stage has just drawn it: it is seen with this frame.
        this.#shown(this.says.cueStep(), performance.now());
    };

    /** A page that is hidden is not played with, and may never be seen again. */
    #look = ({ type }) => {
        if (type !== "pagehide" && !document.hidden) return;
        this.pause();
        if (this.#isPlayed) this.#save();
        this.#copy.last();
    };

    #took(outputs, struck = null) {
        if (outputs & OUTPUT.judged) {
            this.#wrong = false;
            this.#last = beat(this.#engine, this.says.beatsDone() - 1);
            this.dispatchEvent(new CustomEvent("judged", { detail: this.#last }));
        }
        if (outputs & OUTPUT.otherDrum) {
            this.#wrong = true;
            this.dispatchEvent(new CustomEvent("other", { detail: struck }));
        }
        if (outputs & OUTPUT.cueDue) {
            this.#wrong = false;
            this.#putOut();
        }
        if (outputs & OUTPUT.clear && !(outputs & OUTPUT.cueDue)) {
            this.#isDue = false;
            this.#link?.clear();
        }
        if (this.#audio) this.#sound();
        if (outputs & ~OUTPUT.recorded) this.dispatchEvent(new Event("change"));
        if (this.says.endReason() !== 0) return this.#end();
        if (outputs & OUTPUT.recorded) this.#saving ??= setTimeout(() => this.#save());
        return null;
    }

    /** The drums of the link are lit at once, those of the screen with the next frame. */
    async #putOut() {
        const link = this.#link;
        if (!link?.hasOwnClock || !link.isOn) {
            this.#isDue = true;
            return;
        }
        const step = this.says.cueStep();
        this.#again.asked(step, performance.now());
        try {
            const { at } = await link.cue(this.says.cueDrum());
            if (at !== null) this.#shown(step, at);
        } catch {
            // A link that is lost says so itself, and the engine asks again when it is back.
            if (step === this.says.cueStep()) this.#again.lost(performance.now());
        }
    }

    #shown(step, at) {
        if (!this.#isPlayed || step < 0 || step !== this.says.cueStep() || this.says.isCueShown() === 1) return;
        this.#took(this.says.cueShown(step, micros(at)));
    }

    #sound() {
        const { says } = this;
        this.#audio.plan({
            isRunning: says.isRunning() === 1, isWaiting: says.isWaiting() === 1, anchor: says.anchor() / 1000,
            floor: says.floorPosition(), horizon: says.horizon(),
        });
    }

    #sideOf(drum) {
        const hands = this.says.setupField(2);
        return hands === 0 ? Number(drum >= 2) : hands - 1;
    }

    /** Another link is current, or none. */
    #relink = () => {
        const link = links.current;
        if (link === this.#link && link !== null) return;
        this.#linkEnds.abort();
        this.#linkEnds = new AbortController();
        const { signal } = this.#linkEnds;
        const was = this.#link;
        this.#link = link;
        link?.addEventListener("state", () => this.#relit(), { signal });
        link?.addEventListener("lost", () => this.#again.lost(performance.now()), { signal });
        link?.addEventListener("notification", ({ detail: { bytes, at } }) => {
            if (this.#isPlayed) this.#took(this.says.message(this.#engine.put(bytes), micros(at)));
        }, { signal });
        link?.addEventListener("strike", ({ detail: { drum, velocity, at } }) => {
            if (!this.#isPlayed) return;
            this.dispatchEvent(new CustomEvent("struck", { detail: drum }));
            this.#took(this.says.strike(drum, velocity, link.kind, micros(at)), drum);
        }, { signal });
        if (was || link || this.says.currentLink() > LINK.keyboard) this.#relit();
    };

    /** Tells the engine whether the drums are there. */
    #relit() {
        if (!this.#isPlayed) return;
        const at = micros(performance.now());
        const link = this.#link;
        const kind = link?.kind ?? screenOrKeyboard();
        // Where nothing has changed, the engine takes no notice of either.
        if (!link || link.isOn) this.#took(this.says.linkBack(kind, latencyOf(kind), at));
        else this.#took(this.says.linkLost(at));
        this.dispatchEvent(new Event("change"));
    }

    #end() {
        if (this.#isEnded || this.isOver) return null;
        this.#isEnded = true;
        const { says } = this;
        const isWorthKeeping = this.isWorthKeeping || says.endReason() === FINISHED;
        says.finish(micros(performance.now()));
        this.#audio?.hush();
        this.#link?.clear();
        this.#tellLatency();
        const saved = this.#save();
        this.#copy.end();
        // Nothing more of it is drawn or heard; the disk may take its time.
        this.left();
        return saved.then(() => (isWorthKeeping ? this.#deliver() : this.drop()));
    }

    #tellLatency() {
        const found = distribution(this.#engine, "latency");
        if (!found || !this.#link) return;
        links.measured(this.#link.kind, {
            count: found.n, lowerQuartileTenths: Math.round(found.lower * 10),
            medianTenths: Math.round(found.median * 10), upperQuartileTenths: Math.round(found.upper * 10),
        });
    }

    /** Quartiles of what the link has taken so far, or null. */
    get latency() { return distribution(this.#engine, "latency"); }

    #deliver() { return this.deliver(this.#delivery); }

    get #delivery() {
        const { person, song, startedAt } = this.kept;
        return {
            path: PATH, title: `${person.name} played ${song.title}, ${clockTime(startedAt)}`,
            noted: () => noteDone(this.kept),
        };
    }

    /** After a hit was answered, not while: what is seen and heard comes first. */
    #save() {
        clearTimeout(this.#saving);
        this.#saving = null;
        const bytes = this.#engine.answer(this.says.encode());
        const beats = this.says.beatsDone();
        return this.save(bytes).then(() => {
            this.#onDisk = { bytes, beats };
            if (beats > 0) this.#copy.changed();
        });
    }

    /** What was played here, and the other device knows nothing of, goes to the hub, where it can be seen to. */
    #isElsewhere() {
        if (!this.#isPlayed) return;
        const isMore = this.says.beatsDone() > (this.kept.taken ?? 0);
        this.#save();
        this.handOver(isMore ? this.#delivery : null);
    }

    left() {
        clearInterval(this.#timer);
        clearTimeout(this.#saving);
        cancelAnimationFrame(this.#frame);
        this.#linkEnds.abort();
        links.removeEventListener("change", this.#relink);
        document.removeEventListener("visibilitychange", this.#look);
        removeEventListener("pagehide", this.#look);
        this.#audio?.hush();
    }
}

/** Of which links a window of flow mode is: those that answer alike. */
const LINK_CLASSES = ["screen", "keyboard", "kit", "kit", "midi", "midi"];

/** Which of the two that are always there is meant: a desk has keys, a phone has none. */
function screenOrKeyboard() {
    return matchMedia("(any-pointer: coarse)").matches ? LINK.screen : LINK.keyboard;
}

const runs = new Runs({
    slug: "drums",
    unkept: "This device cannot keep what is played while it runs: leave this page open until the end.",
    busy: "Somebody plays in another window of this device.",
    make: (engine, kept, held) => new Run(engine, kept, held),
    isOver: (reader, { bytes, ahead }) => {
        const { call } = reader;
        return call.resume(reader.put(bytes), Date.now() + ahead, micros(performance.now())) !== 0
            || call.endReason() !== 0;
    },
});

/**
 * What is played on this device, in whatever page, as it is kept; null where nothing is. One that was left for so long
 * that the engine calls it over is delivered, and in nobody's way.
 */
export const lookRun = () => runs.look();

/**
 * Sets up a song, unless one is played.
 * @param {{person: object, song: object, level?: number, mode?: "wait"|"flow"}} chosen  of the desk; what is left out
 *   is as the person's settings say
 * @returns {Promise<object>}  what is kept of the song that is played now
 */
export function beginRun({ person, song, level = person.play.level, mode = person.play.mode }) {
    const { id, name, face, timeZone, settings } = person;
    return runs.begin({
        person: { id, name, face, timeZone }, song: { id: song.id, title: song.title },
        sounds: { song: true, metronome: false, hits: true, ...settings?.sounds },
    }, (run) => run.prepare({ person, song, level, mode, link: links.current?.kind ?? screenOrKeyboard() }));
}

/**
 * Takes up here what is played on another device of the household, or was left there.
 * @param {string} id  of what the hub says is running
 * @returns {Promise<object>}  what is kept of the song that is played here now
 */
export async function takeUp(id) {
    const answer = await fetch(`/api/drums/running/${encodeURIComponent(id)}`, { credentials: "same-origin" });
    if (!answer.ok) {
        throw new Problem(answer.status, { title: "Not here", detail: "It has ended, or the hub has nothing of it." });
    }
    const bytes = new Uint8Array(await answer.arrayBuffer());
    const was = await sessionFromBytes(bytes);
    const person = was && desk.person(was.person);
    if (!person) throw new Problem(0, { title: "Not here", detail: "This page cannot go on with it." });
    const { name, face, timeZone, settings } = person;
    const kept = await runs.begin({
        id, bytes, startedAt: was.startedAt, person: { id: person.id, name, face, timeZone },
        song: was.song, sounds: { song: true, metronome: false, hits: true, ...settings?.sounds },
    }, () => {});
    if (kept.id !== id) throw stillOpen(kept);
    return kept;
}

/** Ends the song that is played on this device, in whatever page, and delivers it. */
export const endRun = () => runs.end();

/**
 * Goes on with the song that this device has kept.
 * @param {{take?: boolean}} [options]  `take`: also from another page that plays it
 * @returns {Promise<Run|"elsewhere"|null>}  null where none is kept
 */
export const goOn = (options) => runs.goOn(options);
