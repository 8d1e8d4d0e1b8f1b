import { Problem } from "../app/problem.js";
import { t } from "../language/text.js";

/** Whether this browser can record here: it wants a microphone, and a page over HTTPS or on this machine. */
export const canRecord = () => Boolean(navigator.mediaDevices?.getUserMedia) && "MediaRecorder" in window;

/**
 * Begins to record.
 * @param {number} seconds  after which it ends by itself
 * @param {AbortSignal} signal  of the screen: what runs then is thrown away
 * @returns {Promise<{ended: Promise<Blob>, stop: () => void}>}
 * @throws {Problem} in words
 */
export async function record(seconds, signal) {
    let stream;
    try {
        stream = await navigator.mediaDevices.getUserMedia({ audio: true });
    } catch (error) {
        throw new Problem(0, error.name === "NotFoundError"
            ? { title: t`No microphone`, detail: t`This device has no microphone that the page could use.` }
            : {
                title: t`The microphone is not allowed`,
                detail: t`Allow it for this page in the browser’s settings, and press the button again.`,
            });
    }
    const silence = () => { for (const track of stream.getTracks()) track.stop(); };
    if (signal.aborted) silence();
    const recorder = new MediaRecorder(stream);
    const pieces = [];
    recorder.addEventListener("dataavailable", ({ data }) => { if (data.size > 0) pieces.push(data); });
    const ended = new Promise((done) => {
        recorder.addEventListener("stop", () => {
            clearTimeout(timer);
            silence();
            done(new Blob(pieces, { type: recorder.mimeType }));
        });
    });
    const stop = () => { if (recorder.state !== "inactive") recorder.stop(); };
    recorder.start();
    const timer = setTimeout(stop, seconds * 1000);
    signal.addEventListener("abort", stop);
    return { ended, stop };
}
