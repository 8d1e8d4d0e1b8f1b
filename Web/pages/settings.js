import { button } from "../elements/button.js";
import { fill, make } from "../elements/make.js";
import { section, header } from "../elements/header.js";
import { session } from "../app/session.js";
import { outboxSection } from "../offline/outbox-section.js";
import { addPhoneSection } from "./settings/add-phone.js";
import { devicesSection } from "./settings/devices.js";
import { hereSection } from "./settings/here.js";
import { householdSection } from "./settings/household.js";
import { hubSection } from "./settings/hub.js";
import { outboundSection } from "./settings/outbound.js";
import { peopleSection } from "./settings/people.js";
import { remindersSection } from "./settings/reminders.js";
import { signInsSection } from "./settings/sign-ins.js";

/** Settings: this device, reminders, other phones, the household, devices, the hub; companions add their own. */
export async function openSettings({ screen, signal, title, companions }) {
    title("Settings");
    const lead = () => {
        const house = `${session.household.name}, on the hub “${session.hub.name}”.`;
        const isOther = session.profile.id !== session.person.id;
        return isOther ? `${house} ${session.profile.name} uses this device now.` : house;
    };
    const top = header({
        name: "Settings", icon: "settings", say: `${session.person.name} is signed in`, lead: lead(),
        below: [make("div", { class: "row-of-buttons header-buttons" },
            button("Sign out", { icon: "signout", press: signOut }))],
    });
    session.addEventListener("change", () => { top.lead.textContent = lead(); }, { signal });
    const content = make("div", { class: "content settings" });
    screen.append(top.node, content);
    const context = { signal, section };
    const { isAdult } = session;
    fill(content,
        hereSection(context), remindersSection(context), addPhoneSection(context),
        isAdult && householdSection(context), peopleSection(context),
        isAdult && signInsSection(context), devicesSection(context), outboxSection(context),
        isAdult && outboundSection(context), hubSection(context),
        companions.filter((companion) => companion.settings).map((companion) => companion.settings(context)));
    // A link to one section, such as from the mark of what waits, arrives before the section was drawn.
    if (location.hash) document.getElementById(location.hash.slice(1))?.scrollIntoView();
}

async function signOut() {
    await session.signOut().catch(() => session.forget());
    dispatchEvent(new Event("tandem-signed-out"));
}
