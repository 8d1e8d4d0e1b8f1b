import { button } from "../elements/button.js";
import { fill, make } from "../elements/make.js";
import { section, header } from "../elements/header.js";
import { signIn } from "../app/sign-in.js";
import { frameDrawn } from "../app/when-idle.js";
import { t } from "../language/text.js";
import { outboxSection } from "../offline/outbox-section.js";
import { addPhoneSection } from "./settings/add-phone.js";
import { archiveSection } from "./settings/archive.js";
import { backupsSection } from "./settings/backups.js";
import { devicesSection } from "./settings/devices.js";
import { hereSection } from "./settings/here.js";
import { bluetoothSection } from "./settings/bluetooth.js";
import { homeAssistantSection } from "./settings/home-assistant.js";
import { householdSection } from "./settings/household.js";
import { hubSection } from "./settings/hub.js";
import { lossesSection } from "./settings/losses.js";
import { outboundSection } from "./settings/outbound.js";
import { passkeysSection } from "./settings/passkeys.js";
import { peopleSection } from "./settings/people.js";
import { programsSection } from "./settings/programs.js";
import { remindersSection } from "./settings/reminders.js";
import { searchField } from "./settings/search.js";
import { signInsSection } from "./settings/sign-ins.js";
import { webhooksSection } from "./settings/webhooks.js";

/**
 * Settings: this device, reminders, other phones, the household, devices, the hub; companions add their own; at the end one
 * signs out. A search leaves the sections that have its words. A child sees neither who signs in with what, nor how
 * devices reach the hub.
 */
export async function openSettings({ screen, signal, title, companions }) {
    title(t`Settings`);
    const lead = () => {
        const [house, hub] = [signIn.household.name, signIn.hub.name];
        const isOther = signIn.profile.id !== signIn.person.id;
        return isOther ? t`${house}, on the hub “${hub}”. ${signIn.profile.name} uses this device now.`
            : t`${house}, on the hub “${hub}”.`;
    };
    const top = header({
        name: t`Settings`, icon: "settings", say: t`${signIn.person.name} is signed in`, lead: lead(),
    });
    signIn.addEventListener("change", () => { top.lead.textContent = lead(); }, { signal });
    const content = make("div", { class: "content settings" });
    screen.append(top.node, content);
    const context = { signal, section };
    const { isAdult } = signIn;
    const waiting = outboxSection(context);
    waiting.id = "s-waiting-to-be-sent"; // links lead there
    const sections = make("div", { class: "sections" });
    fill(sections, hereSection(context), remindersSection(context), addPhoneSection(context));
    fill(content, searchField(sections, signal), sections);
    // What is below the screen comes after what is on it, where nobody was led there.
    if (!location.hash) await frameDrawn();
    if (signal.aborted) return;
    sections.append(...[
        isAdult && householdSection(context), peopleSection(context),
        isAdult && passkeysSection(context), isAdult && signInsSection(context), devicesSection(context), isAdult && bluetoothSection(context),
        isAdult && homeAssistantSection(context), isAdult && webhooksSection(context), isAdult && programsSection(context), waiting,
        isAdult && outboundSection(context), isAdult && backupsSection(context), isAdult && archiveSection(context),
        isAdult && hubSection(context),
        isAdult && lossesSection(context),
        companions.filter((companion) => companion.settings).map((companion) => companion.settings(context)),
        signOutSection(),
    ].flat(Infinity).filter(Boolean));
    // A link to one section, such as from the mark of what waits, arrives before the section was drawn.
    if (location.hash) document.getElementById(location.hash.slice(1))?.scrollIntoView();
}

/** A device that the family shares stays signed in where a child uses it: the others would have to call for an adult. */
function signOutSection() {
    const isLeft = signIn.isShared && signIn.profile.role === "child";
    if (isLeft) return section(t`Sign out`, make("p", { class: "second" }, t`The family shares this device: an adult can sign it out.`));
    return section(t`Sign out`,
        make("p", { class: "second" }, t`${signIn.person.name} is signed in on this device.`),
        make("div", { class: "row-of-buttons" }, button(t`Sign out`, { icon: "signout", press: signOut })));
}

async function signOut() {
    await signIn.signOut().catch(() => signIn.forget());
    dispatchEvent(new Event("tandem-signed-out"));
}
