import { post } from "../house/api.js";

/** How a household begins with Plants: with a sensor, or with a plant that lives on the hub only. */
export const begin = {
    title: "Plants",
    says: "A sensor in a pot says when its plant wants water. A virtual plant dries, and is watered, by itself.",
    tryTitle: "Try it without hardware",
    deviceTitle: "Add a plant sensor",
    try: async () => {
        await post("/api/plants", {
            name: "Virtual basil", place: "Nowhere in particular", art: "basil", sensors: [], virtual: true,
        });
        return "/plants";
    },
    device: async () => {
        const { addDevice } = await import("../devices/add-device.js");
        return new Promise((done) => {
            addDevice({ kind: "plant-sensor", closed: (device) => done(device && "/plants") });
        });
    },
};
