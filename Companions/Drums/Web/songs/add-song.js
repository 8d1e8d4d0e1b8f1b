import { form } from "../../elements/form.js";
import { fill, make } from "../../elements/make.js";
import { segmented } from "../../elements/segmented.js";
import { sheet } from "../../elements/sheet.js";
import { toast } from "../../elements/toast.js";
import { get, isAborted } from "../../app/api.js";
import { Problem } from "../../app/problem.js";
import { t } from "../../language/text.js";
import { bytes } from "../../text/numbers.js";
import { songs } from "../overview.js";
import { fileField, upload } from "../../elements/upload.js";

const KINDS = [{ value: "notes", word: t`Notes` }, { value: "audio", word: t`A recording` }];
const ASKS = {
    notes: {
        label: t`MIDI file or song text`, accept: ".mid,.midi,.txt,.song,audio/midi,text/plain",
        path: "/api/drums/songs",
        hint: (most) =>
            t`A Standard MIDI File, or a song written as text, up to ${bytes(most)}. Its four levels are made from it.`,
    },
    audio: {
        label: t`Recording`, accept: "audio/*,.mp3,.m4a,.ogg,.wav,.flac", path: "/api/drums/songs/audio",
        hint: (most) =>
            t`MP3, M4A, OGG, WAV or FLAC, up to ${bytes(most)}. You then tap its tempo while it plays. It stays on the hub in this house.`,
    },
};

/** Adds a song of the family's: notes from a file, or a recording whose tempo is then tapped. */
export function openAddSong() {
    const body = make("div", { class: "stack" });
    const opened = sheet(t`Add a song`, { lead: t`It joins the songs of this house, and everybody here can play it.`,
        body: [body] });
    let limits = { audioBytes: 31_457_280, fileBytes: 524_288 };
    let kind = "notes";
    const draw = () => {
        const { label, accept, path, hint } = ASKS[kind];
        const most = kind === "audio" ? limits.audioBytes : limits.fileBytes;
        const file = fileField({ label, accept, hint: hint(most), most });
        fill(body, segmented(t`What it is`, KINDS, kind, (value) => { kind = value; draw(); }), form({
            word: t`Add song`, fields: [file],
            send: async () => {
                if (file.trouble) throw new Problem(422, { detail: file.trouble, field: "file" });
                try {
                    const name = encodeURIComponent(file.value.name);
                    const song = await upload(`${path}?name=${name}`, file.value,
                        { key: file.key, signal: opened.signal, came: file.came });
                    songs.soon();
                    opened.close();
                    if (song.bytes) toast(song.leftOut ? t`${song.title} was added. ${song.leftOut}` : t`${song.title} was added.`);
                    else (await import("./tap-sheet.js")).openTapSheet(song);
                } catch (error) {
                    // What is wrong with a file is said at it, whatever the hub calls the field.
                    if (error instanceof Problem && error.status >= 400 && error.status < 500) error.field = "file";
                    throw error;
                } finally {
                    file.came(null);
                }
            },
        }));
    };
    draw();
    get("/api/drums/songs", { signal: opened.signal }).then((data) => {
        if (!data.limits || (data.limits.audioBytes === limits.audioBytes
            && data.limits.fileBytes === limits.fileBytes)) return;
        limits = data.limits;
        draw();
    }).catch((error) => {
        // not shown: for the console
        if (!isAborted(error)) console.info("The limits of songs are those of the page.", error.message);
    });
}
