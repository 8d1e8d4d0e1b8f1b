import { make } from "../elements/make.js";
import { post } from "../app/api.js";
import { lazyScreens } from "../app/lazy-screens.js";
import { today, watch } from "./today.js";
import { t } from "../language/text.js";

const later = lazyScreens(() => import("./all-screens.js"));

/** What Plants brings to the shell: its icon, its screens, its card, its part of the settings, and how one begins. */
export default {
    icon: "plants",
    screens: [
        later("/plants", "openPlants"),
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
        title: t`Plants`,
        says: t`A sensor in the pot says when the plant wants water. A virtual plant dries out and gets watered by itself.`,
        tryTitle: t`Try it without hardware`,
        deviceTitle: t`Add a plant sensor`,
        try: async () => {
            await post("/api/plants", {
                name: t`Virtual basil`, place: t`Nowhere in particular`, art: "basil", sensors: [], virtual: true,
            });
            return "/plants";
        },
        device: async () => {
            const { addDevice } = await import("../devices/add-device.js");
            return new Promise((done) => {
                addDevice({ kind: "plant-sensor", suggestion: t`Plant sensor`, closed: (device) => done(device && "/plants") });
            });
        },
    },
};
