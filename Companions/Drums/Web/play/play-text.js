import { t } from "../../language/text.js";
import { listed } from "../../text/civil.js";
import { PADS } from "../pads.js";
import { VERDICT } from "../engine-constants.js";

const LOOK = [t`Look for the circle.`, t`Look for the triangle.`, t`Look for the square.`, t`Look for the cross.`];
const SIDES = [t`Left hand.`, t`Right hand.`];

/**
 * What a fullscreen view says of where one is: a word that can be read from across the room, and a sentence. Nobody is
 * ever blamed for a beat.
 * @param {object} view  see song-position.js
 * @returns {{say: string, lead: string, drum: number?}}  `drum`: whose shape stands beside it
 */
export function promptOf({ phase, asked, last, isWaiting, isFlow, wrong, count, song, link }) {
    if (phase === "lost") return { say: t`The drums are away`, lead: link ?? t`They do not answer right now.`, drum: null };
    if (phase === "paused") return { say: t`Paused`, lead: t`${song} goes on where it was.`, drum: null };
    if (phase === "count") return { say: count > 0 ? String(count) : t`Ready`, lead: t`It begins after the count.`, drum: null };
    if (phase === "over") return { say: t`That was it`, lead: t`Well played.`, drum: null };
    if (asked) {
        const { word } = PADS[asked.drum];
        const lead = wrong ? LOOK[asked.drum] : isWaiting ? t`The music waits for you.` : SIDES[asked.side];
        return { say: word, lead, drum: asked.drum };
    }
    if (!last) return { say: t`Listen`, lead: t`The first drum is on its way.`, drum: null };
    return { say: PADS[last.drum].word, lead: lastText(last, isFlow), drum: last.drum };
}

function lastText({ verdict, error }, isFlow) {
    switch (verdict) {
    case VERDICT.right: return isFlow ? t`On the beat.` : t`Yes.`;
    case VERDICT.wrongFirst: return t`Right!`;
    case VERDICT.offTime: return error < 0 ? t`A little early.` : t`A little late.`;
    default: return t`On to the next.`;
    }
}

/** What is coming, for who does not see it: "blue now, then red and yellow". */
export function comingText(asked, coming) {
    const then = listed(coming.slice(0, 3).map(({ drum }) => PADS[drum].word.toLowerCase()));
    if (!asked) return then ? t`Coming: ${then}` : t`Nothing more is coming`;
    const now = PADS[asked.drum].word.toLowerCase();
    return then ? t`Coming: ${now} now, then ${then}` : t`Coming: ${now} now`;
}

/**
 * "84 beats a minute".
 * @param {number} microseconds  of a beat
 */
export function tempoText(microseconds) {
    return t`${Math.round(60e6 / microseconds)} beats a minute`;
}
