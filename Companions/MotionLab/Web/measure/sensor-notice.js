import { button } from "../../elements/button.js";
import { make } from "../../elements/make.js";
import { notice } from "../../elements/notice.js";
import { t } from "../../language/text.js";

/**
 * Why nothing is measured, and what to do about it on this phone.
 * @param {{reason: string, sensor?: string}} trouble
 * @param {() => any} retry
 */
export function sensorNotice({ reason, sensor }, retry) {
    const again = button(t`Try again`, { icon: "refresh", press: retry });
    if (reason === "insecure") {
        return notice({
            icon: "lock", state: "problem", title: t`This page came without HTTPS`,
            words: t`Browsers give a page its sensors only where nobody can listen. Open the hub by its https address.`,
            actions: [make("a", { class: "button", href: "/welcome" }, t`What works on this device`)],
        });
    }
    if (reason === "denied" && sensor === "microphone") {
        return notice({
            icon: "lock", state: "problem", title: t`The microphone is not allowed`, words: microphoneSteps(), actions: [again],
        });
    }
    if (reason === "missing" && sensor === "microphone") {
        return notice({
            icon: "silent", state: "unknown", title: t`This device has no microphone`,
            words: t`Plug one in, or open this page on a phone.`, actions: [again],
        });
    }
    if (reason === "missing" && sensor === "barometer") {
        return notice({
            icon: "silent", state: "unknown", title: t`No phone has sent a pressure yet`,
            words: t`Add a phone with Sensor Logger, switch its barometer on, and press Start Recording there. Or ride the simulated lift.`,
            actions: [make("a", { class: "button", href: "/lab/phones" }, t`A phone’s app`), again],
        });
    }
    if (reason === "denied") {
        return notice({
            icon: "lock", state: "problem", title: t`The motion sensors are not allowed`, words: steps(), actions: [again],
        });
    }
    if (reason === "missing") {
        return notice({
            icon: "silent", state: "unknown", title: t`Nothing comes from this sensor`,
            words: t`This device has no such sensor, or its browser gives it to no page. A phone has one: open this page there.`,
            actions: [again],
        });
    }
    return notice({
        icon: "warning", state: "problem", title: t`That did not work`,
        words: t`The sensor could not be opened. Close other pages that use it, then try again.`, actions: [again],
    });
}

/** How the microphone is granted, on this device. */
function microphoneSteps() {
    const { userAgent } = navigator;
    const all = /iPhone|iPad/.test(userAgent) ? [
        t`Press the sign to the left of the address, then “Website Settings”.`,
        t`Choose “Allow” for the microphone, and load this page again.`,
    ] : [
        t`Press the sign to the left of the address, and allow the microphone.`,
        t`Then load this page again.`,
    ];
    return make("ol", { class: "steps" }, all.map((one) => make("li", {}, one)));
}

/** How it is granted, on this phone. */
function steps() {
    const { userAgent } = navigator;
    const isApple = /iPhone|iPad/.test(userAgent);
    const all = isApple ? [
        t`Close Safari and open it again: it asks once more.`,
        t`Press Start, and choose “Allow” in the question that comes.`,
        t`It does not ask? Open Settings, Apps, Safari, Advanced, Website Data, and remove the data of this hub.`,
    ] : /Android/.test(userAgent) ? [
        t`Press the sign to the left of the address, then “Permissions”.`,
        t`Switch “Motion sensors” on.`,
        t`It is not there? Open the browser’s settings, Site settings, Motion sensors.`,
    ] : [
        t`Press the sign to the left of the address, and allow the motion sensors.`,
        t`Then load this page again.`,
    ];
    return make("ol", { class: "steps" }, all.map((one) => make("li", {}, one)));
}
