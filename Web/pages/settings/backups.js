import { button } from "../../elements/button.js";
import { copyLine, withWholeOptions } from "../../elements/copy.js";
import { icon } from "../../elements/icon.js";
import { make } from "../../elements/make.js";
import { notice, problemNotice } from "../../elements/notice.js";
import { readout } from "../../elements/readout.js";
import { get, post } from "../../app/api.js";
import { live } from "../../app/live.js";
import { dayAndTime } from "../../text/dates.js";
import { bytes, number } from "../../text/numbers.js";
import { loaded } from "./loaded.js";
import { momentReadout } from "./moment-readout.js";
import { t } from "../../language/text.js";

const SHOWN = 5; // of those that are kept

/** The hub's backups: the newest, where they are, how one is put back; a warning where the newest is old. */
export function backupsSection({ signal, section }) {
    const trouble = make("div", { "aria-live": "assertive" });
    const part = loaded(() => get("/api/backups", { signal }), (state) => draw(state, makeOne), signal);
    const makeOne = async () => {
        trouble.replaceChildren();
        try {
            await post("/api/backups");
        } catch (error) {
            trouble.replaceChildren(problemNotice(error));
        }
    };
    live.addEventListener("changed", ({ detail }) => {
        if (detail.companion === "hub" && detail.what === "backups") part.reload();
    }, { signal });
    live.addEventListener("reset", part.reload, { signal });
    return section(t`Backups`, part.node, trouble);
}

function draw({ isNightly, folder, isRunning, backups, problem, isOld }, makeOne) {
    const [newest] = backups;
    const now = button(isRunning ? t`Backing up` : t`Back up now`, { icon: "keep", press: makeOne });
    now.disabled = isRunning;
    if (isRunning) now.setAttribute("aria-busy", "true");
    return [
        problem && notice({ icon: "warning", title: t`The last backup did not work`, words: problem }),
        !problem && isOld && notice({
            icon: "warning", title: t`The last backup is old`,
            words: t`Is the hub switched off at night, or its disk away? Back up now, and look whether it works.`,
        }),
        newest ? make("dl", { class: "readouts" },
            momentReadout(t`Last backup`, newest.at),
            readout(t`Size`, bytes(newest.bytes), null, t`everything in one file`),
            readout(t`Kept`, number(backups.length), null, t`of the last 7 days, 4 weeks, 12 months`))
            : make("p", { class: "second" }, isNightly
                ? t`There is no backup yet. The first one is made tonight.` : t`There is no backup yet, and none is made by itself.`),
        make("div", { class: "row-of-buttons" }, now),
        make("div", { class: "field" }, make("span", { class: "label" }, t`Where they are`), copyLine(folder, t`Copy the folder`),
            make("span", { class: "hint" },
                withWholeOptions(t`On another disk they outlive this one: start the hub with --backups and a folder there.`))),
        newest && make("details", { class: "unfold" },
            make("summary", {}, icon("down", "s"), t`How to put one back`),
            make("div", { class: "stack" },
                make("p", { class: "small second" },
                    t`In a terminal on the hub’s computer, then start the hub again. What is there now is moved aside, not deleted.`),
                backups.slice(0, SHOWN).map(({ at, restoreCommand }) => make("div", { class: "field" },
                    make("span", { class: "label" }, dayAndTime(at)), copyLine(restoreCommand, t`Copy the command`))))),
    ];
}
