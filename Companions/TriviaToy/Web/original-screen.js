import { exchange, get, isAborted, post, put, remove } from "../app/api.js";
import { now } from "../app/clock.js";
import { messageOf, Problem } from "../app/problem.js";
import { signIn } from "../app/sign-in.js";
import { button, iconButton } from "../elements/button.js";
import { field } from "../elements/field.js";
import { form } from "../elements/form.js";
import { header, section } from "../elements/header.js";
import { fill, make } from "../elements/make.js";
import { notice, problemNotice } from "../elements/notice.js";
import { confirm } from "../elements/sheet.js";
import { linesSkeleton } from "../elements/skeleton.js";
import { toast } from "../elements/toast.js";
import { unseen } from "../elements/unseen.js";
import { clockOf } from "../text/durations.js";
import { t } from "../language/text.js";
import { overview } from "./overview.js";

/** Users of the original toy and its app: signing up, signing in, and whom each is linked to. */
export async function openOriginal({ screen, signal, title }) {
    title(t`The first toy and its app`);
    const top = header({
        back: { href: "/toy/toys", word: t`Toys` }, say: t`The first toy and its app`,
        lead: t`They sign in with a number and a password of their own, which reach nothing else of this hub.`,
    });
    const content = make("div", { class: "content" }, linesSkeleton(70, 50));
    screen.append(top.node, content);
    if (!signIn.isAdult) return fill(content, unseen(t`A grown-up can look after these users.`));
    await overview.load().catch(() => {});
    let ticking = null;
    signal.addEventListener("abort", () => clearInterval(ticking));
    const load = async () => {
        try {
            show(await get("/api/toy/original-users", { signal }));
        } catch (error) {
            if (!signal.aborted && !isAborted(error)) fill(content, problemNotice(error, { retry: load }));
        }
    };
    const show = (data) => {
        if (signal.aborted) return;
        fill(content, registration(data), data.openUntil && signUp(load), signInSection(),
            section(t`Who is signed up`, data.users.length === 0
                ? make("p", { class: "second" }, t`Nobody yet.`)
                : make("ul", { class: "rows" }, data.users.map((user) => row(user, show)))));
    };
    const registration = ({ openUntil }) => {
        clearInterval(ticking);
        const left = make("p", { class: "strong", role: "timer" });
        if (openUntil) {
            const tick = () => {
                const seconds = Math.ceil((openUntil - now()) / 1000);
                if (seconds <= 0) return load();
                left.textContent = t`Open for another ${clockOf(seconds)} minutes.`;
            };
            tick();
            ticking = setInterval(tick, 1000);
        }
        return section(t`Signing up`,
            make("p", { class: "small second" }, openUntil
                ? t`Sign up with the app now. It closes by itself, because whoever reads along in your network could sign up too.`
                : t`It is closed, because whoever reads along in your network could sign up too. Open it, sign up with the app, and it closes by itself after five minutes.`),
            openUntil ? left : button(t`Open it for five minutes`, {
                icon: "lock",
                press: async () => {
                    try {
                        show(await post("/api/toy/registration-window"));
                    } catch (error) {
                        toast(messageOf(error), { icon: "warning" });
                    }
                },
            }));
    };
    await load();
}

/** Asks the original's own API, which answers errors in words. */
async function ask(path, body) {
    const answer = await exchange("POST", path, {
        headers: { "Content-Type": "application/json; charset=utf-8" }, bytes: JSON.stringify(body), quiet: true,
    });
    const said = await answer.json().catch(() => ({}));
    if (!answer.ok) {
        throw new Problem(answer.status, {
            title: t`That did not work`,
            detail: said.message ?? t`This hub does not speak to the first toys. Start it with --legacy toy.`,
        });
    }
    return said;
}

function signUp(done) {
    const name = field({ label: t`Name`, name: "username", required: true });
    const email = field({ label: t`Email`, name: "email", type: "email", required: true });
    const password = field({ label: t`Password`, name: "password", type: "password", required: true, autocomplete: "new-password" });
    const again = field({ label: t`Password again`, name: "again", type: "password", required: true, autocomplete: "new-password" });
    return section(t`Sign up here`, form({
        fields: [name, email, password, again], word: t`Sign up`, icon: "person",
        send: async () => {
            if (password.value !== again.value) return again.problem(t`The two passwords are not the same.`);
            const { id } = await ask("/User/Register", { username: name.value, email: email.value, password: password.value });
            toast(t`Signed up with the number ${String(id)}.`, { icon: "check" });
            await done();
        },
    }));
}

function signInSection() {
    const email = field({ label: t`Email`, name: "email", type: "email", required: true });
    const password = field({ label: t`Password`, name: "password", type: "password", required: true, autocomplete: "off" });
    const result = make("div", { "aria-live": "polite" });
    return section(t`Sign in as the app does`, form({
        fields: [email, password], word: t`Sign in`, icon: "key", isPlain: true,
        send: async () => {
            fill(result);
            const { id } = await ask("/User/Login", { email: email.value, password: password.value });
            const { triviaHistory } = await (await exchange("GET", `/User/History/${id}`)).json();
            password.input.value = "";
            fill(result, notice({
                icon: "check", title: t`Signed in with the number ${String(id)}`,
                words: t`${triviaHistory.length} facts stand in its history.`,
                actions: [button(t`Log out`, { icon: "signout", press: () => fill(result) })],
            }));
        },
    }), result);
}

function row(user, show) {
    const select = make("select", { class: "input", "aria-label": t`Who ${user.username} is` },
        make("option", { value: "" }, t`Nobody of the family`),
        (overview.data?.people ?? []).map(({ id, name }) => make("option", { value: id, selected: id === user.person }, name)));
    select.addEventListener("change", async () => {
        try {
            show(await put(`/api/toy/original-users/${String(user.id)}`, { person: select.value || undefined }));
            toast(t`Saved.`, { icon: "check" });
        } catch (error) {
            toast(messageOf(error), { icon: "warning" });
        }
    });
    return make("li", { class: "row" }, make("span", { class: "words" }, make("span", { class: "name" }, user.username),
        make("span", { class: "fine" }, user.email),
        user.cardPlays > 0 && make("span", { class: "fine" }, t`${user.cardPlays} facts of its own card told so far`)),
    iconButton(t`Remove ${user.username}`, "trash", () => confirm({
        title: t`Remove ${user.username}?`,
        lead: t`Their app and toy cannot sign in any more, and what they heard and voted goes with them. What the family heard stays.`,
        yes: t`Remove them`,
        act: async () => show(await remove(`/api/toy/original-users/${String(user.id)}`)),
    })), select);
}
