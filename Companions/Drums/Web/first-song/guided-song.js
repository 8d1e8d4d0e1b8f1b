import { engine } from "../../engine/engine.js";
import { signIn } from "../../app/sign-in.js";
import { newID } from "../../offline/outbox-store.js";
import { ActiveSong } from "../play/active-session.js";
import { screenOrKeyboard } from "../play/song-drums.js";
import { links } from "../links/links.js";

/** What a song is held by that no other page could take, and that nothing of is kept. */
const NOBODY = { slug: "drums", isUploaded: false, notStored: "", hasLeft: () => {} };
const SOUNDS = { song: true, metronome: false, hits: true };

/**
 * A few beats of a song, to be shown how: by the engine and the rules of every song, and nothing of it is stored, counted or
 * sent. It ends by itself after so many beats.
 */
export class GuidedSong extends ActiveSong {
    /**
     * Sets one up; it begins with `goOn`.
     * @param {{person: Drums.OverviewPerson, song: object, drums: boolean[], beats: number}} chosen  `drums`: those that are
     *   asked for; `beats`: how many
     * @returns {Promise<GuidedSong>}
     */
    static async of({ person, song, drums, beats }) {
        const guided = new GuidedSong(NOBODY, await engine("drums"), {
            id: newID(), person, song: { id: song.id, title: song.title }, tempoPercent: 100, sounds: SOUNDS,
            by: { household: signIn.household }, ahead: 0,
        }, { taken: new Promise(() => {}), release: () => {} });
        guided.prepare({
            person: { ...person, play: { ...person.play, drums, hands: "both", countIn: 0, tempoPercent: 100, stop: null } },
            song, level: song.levels[0].level, mode: "wait", link: links.current?.kind ?? screenOrKeyboard(),
        });
        guided.addEventListener("judged", () => {
            if (guided.beatsDone >= beats) guided.stop();
        });
        return guided;
    }

    /** There is nothing to be missed. */
    get isWorthKeeping() { return false; }

    /** Nothing is stored. */
    async append() {}

    /** Nothing is sent, also of a song that came to its end. */
    async deliver() { await this.drop(); }

    /** Nor is anything that was stored of another song forgotten. */
    async drop() {
        this.leave();
        this.dispatchEvent(new CustomEvent("ended", { detail: null }));
    }
}
