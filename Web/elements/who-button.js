import { signIn } from "../app/sign-in.js";
import { face } from "./face.js";
import { make } from "./make.js";
import { t } from "../language/text.js";

/**
 * The face of who uses this device now; a press asks who it is. `<tandem-who>` stands in every header, so that another
 * child is one tap away. Before signing in, where nobody is anybody yet, it is empty.
 */
class WhoButton extends HTMLElement {
    #left = null;

    connectedCallback() {
        this.#left = new AbortController();
        signIn.addEventListener("change", () => this.#draw(), { signal: this.#left.signal });
        this.#draw();
    }

    disconnectedCallback() {
        this.#left.abort();
    }

    #draw() {
        const { profile } = signIn;
        if (!profile) return this.replaceChildren();
        const node = this.querySelector("button") ?? make("button", {
            class: "icon-button", type: "button", "aria-haspopup": "dialog",
            on: { click: async () => (await import("../pages/who/who.js")).askWho() },
        });
        const name = t`${profile.name} uses this device. Change`;
        node.setAttribute("aria-label", name);
        node.title = profile.name;
        node.replaceChildren(face(profile, "s"));
        if (!node.isConnected) this.replaceChildren(node);
    }
}

customElements.define("tandem-who", WhoButton);
