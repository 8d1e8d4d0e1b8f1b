import { clockOf, durationText } from "../../text/durations.js";
import { t } from "../../language/text.js";

/** What a phone counted where it differs from the hub, which replays the same events. */
export function claimText(session) {
    const [phone, hub] = [session.claim, session].map((one) => clockOf(secondsOf(one)));
    return t`The phone counted ${phone}, the hub ${hub}. The hub’s time is used.`;
}

/** What was done of a session, in seconds, pauses left out. */
export function secondsOf({ brushSeconds, flossSeconds, rinseSeconds }) {
    return brushSeconds + flossSeconds + rinseSeconds;
}

/** "3 min 30 s, with a pause of 20 s". */
export function lengthText(session) {
    const { pausedSeconds } = session;
    const brushed = durationText(secondsOf(session));
    return pausedSeconds > 0 ? t`${brushed}, and a pause of ${durationText(pausedSeconds)}` : brushed;
}
