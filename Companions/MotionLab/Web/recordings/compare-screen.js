import { get } from "../../app/api.js";
import { signIn } from "../../app/sign-in.js";
import { header } from "../../elements/header.js";
import { fill, make } from "../../elements/make.js";
import { notice, problemNotice } from "../../elements/notice.js";
import { chartSkeleton } from "../../elements/skeleton.js";
import { t } from "../../language/text.js";
import { comparedChart } from "./recording-chart.js";
import { dateTime, nameOf, nameOfGuest } from "./recording-text.js";

/** Several recordings on one chart for each sensor that they share, from their starts. */
export async function openCompare({ screen, signal, title }) {
    title(t`Compare`);
    const ids = (new URLSearchParams(location.search).get("of") ?? "").split(",").filter(Boolean);
    const top = header({
        back: { href: "/lab/recordings", word: t`Recordings` }, say: t`One over the other`,
        lead: t`Each begins at its own start. Of several axes the strongest of each is drawn, until you choose.`,
    });
    const content = make("div", { class: "content lab-content" }, chartSkeleton());
    screen.append(top.node, content);
    const load = async () => {
        try {
            const all = await Promise.all(ids.map((id) => get(`/api/lab/recordings/${encodeURIComponent(id)}`, { signal })));
            const named = toldApart(all, signIn.people ?? []);
            const shared = all[0]?.streams.map(({ sensor }) => sensor).filter((sensor) =>
                all.every(({ streams }) => streams.some((one) => one.sensor === sensor && one.samples > 0))) ?? [];
            if (shared.length === 0) {
                return fill(content, notice({
                    icon: "info", state: "unknown",
                    title: ids.length < 2 ? t`Tick two to lay them over each other.` : t`They have no sensor in common`,
                    words: t`Choose recordings that measured the same.`,
                }));
            }
            fill(content, await Promise.all(shared.map((sensor) => comparedChart(named, sensor, signal))));
        } catch (error) {
            if (!signal.aborted) fill(content, problemNotice(error, { retry: load }));
        }
    };
    await load();
}

/**
 * Recordings by what tells them apart: of whose, what and when each is, what not all have in common.
 * @param {Contract.Answer<"GET", `/api/lab/recordings/${string}`>[]} all
 * @param {Array<{id: string, name: string}>} people
 */
function toldApart(all, people) {
    const words = all.map((one) => [
        one.guest ? nameOfGuest(one.guest) : people.find(({ id }) => id === one.person)?.name,
        nameOf(one), dateTime(one.startMicroseconds / 1000),
    ]);
    const differing = [0, 1, 2].filter((place) => new Set(words.map((of) => of[place])).size > 1);
    const shown = differing.length > 0 ? differing : [1, 2];
    return all.map(({ id }, i) => ({ id, name: shown.map((place) => words[i][place]).filter(Boolean).join(", ") }));
}
