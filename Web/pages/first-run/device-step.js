import { button } from "../../elements/button.js";
import { icon } from "../../elements/icon.js";
import { make } from "../../elements/make.js";
import { problemNotice } from "../../elements/notice.js";
import { companions } from "../../app/companions.js";
import { signIn } from "../../app/sign-in.js";
import { live } from "../../app/live.js";
import { greeting } from "../sign-in-layout.js";
import { firstRunLayout, ways } from "./first-run-layout.js";
import { t } from "../../language/text.js";

/** Step 5: the first device, or a virtual one. What a companion begins with, it brings itself (`begin`). */
export async function openDeviceStep({ go, done }) {
    live.connect(); // A device that speaks for the first time is seen at once.
    const beginning = (await companions()).filter((companion) => companion.begin);
    const trouble = make("div", { "aria-live": "assertive" });
    const attempt = async (act) => {
        try {
            const path = await act();
            if (path) await done(path);
        } catch (error) {
            trouble.replaceChildren(problemNotice(error));
        }
    };
    firstRunLayout(5, t`First device`,
        greeting(t`Do you have a device?`, t`With one, Tandem starts right away. Without one, it shows you what it will be like.`),
        beginning.map(({ slug, icon: name, begin }, i) => make("section", {
            class: "begin", data: { companion: slug }, "aria-label": begin.title,
        },
        make("h2", {}, icon(name), begin.title),
        make("p", {}, begin.says),
        make("div", { class: "row-of-buttons" },
            button(begin.tryTitle ?? t`Try it without hardware`, {
                kind: i === 0 ? "primary" : undefined, icon: "chip", press: () => attempt(begin.try),
            }),
            begin.device && button(begin.deviceTitle ?? t`Add a device`, {
                icon: "plus", press: () => attempt(begin.device),
            })))),
        trouble,
        ways(
            button(t`Back`, {
                kind: "quiet", icon: "back",
                press: async () => {
                    await signIn.setUpTo("companions");
                    await go("companions");
                },
            }),
            button(t`Skip for now`, { kind: "quiet", press: () => attempt(() => "/") })));
}
