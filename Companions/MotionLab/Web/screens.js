import { lazyScreens } from "../app/lazy-screens.js";
import { stylesheet } from "../elements/stylesheet.js";
import { t } from "../language/text.js";
import { today, watch } from "./today.js";

const STYLES = ["lab/screens.css"];
const later = lazyScreens(() => import("./all-screens.js"));

/** What the lab brings to the shell. */
export default {
    icon: "lab",
    screens: [
        later("/lab", "openDirectory", STYLES),
        later("/lab/gyroscope", "openGyroscope", STYLES),
        later("/lab/haptics", "openHaptics", STYLES),
        later("/lab/barometer", "openBarometer", STYLES),
        later("/lab/accelerometer", "openAccelerometer", STYLES),
        later("/lab/recordings", "openRecordings", STYLES),
        later("/lab/recordings/:id", "openRecording", STYLES),
        later("/lab/compare", "openCompare", STYLES),
        later("/lab/experiments", "openExperiments", STYLES),
        later("/lab/experiment/:slug", "openExperiment", STYLES),
        later("/lab/phones", "openPhones", STYLES),
        later("/lab/classes", "openClasses", STYLES),
        later("/lab/classes/:id", "openClass", STYLES),
    ],
    guests: [{
        path: "/lab/class",
        open: async (place) => {
            const [{ openGuest }] = await Promise.all([import("./class/guest-screen.js"), ...STYLES.map(stylesheet)]);
            return openGuest(place);
        },
    }],
    today,
    watch,
    newcomers: { phone: async () => (await import("./phones/newcomer.js")).PHONE },
    begin: {
        title: t`Lab`,
        says: t`A phone is full of sensors. The lab shows what each of them measures, and what it costs to measure.`,
        tryTitle: t`Show me the lab`,
        try: async () => "/lab",
    },
};
