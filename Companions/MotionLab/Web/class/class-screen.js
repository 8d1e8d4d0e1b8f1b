import { ask, get, isAborted, post, remove } from "../../app/api.js";
import { now } from "../../app/clock.js";
import { live } from "../../app/live.js";
import { go } from "../../app/shell.js";
import { signIn } from "../../app/sign-in.js";
import { button, iconButton } from "../../elements/button.js";
import { copyLine } from "../../elements/copy.js";
import { header, section } from "../../elements/header.js";
import { icon } from "../../elements/icon.js";
import { fill, make, text } from "../../elements/make.js";
import { problemNotice } from "../../elements/notice.js";
import { qrCode } from "../../elements/qr-code.js";
import { segmented } from "../../elements/segmented.js";
import { confirm, menu } from "../../elements/sheet.js";
import { linesSkeleton, sayingSkeleton } from "../../elements/skeleton.js";
import { toast } from "../../elements/toast.js";
import { wakeLock } from "../../elements/wake-lock.js";
import { engine } from "../../engine/engine.js";
import { t } from "../../language/text.js";
import { saveFrom } from "../../offline/save-file.js";
import { clockTime } from "../../text/dates.js";
import { number } from "../../text/numbers.js";
import { axisChoice, gravityOf, LENGTH, lengthNote, STRONGEST } from "../measure/axis-choice.js";
import { EXPERIMENTS, inOneLine, nameOfGuest, sensorName } from "../recordings/recording-text.js";
import { alignClock, byDeviceClock, deviceNow } from "../recordings/clock.js";
import { recordingRow } from "../recordings/recording-list.js";
import { classCurves } from "./class-curves.js";
import { codes } from "./codes.js";

const LOOK = 5000; // milliseconds between two looks at who is there: nobody says when a phone goes
const CURVES = 1500; // milliseconds between two looks at what the phones measure, while they do
const TICK = 250; // milliseconds between two looks at how long a run goes on
const POINTS = 250; // of a run of twenty seconds a tenth of a second each: five swings a second are still seen
const MOST_COMPARED = 4;

