import { passwordTyped } from "../app/api.js";
import { signIn } from "../app/sign-in.js";
import { button } from "./button.js";
import { make } from "./make.js";
import { notice } from "./notice.js";
import { t } from "../language/text.js";

/**
 * What stands in the place of something that the hub does not tell who is here: that it is somebody’s own, or, to an
 * adult on a device that the family shares, the way to type the password.
 * @param {string} words  whose it is
 */
export function unseen(words) {
    if (!signIn.needsPassword) return make("p", { class: "second" }, words);
    return notice({
        icon: "lock", title: t`Password needed`,
        words: t`This device is shared by the family. Type your password to see this.`,
        actions: [button(t`Type the password`, { icon: "lock", press: () => passwordTyped() })],
    });
}
