import { bytesOf } from "../../engine/base64.js";
import { Problem } from "../../app/problem.js";
import { t } from "../../language/text.js";
import { bytesFrom } from "../../sessions/active-sessions.js";
import { overview } from "../overview.js";
import { latencyOf } from "../links/stored-links.js";
import { LINK } from "../links/link.js";
import { MODE, nameOf } from "./engine-says.js";

const HANDS = ["both", "left", "right"];

/**
 * Sets an engine up for a song, which then has only to begin.
 * @param {object} engine  see engine/engine.js
 * @param {{id: string, person: object, song: object, level: number, mode: "wait"|"flow", link: number}} chosen  `id`: the
 *   session's; `person` and `song`: of the overview; `link`: one of LINK
 * @throws {Problem} where the song cannot be played
 */
export function setUp(engine, { id, person, song, level, mode, link }) {
    const { play } = person;
    const { call } = engine;
    call.newSetup();
    call.setID(engine.put(bytesFrom(id)));
    call.setPerson(engine.put(new TextEncoder().encode(person.id)));
    if (call.loadSong(engine.put(bytesOf(song.bytes))) !== 0) {
        throw new Problem(0, { title: t`Not started`, detail: t`This song cannot be read. Load the page again.` });
    }
    if (call.setTempo(play.tempoPercent ?? 100) !== 0) {
        throw new Problem(0, { title: t`Not started`, detail: t`At this tempo the song is too long to be played. Choose a faster one in the settings.` });
    }
    if (call.setSong(level) !== 0) {
        throw new Problem(0, { title: t`Not started`, detail: t`This song cannot be played at this level.` });
    }
    const drums = play.drums.reduce((bits, isOn, drum) => bits | (isOn ? 1 << drum : 0), 0);
    call.setPlay(MODE[mode], HANDS.indexOf(play.hands), drums, play.countIn);
    call.setLink(link, latencyOf(link));
    call.setSeed(crypto.getRandomValues(new Uint32Array(1))[0]);
    const window = overview.windowOf(person, nameOf(LINK, link), play.hands);
    if (window) call.setWindow(window.centre, window.half, call.setupField(7));
    const { milliseconds, belowPercent, beats } = play.stop ?? { milliseconds: 0, belowPercent: 0, beats: 10 };
    call.setStop(milliseconds, belowPercent, beats);
    call.setUTCOffset(-new Date().getTimezoneOffset());
}
