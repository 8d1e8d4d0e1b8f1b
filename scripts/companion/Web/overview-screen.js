import { addDevice } from "../devices/add-device.js";
import { age } from "../elements/age.js";
import { button } from "../elements/button.js";
import { icon } from "../elements/icon.js";
import { fill, make } from "../elements/make.js";
import { problemNotice } from "../elements/notice.js";
import { rowsSkeleton, sayingSkeleton } from "../elements/skeleton.js";
import { header } from "../elements/header.js";
import { signIn } from "../app/sign-in.js";
import { t } from "../language/text.js";
import { number } from "../text/numbers.js";
import { headline, overview } from "./overview.js";

/** The devices, each with its level. */
export async function openOverview({ screen, signal, title }) {
    title(t`@TITLE@`);
    const top = header({ name: t`@TITLE@`, icon: "@SLUG@" });
    fill(top.say, sayingSkeleton(t`levels`));
    const list = make("div", {}, rowsSkeleton(2));
    const add = signIn.isAdult && button(t`Add a device`, {
        icon: "plus",
        press: () => addDevice({ kind: "@SLUG@", suggestion: t`@TITLE@`, closed: () => overview.soon() }),
    });
    screen.append(top.node, make("div", { class: "content" }, list, add));
    await overview.follow(signal, {
        draw: () => {
            top.say.textContent = headline(overview.data);
            fill(list, make("ul", { class: "rows" }, overview.data.devices.map(row)));
        },
        missing: (error, retry) => {
            top.say.textContent = t`The levels cannot be shown right now`;
            fill(list, problemNotice(error, { retry }));
        },
    });
}

function row({ name, level, at, state }) {
    return make("li", { class: "row" }, icon("sensor"),
        make("span", { class: "words" },
            make("span", { class: "name" }, name),
            make("span", { class: "fine" },
                at ? age(at, { plain: true, words: (ago) => t`measured ${ago}` }) : t`not heard yet`)),
        level != null && make("span", { class: "value @SLUG@-level", data: { state } }, `${number(level)} %`));
}
