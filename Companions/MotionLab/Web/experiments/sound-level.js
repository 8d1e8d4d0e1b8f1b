import { SensorTrouble } from "../measure/motion-sensors.js";
import { KIND, SOURCE } from "../engine-constants.js";

const EACH = 50; // milliseconds between two levels
const SAMPLES = 2048;

/**
 * Gives the level of the microphone to the engine, twenty times a second, until the signal ends it. Nothing of the sound is
 * kept.
 * @param {import("../measure/measuring.js").Measuring} measuring
 * @param {(...values: number[]) => void} take
 * @param {AbortSignal} signal
 * @throws {SensorTrouble}
 */
export async function readSound(measuring, take, signal) {
    if (!isSecureContext || !navigator.mediaDevices) throw new SensorTrouble("insecure", "microphone");
    const stream = await navigator.mediaDevices.getUserMedia({
        // A phone would make what is quiet louder.
        audio: { echoCancellation: false, noiseSuppression: false, autoGainControl: false },
    }).catch((error) => { throw new SensorTrouble(error.name === "NotFoundError" ? "missing" : error.name === "NotAllowedError" ? "denied" : "failed", "microphone"); });
    const audio = new AudioContext();
    const end = () => {
        stream.getTracks().forEach((track) => track.stop());
        audio.close().catch(() => {});
    };
    if (signal.aborted) return end();
    const analyser = new AnalyserNode(audio, { fftSize: SAMPLES });
    new MediaStreamAudioSourceNode(audio, { mediaStream: stream }).connect(analyser);
    const samples = new Float32Array(SAMPLES);
    const timer = setInterval(() => {
        const { engine } = measuring;
        if (!engine) return;
        analyser.getFloatTimeDomainData(samples);
        const level = engine.call.soundLevel(engine.put(new Uint8Array(samples.buffer)));
        take(KIND.sound, SOURCE.lab, measuring.now(), level, NaN, NaN);
    }, EACH);
    signal.addEventListener("abort", () => {
        clearInterval(timer);
        end();
    });
}
