import { role } from "../../app/theme.js";
import { clockOf } from "../../text/durations.js";
import { weekFigures } from "../ready-sections.js";
import { markSize, medalArcs, TOOTH } from "./medal.js";
import { isClean, places } from "../session/teeth.js";
import { t } from "../../language/text.js";

const SIDE = 1080; // pixels
const EDGE = 88;

/**
 * The words of a card, also shared as text where no picture goes.
 * @param {{person: object, was: object, award: object?, progress: object?, tip: object?}} done  `tip`: where there is
 *   no award
 * @param {boolean} isNamed  whether the name is on it
 */
export function cardText({ person, was, award, progress, tip }, isNamed) {
    const name = isNamed && person.name;
    const headline = award ? name ? `${award.title}, ${name}` : award.title
        : was.counts ? name ? t`Well brushed, ${name}` : t`Well brushed` : name ? t`Brushed, ${name}` : t`Brushed`;
    const lines = [award ? award.words : t`${clockOf(was.total)} minutes for clean teeth.`];
    if (progress) {
        const week = weekFigures(progress).filter(Boolean).join(" ");
        lines.push(t`${week} this week, ${progress.sessions} in all.`);
    }
    const learnt = tip ? [`${tip.title}: ${tip.says}`] : [];
    return { headline, lines, text: [`${headline}.`, ...lines, ...learnt].join(" ") };
}

/**
 * The card of a brushing as a picture, in the colours of the page.
 * @param {object} done  as {@link cardText} takes it
 * @param {boolean} isNamed
 * @returns {HTMLCanvasElement}
 */
export function drawCard(done, isNamed) {
    const canvas = document.createElement("canvas");
    canvas.width = SIDE;
    canvas.height = SIDE;
    const pen = canvas.getContext("2d");
    const { headline, lines } = cardText(done, isNamed);
    const { award, tip } = done;
    const [scale, under] = award || !tip ? [1.9, 820] : [1.4, 628]; // a tip wants room below
    const tooth = award || !tip ? { x: 560, y: 330, size: 30 } : { x: 600, y: 120, size: 20 }; // beside the words, not behind them
    const face = getComputedStyle(document.body).fontFamily;
    pen.fillStyle = role("--paint");
    pen.fillRect(0, 0, SIDE, SIDE);
    pen.save();
    pen.translate(tooth.x, tooth.y);
    pen.scale(tooth.size, tooth.size);
    pen.strokeStyle = role("--paint-line");
    pen.lineWidth = 4.8 / tooth.size;
    pen.stroke(new Path2D(TOOTH)); // as the drawings on the walls of the house
    pen.restore();
    pen.save();
    pen.translate(EDGE - 24, EDGE - 34);
    pen.scale(scale, scale);
    if (award) drawMedal(pen, award, face);
    else drawMouth(pen, done.was, face);
    pen.restore();
    pen.fillStyle = role("--paint-ink");
    pen.textBaseline = "alphabetic";
    const title = headlineLines(pen, headline, face);
    title.forEach((line, i) => pen.fillText(line, EDGE, under - (title.length - 1 - i) * 66, SIDE - 2 * EDGE));
    pen.font = `400 42px ${face}`;
    lines.forEach((line, i) => pen.fillText(line, EDGE, under + 74 + i * 56, SIDE - 2 * EDGE));
    if (tip && !award) drawTip(pen, tip, face, under + 74 + lines.length * 56 + 56);
    pen.font = `600 32px ${face}`;
    pen.globalAlpha = 0.8;
    pen.fillText("Tandem", SIDE - EDGE - pen.measureText("Tandem").width, 132);
    pen.globalAlpha = 1;
    return canvas;
}

/** The headline as large as it goes on one line, else on two; the pen has that size then. */
function headlineLines(pen, headline, face) {
    let lines = [];
    for (let size = 92; size >= 32; size -= 4) {
        pen.font = `600 ${size}px ${face}`;
        lines = wrapped(pen, headline);
        if (lines.length === 1 || (size <= 60 && lines.length === 2)) break;
    }
    return lines.slice(0, 2);
}

/** Words in as many lines as they take between the card's edges. */
function wrapped(pen, words) {
    const lines = [];
    let line = "";
    for (const word of words.split(" ")) {
        const longer = line ? `${line} ${word}` : word;
        if (line && pen.measureText(longer).width > SIDE - 2 * EDGE) {
            lines.push(line);
            line = word;
        } else line = longer;
    }
    return [...lines, line];
}

/** A tip, from a rule above it downwards: its title, and what it says. */
function drawTip(pen, { title, says }, face, top) {
    pen.fillRect(EDGE, top - 62, SIDE - 2 * EDGE, 3);
    pen.font = `600 36px ${face}`;
    pen.fillText(title, EDGE, top);
    pen.font = `400 32px ${face}`;
    wrapped(pen, says).forEach((line, i) => pen.fillText(line, EDGE, top + 46 + i * 42));
}

function drawMedal(pen, award, face) {
    pen.strokeStyle = role("--deep");
    pen.lineWidth = 22;
    for (const d of medalArcs(award.parts)) pen.stroke(new Path2D(d));
    pen.fillStyle = role("--deep");
    pen.beginPath();
    pen.arc(160, 160, 100, 0, 2 * Math.PI);
    pen.fill();
    pen.translate(94, 84);
    pen.scale(5.5, 5.5);
    pen.strokeStyle = role("--on-deep");
    pen.lineWidth = 1.1;
    pen.lineJoin = "round";
    pen.stroke(new Path2D(TOOTH));
    pen.fillStyle = role("--on-deep");
    pen.textAlign = "center";
    const size = markSize(award.mark);
    pen.font = `600 ${size}px ${face}`;
    pen.fillText(award.mark, 12, 10.4 + size * 0.36);
}

function drawMouth(pen, was, face) {
    pen.strokeStyle = role("--deep");
    pen.lineWidth = 20;
    for (const d of medalArcs(Math.max(1, was.parts.length))) pen.stroke(new Path2D(d));
    places("ring").forEach(({ x, y, turn, width, height }, i) => {
        pen.save();
        pen.translate(x, y);
        pen.rotate(turn * Math.PI / 180);
        pen.beginPath();
        pen.roundRect(-width / 2, -height / 2, width, height, width * 0.34);
        if (isClean(i, was.parts)) {
            pen.fillStyle = role("--enamel");
            pen.fill();
        }
        pen.strokeStyle = role("--paint-ink");
        pen.lineWidth = 1.6;
        pen.stroke();
        pen.restore();
    });
    pen.fillStyle = role("--paint-ink");
    pen.textAlign = "center";
    pen.font = `600 68px ${face}`;
    pen.fillText(clockOf(was.total), 160, 184);
    pen.textAlign = "start";
}
