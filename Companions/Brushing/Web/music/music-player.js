import { audioContext } from "../session/cues.js";
import { musicOf } from "./music-store.js";

const LOUDNESS = 0.7;
const DUCKED = 0.18; // while a sound says that the next part begins
const DUCK = 1.4; // seconds, as long as the longest of them but the last
const FADE = 2.5; // seconds at the end

/** The music that plays, or is about to: one on a page. */
let player = null;

/**
 * Has the music of somebody at hand before it is wanted.
 *
 * A phone plays only what was begun while something was pressed: {@link unlockMusic} begins it for a moment then.
 * @param {string} person
 */
export async function prepareMusic(person) {
    if (player?.person === person && !player.isPlaying) return;
    const recording = await musicOf(person);
    if (player?.isPlaying) return;
    player?.close();
    player = recording ? new MusicPlayer(person, recording.sound) : null;
}

/** To be called while something is pressed. */
export function unlockMusic() { player?.unlock(); }

/**
 * The music of a session that begins or goes on.
 * @param {string} person
 * @returns {Promise<MusicPlayer?>}  null where nothing is to be heard
 */
export async function musicForSession(person) {
    if (player?.person !== person) await prepareMusic(person);
    return player?.person === person ? player : null;
}

class MusicPlayer {
    person;
    isPlaying = false;
    #audio = new Audio();
    #address;
    #level = null;
    #isLoud = true;
    #isFading = false;

    constructor(person, sound) {
        this.person = person;
        this.#address = URL.createObjectURL(sound);
        this.#audio.src = this.#address;
        this.#audio.loop = true; // a short song is heard again
        this.#audio.preload = "auto";
    }

    unlock() {
        if (this.isPlaying) return this.play();
        const audio = this.#audio;
        audio.muted = true;
        audio.play().then(() => {
            if (!this.isPlaying) {
                audio.pause();
                audio.currentTime = 0;
            }
            audio.muted = false;
        }).catch(() => { audio.muted = false; });
    }

    play() {
        this.isPlaying = true;
        this.#connect();
        this.#set(this.#isLoud ? LOUDNESS : 0, 0.1);
        // Refused before something was touched: the next touch tries again.
        this.#audio.play().catch(() => {});
    }

    pause() {
        this.isPlaying = false;
        this.#audio.pause();
    }

    /** Steps back for a moment, for a sound that is to be heard. */
    duck() {
        if (!this.#isLoud) return;
        this.#set(DUCKED, 0.08);
        setTimeout(() => this.#set(this.#isLoud ? LOUDNESS : 0, 0.5), DUCK * 1000);
    }

    /** @param {boolean} isLoud  whether this session has sounds */
    setSound(isLoud) {
        this.#isLoud = isLoud;
        this.#set(isLoud ? LOUDNESS : 0, 0.1);
    }

    /** Goes out softly: the brushing is done. */
    fade() {
        this.#isFading = true;
        this.#isLoud = false;
        this.#set(0, FADE);
        setTimeout(() => this.close(), FADE * 1000);
    }

    /** The session's page was left. */
    leave() { if (!this.#isFading) this.close(); }

    close() {
        this.pause();
        this.#audio.removeAttribute("src");
        URL.revokeObjectURL(this.#address);
        this.#level?.disconnect();
        if (player === this) player = null;
    }

    /** Through the page's own sound, since phones do not let a page set the volume of music otherwise. */
    #connect() {
        const context = audioContext();
        if (this.#level || !context) return;
        this.#level = new GainNode(context, { gain: 0 });
        context.createMediaElementSource(this.#audio).connect(this.#level).connect(context.destination);
    }

    #set(loudness, seconds) {
        if (!this.#level) {
            this.#audio.volume = loudness;
            return;
        }
        const { gain, context } = this.#level;
        gain.cancelScheduledValues(context.currentTime);
        gain.setTargetAtTime(loudness, context.currentTime, seconds / 3);
    }
}
