import { post } from "../../app/api.js";
import { copyLine } from "../../elements/copy.js";
import { fill, make } from "../../elements/make.js";
import { problemNotice } from "../../elements/notice.js";
import { qrCode } from "../../elements/qr-code.js";
import { linesSkeleton } from "../../elements/skeleton.js";
import { t } from "../../language/text.js";

const PLAIN = 1883; // the hub's port for MQTT on its own machine

/** A phone with an app that sends by itself. @type {import("../../devices/device-setup.js").Newcomer} */
export const PHONE = {
    lead: t`A phone with the app Sensor Logger, which sends what it measures by itself, also with the screen off.`,
    waits: t`Waiting for the phone’s first samples`,
    where: t`Without a phone: let the hub’s computer play one, in a lift`,
    line: ({ id, token }, { port, isTLS }) => // not shown: a command
        `tandem simulate phone --hub mqtt://127.0.0.1:${isTLS ? PLAIN : port} --device ${id} --token ${token}`,
    here: ({ connected, lastSeenAt }, since) => (connected || lastSeenAt >= since ? t`The phone is sending.` : null),
    more: ({ token }, signal) => pushAddress(token, signal),
};

/** What Sensor Logger is to push to: to be copied, or to be read by the phone's camera. */
function pushAddress(token, signal) {
    const place = make("div", { class: "stack" }, linesSkeleton(90, 60));
    const load = async () => {
        try {
            const { address, qr } = await post("/api/lab/sensor-logger/address", { token });
            if (signal.aborted) return;
            fill(place, make("div", { class: "field" },
                make("span", { class: "label" }, t`Push URL, with the token in it`), copyLine(address, t`Copy the address`),
                make("span", { class: "hint" }, t`In Sensor Logger: Settings, Data Streaming, “Enable HTTP Push”, “Push URL”.`)),
            qr && make("div", { class: "stack" },
                make("p", { class: "small second" }, t`Or point the phone’s camera at this, and copy what it reads. Show it to nobody else: whoever has it can send in this phone’s name.`),
                make("div", { class: "qr-place" }, qrCode(qr, t`QR code of the push URL`))));
        } catch (error) {
            if (!signal.aborted) fill(place, problemNotice(error, { retry: load }));
        }
    };
    load();
    return place;
}
