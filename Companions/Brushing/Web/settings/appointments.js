import { button } from "../../elements/button.js";
import { field } from "../../elements/field.js";
import { form } from "../../elements/form.js";
import { icon } from "../../elements/icon.js";
import { fill, make } from "../../elements/make.js";
import { savedSection } from "../../elements/saved-section.js";
import { sheet } from "../../elements/sheet.js";
import { toast } from "../../elements/toast.js";
import { post, put, remove } from "../../app/api.js";
import { now } from "../../app/clock.js";
import { dayIn, longDay, minuteInput, minuteOf, minuteText } from "../../text/civil.js";
import { overview } from "../overview.js";
import { t } from "../../language/text.js";

const TEN = 600; // minutes: at what time a new one is suggested

/**
 * Appointments, at the dentist's above all: the hub reminds the evening before and two hours before.
 * @param {import("./settings-screen.js").PathOf} path
 */
export function appointmentSection(path) {
    const { node, body, show, save } = savedSection(t`Appointments`, (data) => draw(data), {
        value: button(t`Add`, { kind: "quiet", icon: "plus", press: () => edit(null) }),
    });
    let person = null;
    let shown = null;
    const pathOf = (whose, id) => path(whose, `appointments/${encodeURIComponent(id)}`);
    const edit = (appointment) => {
        const whose = person;
        const fields = {
            title: field({
                label: t`Who with, or what for`, name: "title", value: appointment?.title ?? "", required: true,
                attributes: { placeholder: t`Dentist`, maxlength: overview.data.limits?.appointmentTitle },
            }),
            day: field({
                label: t`Day`, name: "day", type: "date", required: true,
                value: appointment?.day ?? dayIn(person.timeZone, now()),
            }),
            time: field({
                label: t`Time`, name: "minute", type: "time", required: true,
                value: minuteInput(appointment?.minute ?? TEN),
            }),
            note: field({
                label: t`Note`, name: "note", value: appointment?.note ?? "", attributes: { maxlength: overview.data.limits?.appointmentNote },
                hint: t`For example what to ask. You can leave it empty.`,
            }),
        };
        const opened = sheet(appointment ? t`Change the appointment` : t`An appointment for ${person.name}`, {
            body: [
                form({
                    fields: Object.values(fields), word: appointment ? t`Save` : t`Add appointment`,
                    icon: appointment ? "check" : "calendar", className: "form appointment-form",
                    send: async () => {
                        const note = fields.note.value.trim();
                        const said = {
                            title: fields.title.value.trim(), day: fields.day.value,
                            minute: minuteOf(fields.time.value), ...(note ? { note } : {}),
                        };
                        overview.take(await (appointment ? put(pathOf(whose, appointment.id), said)
                            : post(path(whose, "appointments"), said)));
                        opened.close();
                        toast(appointment ? t`Changed.` : t`Saved for ${longDay(said.day)}.`, { icon: "calendar" });
                    },
                }),
                appointment && make("div", { class: "sheet-actions" }, button(t`Delete`, {
                    kind: "danger", icon: "trash",
                    press: () => {
                        opened.close();
                        return drop(appointment);
                    },
                })),
            ],
        });
        if (!appointment) fields.title.input.focus();
    };
    const drop = (appointment) => save(async (whose) => {
        const answer = await remove(pathOf(whose, appointment.id));
        if (answer) overview.take(answer);
        else await overview.load();
        const { id, ...said } = appointment;
        toast(t`Deleted: ${appointment.title}.`, {
            icon: "trash", undo: async () => overview.take(await post(path(whose, "appointments"), said)),
        });
    });
    const draw = (data) => {
        person = data;
        const key = JSON.stringify([person.id, person.appointments]);
        if (key === shown) return;
        shown = key;
        fill(body, person.appointments.length === 0
            ? make("p", { class: "second" }, t`No appointment. You are reminded of one the evening before and two hours before.`)
            : make("ul", { class: "rows" }, person.appointments.toSorted(byTime).map((one) => row(one, edit))));
    };
    return { node, show };
}

function byTime(one, other) {
    return one.day === other.day ? one.minute - other.minute : one.day < other.day ? -1 : 1;
}

function row(appointment, edit) {
    const { title, day, minute, note } = appointment;
    return make("li", {}, make("button", { class: "row", type: "button", on: { click: () => edit(appointment) } },
        icon("calendar"),
        make("span", { class: "words" }, make("span", { class: "name" }, title),
            make("span", { class: "small second" }, `${longDay(day)}, ${minuteText(minute)}`),
            note && make("span", { class: "fine" }, note)),
        icon("edit", "s")));
}
