import { stylesheet } from "../elements/stylesheet.js";
import { begin } from "./begin.js";
import { legacySection } from "./legacy.js";
import { today, watch } from "./today.js";

/** What Plants brings to the shell: its icon, its screens, its band, its part of the settings, and how
 * one begins. */
export default {
    icon: "plants",
    screens: [
        // Loaded when they are opened first: the band of today is there without them.
        { path: "/plants", open: async (place) => (await import("./garden-screen.js")).openGarden(place) },
        {
            path: "/plants/:id",
            open: async (place) => {
                const [{ openPlant }] = await Promise.all([import("./plant-screen.js"), stylesheet("plants/plant.css")]);
                return openPlant(place);
            },
        },
    ],
    today,
    watch,
    settings: legacySection,
    begin,
};
