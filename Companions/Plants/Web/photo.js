import { button } from "../elements/button.js";
import { field } from "../elements/field.js";
import { form } from "../elements/form.js";
import { fill, make } from "../elements/make.js";
import { problemNotice } from "../elements/notice.js";
import { sheet } from "../elements/sheet.js";
import { Problem } from "../app/problem.js";
import { t } from "../language/text.js";

const LONGEST_SIDE = 1600; // pixels: enough for any screen in the house, some 300 KB
const QUALITY = 0.82;

/**
 * Lets a person take or choose a picture, and say something about it.
 * @param {string} title
 * @param {(picture: {bytes: ArrayBuffer, note: string}) => Promise<any>} send
 */
export function takePhoto(title, send) {
    const input = make("input", { type: "file", accept: "image/*", hidden: true, "aria-label": t`Picture` });
    // Some browsers open nothing for an input that is in no document.
    document.body.append(input);
    input.addEventListener("cancel", () => input.remove());
    input.addEventListener("change", () => {
        input.remove();
        const file = input.files[0];
        if (file) preview(title, file, send);
    });
    input.click();
}

function preview(title, file, send) {
    const opened = sheet(title);
    const image = make("img", { class: "photo", alt: t`The picture that you chose` });
    const body = make("div", { class: "stack" }, make("p", { class: "second" }, t`Opening the picture`));
    opened.paper.append(body);
    const note = field({ label: t`A few words about it, if you like`, name: "note" });
    shrunk(file).then(async (blob) => {
        const address = URL.createObjectURL(blob);
        opened.signal.addEventListener("abort", () => URL.revokeObjectURL(address));
        image.src = address;
        fill(body, image, form({
            fields: [note], word: t`Save`, icon: "check",
            send: async () => {
                await send({ bytes: await blob.arrayBuffer(), note: note.value.trim() });
                opened.close();
            },
        }));
    }).catch((error) => fill(body, problemNotice(error),
        button(t`Choose another`, { icon: "refresh", press: () => { opened.close(); takePhoto(title, send); } })));
}

/** The picture as a small JPEG: without what the camera wrote into it, such as where it was taken. */
async function shrunk(file) {
    let bitmap;
    try {
        bitmap = await createImageBitmap(file);
    } catch {
        throw new Problem(0, { detail: t`This browser cannot open that picture. Choose a JPEG or PNG.` });
    }
    const scale = Math.min(1, LONGEST_SIDE / Math.max(bitmap.width, bitmap.height));
    const canvas = make("canvas", { width: Math.round(bitmap.width * scale), height: Math.round(bitmap.height * scale) });
    canvas.getContext("2d").drawImage(bitmap, 0, 0, canvas.width, canvas.height);
    bitmap.close();
    return new Promise((done, failed) => canvas.toBlob((blob) => blob ? done(blob)
        : failed(new Problem(0, { detail: t`This browser cannot store that picture. Choose a smaller one.` })),
    "image/jpeg", QUALITY));
}

/** Shows a picture as large as the page. */
export function showPhoto({ title, words, address, actions }) {
    const opened = sheet(title, { lead: words });
    opened.paper.append(make("img", { class: "photo", src: address, alt: title }),
        make("div", { class: "sheet-actions" }, actions(opened)));
}
