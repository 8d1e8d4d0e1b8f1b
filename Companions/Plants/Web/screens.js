import { make } from "../elements/make.js";
import { post } from "../app/api.js";
import { laterScreens } from "../app/later-screen.js";
import { today, watch } from "./today.js";

const later = laterScreens(() => import("./all-screens.js"));

/** What Plants brings to the shell: its icon, its screens, its card, its part of the settings, and how one begins. */
export default {
    icon: "plants",
    screens: [
        later("/plants", "openGarden"),
        later("/plants/:id", "openPlant", ["plants/plant.css"]),
    ],
    today,
    watch,
    newcomers: { "plant-sensor": async () => (await import("./newcomer.js")).SENSOR },
    /** Gardens of the old app, where there are any: nothing stands there before it is known. */
    settings: (context) => {
        const place = make("div", { hidden: true });
        import("./legacy.js").then(({ legacySection }) => place.replaceWith(legacySection(context)), () => {});
        return place;
    },
    /** With a sensor, or with a plant that lives on the hub only. */
    begin: {
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
                addDevice({ kind: "plant-sensor", suggestion: "Plant sensor", closed: (device) => done(device && "/plants") });
            });
        },
    },
};
