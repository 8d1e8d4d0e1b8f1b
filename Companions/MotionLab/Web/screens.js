import { lazyScreens } from "../app/lazy-screens.js";
import { t } from "../language/text.js";

const later = lazyScreens(() => import("./all-screens.js"));

/** What the lab brings to the shell. */
export default {
    icon: "lab",
    screens: [
        later("/lab", "openDirectory"),
    ],
    newcomers: { phone: async () => (await import("./phones/newcomer.js")).PHONE },
    begin: {
        title: t`Lab`,
        says: t`A phone is full of sensors. The lab shows what each of them measures, and what it costs to measure.`,
        tryTitle: t`Show me the lab`,
        try: async () => "/lab",
    },
};
