import { t } from "../language/text.js";

/**
 * Says a fact aloud with this device's own voice.
 * @param {string} text
 * @param {string} language  of the text (BCP 47)
 * @returns {{ended: Promise<"finished"|"stopped"|"unable">, stop: () => void}}
 */
export function say(text, language) {
    /** @type {(ending: "finished"|"stopped"|"unable") => void} */
    let end = () => {};
    const ended = new Promise((resolve) => { end = resolve; });
    if (!canSpeak()) {
        end("unable");
        return { ended, stop: () => {} };
    }
    const utterance = new SpeechSynthesisUtterance(text);
    utterance.lang = language;
    utterance.rate = 0.95;
    utterance.onend = () => end("finished");
    utterance.onerror = ({ error }) => end(["interrupted", "canceled"].includes(error) ? "stopped" : "unable");
    speechSynthesis.cancel();
    speechSynthesis.speak(utterance);
    return {
        ended,
        stop: () => {
            end("stopped");
            speechSynthesis.cancel();
        },
    };
}

/**
 * Plays a sound of the hub's.
 * @param {string} address
 * @returns {{ended: Promise<"finished"|"stopped"|"unable">, stop: () => void}}
 */
export function playSound(address) {
    let end;
    /** @type {Promise<"finished"|"stopped"|"unable">} */
    const ended = new Promise((resolve) => { end = resolve; });
    const sound = new Audio(address);
    sound.addEventListener("ended", () => end("finished"));
    sound.addEventListener("error", () => end("unable"));
    sound.play().catch(() => end("unable"));
    return {
        ended,
        stop: () => {
            end("stopped");
            sound.pause();
        },
    };
}

/** Whether this browser has a voice at all. */
export const canSpeak = () => "speechSynthesis" in window && "SpeechSynthesisUtterance" in window;

/** What is said where it has none. */
export const noVoice = () => t`This device has no voice. Read it aloud yourself, or let the toy say it.`;
