import { bytesOf } from "../../engine/base64.js";
import { Problem } from "../../app/problem.js";
import { t } from "../../language/text.js";
import { bytesFrom } from "../../sessions/active-sessions.js";
import { overview } from "../overview.js";
import { latencyOf } from "../links/stored-links.js";
import { HANDS, LINK, MODE } from "../engine-constants.js";
import { nameOf } from "./engine-says.js";

/** Where a tempo makes a song last too long: Engine/Songs/SongError.swift, as the page receives it. */
const TOO_LONG = 107;

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
    const refused = call.setTempo(play.tempoPercent);
    if (refused !== 0) throw new Problem(0, { title: t`Not started`, detail: tempoWords(refused, person) });
    if (call.setSong(level) !== 0) {
        throw new Problem(0, { title: t`Not started`, detail: t`This song cannot be played at this level.` });
    }
    const drums = play.drums.reduce((bits, isOn, drum) => bits | (isOn ? 1 << drum : 0), 0);
    call.setPlay(MODE[mode], HANDS[play.hands], drums, play.countIn);
    call.setLink(link, latencyOf(link));
    call.setSeed(crypto.getRandomValues(new Uint32Array(1))[0]);
    const window = overview.windowOf(person, nameOf(LINK, link), play.hands);
    if (window) call.setWindow(window.centre, window.half, engine.view("setup").leadMilliseconds);
    const { milliseconds, belowPercent, beats } = play.stop ?? { milliseconds: 0, belowPercent: 0, beats: 10 };
    call.setStop(milliseconds, belowPercent, beats);
    call.setUTCOffset(-new Date().getTimezoneOffset());
}

/** Why a song cannot be played at somebody's tempo, and where that is changed: a planned one not in the settings. */
function tempoWords(code, { play, plan }) {
    if (!play.fixed?.includes("tempoPercent")) {
        return code === TOO_LONG ? t`At this tempo the song lasts too long. Choose a faster one in the settings.`
            : t`This song cannot be played at this tempo. Choose one nearer to the song’s own in the settings.`;
    }
    const words = code === TOO_LONG ? t`At the tempo that the plan sets, this song lasts too long. Play another song, or have the plan changed.`
        : t`This song cannot be played at the tempo that the plan sets. Play another song, or have the plan changed.`;
    return plan?.setBy ? `${words} ${t`The plan is by ${plan.setBy}.`}` : words;
}