/** A class, for whoever leads it: who is in, what each phone measures, start and stop for all, and what becomes of it. */
export async function openClass({ screen, params, signal, title }) {
    title(t`Class`);
    const path = /** @type {const} */ (`/api/lab/classes/${encodeURIComponent(params.id)}`);
    const left = make("p", { class: "run-left", role: "timer", hidden: true });
    const press = button(t`Start all phones`, { kind: "primary", size: "l", wide: true, icon: "play", press: () => startOrStop() });
    const trouble = make("div", { "aria-live": "polite" });
    const top = header({
        back: { href: "/lab/classes", word: t`Class` }, lead: " ", below: [left, make("div", { class: "start-stop" }, press), trouble],
    });
    fill(top.say, sayingSkeleton(t`class`));
    top.say.setAttribute("aria-live", "polite");
    const joining = make("div");
    const guests = make("div", { class: "class-guests" });
    const curves = make("div", {}, make("p", { class: "small second" }, t`As soon as the phones measure, their curves are here, all on one scale.`));
    const which = make("div", { class: "stack" });
    const axes = make("div", { class: "stack" });
    const measured = section(t`What the phones measure`, which, axes, curves);
    const results = make("div");
    const end = make("div");
    const content = make("div", { class: "content lab-content" }, linesSkeleton(80, 60));
    screen.append(top.node, content);
    screen.dataset.instrument = "";
    const light = wakeLock(signal);
    /** @type {MotionLab.ClassResponse?} */
    let found = null;
    let sensor = null;
    let axis = STRONGEST;
    let drawnAxes = /** @type {string?} */ (null);
    let drawnRun = "";
    let drawnGuests = "";
    let isAsking = false;
    /** What knows how this device's clock stands to the hub's, as on the phones. @type {Awaited<ReturnType<typeof engine>>?} */
    let clock = null;
    let aligning = /** @type {Promise<void>?} */ (null);
    let drawnPhase = "over"; // of the run: see phase

    async function load() {
        try {
            found = await get(path, { signal });
            if (signal.aborted) return;
            if (found.isOpen) aligning ??= align();
            draw();
        } catch (error) {
            if (signal.aborted || isAborted(error)) return;
            if (found && error.unreachable) return; // the strip says so
            text(top.say, t`This class cannot be shown right now`);
            top.lead.hidden = true;
            press.hidden = true;
            fill(content, problemNotice(error, { retry: load }));
        }
    }
    function nameOf(id) {
        const guest = found.guests.find((one) => one.id === id);
        return guest ? nameOfGuest(guest) : "";
    }
    function draw() {
        const { name, isOpen, run, guests: all } = found;
        if (!curves.isConnected) {
            title(name);
            sensor ??= found.sensors[0];
            which.hidden = found.sensors.length < 2;
            axes.hidden = true;
            fill(which, found.sensors.length > 1 && segmented(t`What is shown`, found.sensors.map((one) => ({ value: one, word: sensorName(one) })), sensor,
                (chosen) => {
                    sensor = chosen;
                    axis = STRONGEST;
                    drawCurves();
                }));
            fill(content, joining, section(t`Who is in`, guests), measured, results, end);
        }
        if (run && content.firstChild !== measured) content.prepend(measured); // what the room looks at from now on
        const { hereCount: here, readyCount, measuringCount } = found;
        drawnPhase = phase();
        text(top.say, drawnPhase === "runs" ? measuringCount === here ? t`${here} phones are measuring` : t`Measuring: ${measuringCount} of ${here}`
            : !isOpen ? t`${name} is over` : here === 0 ? t`Nobody is in yet`
                : readyCount === here ? t`${here} phones are in, and ready` : t`Ready: ${readyCount} of ${here}`);
        top.lead.hidden = false;
        text(top.lead, isOpen ? t`${name}: ${what(found)}, ${number(found.seconds)} s a run. Open until ${clockTime(found.endsAt)}.`
            : t`${name}: ${what(found)}. ${all.length} phones were in.`);
        press.hidden = !isOpen;
        const isOn = drawnPhase !== "over";
        press.disabled = !isOn && here === 0;
        press.lastChild.textContent = isOn ? t`Stop all phones` : t`Start all phones`;
        press.querySelector("use").setAttribute("href", isOn ? "#icon-stop" : "#icon-play");
        if (isOpen) light.hold();
        else light.release();
        drawLeft();
        drawJoining();
        drawGuests();
        drawEnd();
        const key = run ? `${run.number} ${drawnPhase} ${all.filter(({ recording }) => recording).length}` : "";
        if (key !== drawnRun) {
            drawnRun = key;
            drawCurves();
            drawResults();
        }
    }
    async function align() {
        const one = await engine("lab").catch(() => null);
        if (one && !signal.aborted) {
            await alignClock(one, () => {
                clock = one;
                drawLeft();
            });
        }
        if (!clock) aligning = null; // the hub was away: it is asked again with the next news
    }
    /** The seconds until a moment of the hub's clock, by the clock by which the phones measure. */
    function until(microseconds) {
        return Math.ceil((byDeviceClock(clock, microseconds) - deviceNow()) / 1000);
    }
    /** How the last run stands, also while the hub is away. @returns {"waits"|"runs"|"over"} */
    function phase() {
        const { run } = found;
        if (!run?.isMeasuring || (clock && until(run.endsAtMicroseconds) <= 0)) return "over";
        return clock && until(run.startsAtMicroseconds) > 0 ? "waits" : "runs";
    }
    /** How long the phones still measure. */
    function drawLeft() {
        const now = phase();
        left.hidden = !clock || now === "over";
        if (!left.hidden) text(left, now === "waits" ? t`It starts in ${until(found.run.startsAtMicroseconds)} s` : t`${until(found.run.endsAtMicroseconds)} s left`);
        if (now === drawnPhase) return;
        draw();
        load();
    }
    function drawJoining() {
        const known = codes.get(found.id);
        const isGood = found.isOpen && known && found.codeEndsAt > now();
        const isShut = found.codeEndsAt <= now();
        const state = !found.isOpen ? "over" : isGood ? known.code : isShut ? "shut" : "none";
        if (joining.dataset.state === state) return;
        joining.dataset.state = state;
        joining.hidden = !found.isOpen;
        fill(joining, found.isOpen && section(t`Join`, isGood ? make("div", { class: "class-join" },
            known.qr && make("div", { class: "qr-place" }, qrCode(known.qr, t`QR code that leads into the class`)),
            make("div", { class: "stack" },
                make("p", {}, t`Scan the picture with the camera of a phone. Or open this address, and type the code:`),
                make("p", { class: "class-code", "aria-label": t`The code of the class` }, known.code),
                copyLine(known.link.split("#")[0], t`Copy the address`),
                make("p", { class: "small second" }, t`Good until ${clockTime(found.codeEndsAt)}. Whoever is in stays in.`),
                make("p", { class: "row-of-buttons" }, button(t`Another code`, { kind: "quiet", icon: "refresh", press: newCode }), shutButton())))
            : make("div", { class: "stack" }, make("p", { class: "small second" }, isShut ? t`The door is shut: nobody can join until you show a code. Whoever is in stays in.`
                : t`A code is shown once. Nobody can join with the last one any more when there is another.`),
                make("p", { class: "row-of-buttons" }, button(t`Show a code`, { icon: "people", press: newCode }), !isShut && shutButton()))));
    }
    async function newCode() {
        const answer = await say(() => post(`${path}/code`));
        if (!answer) return;
        codes.set(found.id, answer);
        found = answer.class;
        draw();
    }
    function shutButton() {
        return button(t`Shut the door`, { kind: "quiet", icon: "lock", press: shut });
    }
    /** From now on nobody joins: the code on the wall, and on every photograph of it, opens nothing any more. */
    async function shut() {
        if (await say(() => remove(`${path}/code`)) === undefined) return;
        codes.delete(found.id);
        await load();
    }
    function drawGuests() {
        const key = JSON.stringify([found.guests, found.isOpen, found.run, drawnPhase]);
        if (key === drawnGuests) return; // who is about to press keeps their button
        drawnGuests = key;
        fill(guests, found.guests.length === 0 ? make("p", { class: "small second" }, t`Nobody yet. Show the code to the room.`)
            : make("ul", { class: "rows" }, found.guests.map((guest) => make("li", { class: "row" }, icon("phone"),
                make("span", { class: "words" }, make("span", { class: "name" }, nameOfGuest(guest)),
                    make("span", { class: "fine" }, stateOf(guest))),
                (found.isOpen || guest.isSentAway) && make("span", { class: "tag", data: { state: guest.isHere ? null : "unknown" } }, guest.isSentAway ? t`left` : guest.isHere ? t`here` : t`away`),
                found.isOpen && !guest.isSentAway && iconButton(t`Send ${nameOfGuest(guest)} away`, "signout", () => askToSendAway(guest))))));
    }
    /** @param {MotionLab.ClassResponse["guests"][number]} guest */
    function stateOf({ receivedBytes, recording, isReady, isHere }) {
        const waits = isReady ? t`ready` : isHere ? t`has not pressed “Get ready” yet` : t`has not measured yet`;
        if (!found.run) return waits;
        if (recording) return t`run ${found.run.number}: all of it is here`;
        if (receivedBytes > 0) return t`${number(receivedBytes / 1000, receivedBytes < 10_000 ? 1 : 0)} kB so far`;
        if (drawnPhase === "over") return t`nothing arrived from the last run`;
        return isReady ? t`ready, and has sent nothing yet` : isHere ? t`measures nothing: has not pressed “Get ready”` : t`has sent nothing yet`;
    }
    function askToSendAway(guest) {
        confirm({
            title: t`Send ${nameOfGuest(guest)} away?`, lead: t`This phone sends nothing any more. What it measured stays.`, yes: t`Send away`,
            act: async () => {
                await remove(`${path}/guests/${encodeURIComponent(guest.id)}`);
                await load();
            },
        });
    }
    async function drawCurves() {
        if (!found?.run || isAsking) return;
        isAsking = true;
        try {
            const answer = await get(`${path}/curves?sensor=${sensor}&gravity=${gravityOf(sensor)}&points=${POINTS}`, { signal });
            if (signal.aborted) return;
            const drawn = answer.curves.some(({ chart }) => chart);
            drawAxes(answer.curves.find(({ chart }) => chart)?.chart);
            if (drawn) fill(curves, classCurves(answer, nameOf, drawnPhase === "over" ? 0 : found.seconds, axis));
            else fill(curves, make("p", { class: "small second" }, drawnPhase === "over" ? t`Nothing arrived from the last run.` : t`The phones begin together, and their first values come in a moment.`));
        } catch (error) {
            if (!signal.aborted && !error.unreachable) fill(curves, problemNotice(error, { retry: drawCurves }));
        } finally {
            isAsking = false;
        }
    }
    /** Which axis is drawn, where there are several. @param {MotionLab.ChartResponse=} chart */
    function drawAxes(chart) {
        const key = chart && chart.axes.length > 1 ? `${chart.sensor} ${axis}` : null;
        if (key === drawnAxes) return;
        drawnAxes = key;
        axes.hidden = !key;
        if (key) fill(axes, axisChoice(chart.axes, axis, (chosen) => {
            axis = chosen;
            drawCurves();
        }, chart.hasLength), (chart.isWithoutGravity || axis === LENGTH) && make("p", { class: "small second" },
            [chart.isWithoutGravity && t`Gravity is taken out.`, axis === LENGTH && lengthNote()].filter(Boolean).join(" ")));
    }
    async function drawResults() {
        if (!found.run) return;
        try {
            const { recordings } = await get(`/api/lab/recordings?class=${encodeURIComponent(found.id)}`, { signal });
            const ofRun = recordings.filter(({ guest }) => guest?.run === found.run.number).slice(0, MOST_COMPARED);
            fill(results, recordings.length > 0 && section(t`Recordings`,
                make("p", { class: "row-of-buttons" }, button(t`Take the class home`, { icon: "download", press: takeHome })),
                make("ul", { class: "rows" }, recordings.map((one) => recordingRow(one, { people: signIn.people ?? [] }))),
                ofRun.length > 1 && make("p", { class: "row-of-buttons" },
                    make("a", { class: "button", href: `/lab/compare?of=${ofRun.map(({ id }) => encodeURIComponent(id)).join(",")}` }, icon("lab", "s"), t`Lay the last run over each other`))));
        } catch (error) {
            if (!signal.aborted && !error.unreachable) fill(results, problemNotice(error));
        }
    }
    /** All runs of all phones in one file. */
    function takeHome() {
        const one = (separator) => () => saveFrom(`${path}/export?spreadsheet=${separator}`);
        menu(t`Take the class home`, [
            { word: t`A table`, hint: t`CSV: all phones and all runs, with whose each row is`, icon: "download", act: one("comma") },
            { word: t`A table with semicolons`, hint: t`The same for an Excel that writes 1,5`, icon: "download", act: one("semicolon") },
        ]);
    }
    function drawEnd() {
        const state = found.isOpen ? "open" : "over";
        if (end.dataset.state === state) return;
        end.dataset.state = state;
        fill(end, found.isOpen ? section(t`End of the class`,
            make("p", { class: "small second" }, t`After that nobody can join, and all phones stop. What they measured has ten more minutes to arrive.`),
            make("p", { class: "row-of-buttons" }, button(t`End the class`, { icon: "stop", press: askToEnd })))
            : section(t`What becomes of the recordings`,
                make("p", { class: "small second" }, t`They stay with your recordings, where adults of this household see them, until you remove them. With the class go the names and all that the phones measured.`),
                make("p", { class: "row-of-buttons" }, make("a", { class: "button", href: "/lab/recordings" }, t`Keep them`),
                    button(t`Remove the class with all its recordings`, { kind: "danger", icon: "trash", press: askToRemove }))));
    }
    function askToEnd() {
        confirm({
            title: t`End the class?`, lead: t`All phones stop. You decide afterwards what becomes of the recordings.`, yes: t`End the class`, kind: "primary",
            act: async () => {
                await post(`${path}/end`);
                codes.delete(found.id);
                await load();
            },
        });
    }
    function askToRemove() {
        confirm({
            title: t`Remove ${found.name}?`, lead: t`The names, and all that the phones of this class measured, are gone for good.`, yes: t`Remove it all`,
            act: async () => {
                await remove(path);
                toast(t`The class and its recordings are removed.`, { icon: "check" });
                go("/lab/classes");
            },
        });
    }
    async function startOrStop() {
        const answer = await say(() => (phase() !== "over" ? remove(`${path}/run`) : ask("POST", `${path}/run`, {})));
        if (answer !== undefined) await load();
    }
    async function say(work) {
        fill(trouble);
        try {
            return await work();
        } catch (error) {
            if (!isAborted(error)) fill(trouble, problemNotice(error));
            return undefined;
        }
    }
    live.addEventListener("changed", ({ detail }) => {
        if (detail.companion === "lab" && (detail.what === "recording" || detail.id === params.id)) load();
    }, { signal });
    const timers = [
        setInterval(() => { if (found?.isOpen) load(); }, LOOK),
        setInterval(() => { if (found) drawLeft(); }, TICK),
        setInterval(() => {
            if (!found?.run || phase() !== "runs" || document.hidden) return;
            drawCurves();
            if (found.measuringCount < found.readyCount) load(); // the first values of each come in a moment
        }, CURVES),
    ];
    signal.addEventListener("abort", () => timers.forEach(clearInterval));
    await load();
}

function what({ experiment, sensors }) {
    return experiment ? EXPERIMENTS[experiment] ?? experiment : inOneLine(sensors.map(sensorName));
}
