import { icon } from "./icon.js";
import { fill, make } from "./make.js";
import { Problem, wordsOfProxy } from "../app/problem.js";
import { t } from "../language/text.js";
import { newID } from "../offline/outbox-store.js";
import { bytes } from "../text/numbers.js";

/**
 * Sends a file as it is and tells how far it has come, which `fetch` does not.
 * @param {string} path
 * @param {Blob} file
 * @param {{key: string, signal?: AbortSignal, came?: (share: number) => any}} options  `key`: of this file, so that sent
 *   twice it is stored once; `came`: 0 to 1
 * @returns {Promise<any>}  the hub's answer
 * @throws {Problem} in the hub's words
 */
export function upload(path, file, { key, signal, came }) {
    return new Promise((done, failed) => {
        const request = new XMLHttpRequest();
        request.open("POST", path);
        request.setRequestHeader("Content-Type", "application/octet-stream");
        request.setRequestHeader("Idempotency-Key", key);
        request.upload.addEventListener("progress", ({ loaded, total }) => came?.(total > 0 ? loaded / total : 0));
        request.addEventListener("load", () => {
            const data = parsed(request.responseText);
            if (request.status >= 200 && request.status < 300) done(data);
            else failed(new Problem(request.status, data ?? wordsOfProxy(request.status)));
        });
        request.addEventListener("error", () => failed(new Problem(0, {
            detail: t`No answer came: the hub is away, or refused the file. Try again: nothing is stored twice.`,
        })));
        request.addEventListener("abort", () => failed(new DOMException("aborted", "AbortError")));
        signal?.addEventListener("abort", () => request.abort());
        request.send(file);
    });
}

function parsed(text) {
    try {
        return JSON.parse(text);
    } catch {
        return null;
    }
}

/**
 * A field that takes a file: the browser's own button, a hint, how far it has come, and what was wrong with it.
 * @param {{label: string, accept: string, hint: string, most?: number}} options  `most`: bytes that the hub takes
 */
export function fileField({ label, accept, hint, most }) {
    const id = `file-${label.toLowerCase().replace(/[^a-z]+/g, "-")}`;
    const input = make("input", { class: "input file-input", type: "file", id, accept, name: "file" });
    const said = make("p", { class: "problem", id: `${id}-problem`, role: "alert", hidden: true });
    const bar = make("progress", { class: "upload-bar", max: 1, value: 0, "aria-label": t`Uploaded`, hidden: true });
    const far = make("span", { class: "fine", role: "status" });
    const node = make("div", { class: "field" }, make("label", { for: id }, label), input,
        make("span", { class: "hint", id: `${id}-hint` }, hint), bar, far, said);
    input.setAttribute("aria-describedby", `${id}-hint`);
    const problem = (words) => {
        said.hidden = !words;
        fill(said, words && [icon("warning"), make("span", {}, words)]);
        input.toggleAttribute("aria-invalid", Boolean(words));
        if (words) input.setAttribute("aria-invalid", "true");
        input.setAttribute("aria-describedby", words ? `${said.id} ${id}-hint` : `${id}-hint`);
    };
    let key = newID();
    input.addEventListener("change", () => {
        key = newID();
        problem(tooLarge(input.files[0], most));
    });
    return {
        name: "file", node, input, problem,
        /** Under what the chosen file is sent, however often. */
        get key() { return key; },
        get value() { return input.files[0] ?? null; },
        /** What is wrong with it before it is sent, in words; null where nothing is. */
        get trouble() {
            return input.files[0] ? tooLarge(input.files[0], most) : t`Choose a file first.`;
        },
        came: (share) => {
            bar.hidden = share === null;
            bar.value = share ?? 0;
            far.textContent = share === null ? "" : share < 1 ? t`${Math.round(share * 100)}% sent`
                : t`The hub is looking at it`;
        },
    };
}

function tooLarge(file, most) {
    if (file?.size === 0) return t`This file is empty.`;
    if (!file || !most || file.size <= most) return null;
    return t`This file has ${bytes(file.size)}, and the hub takes up to ${bytes(most)}.`;
}
