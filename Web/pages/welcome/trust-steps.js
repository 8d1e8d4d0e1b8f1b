import { picture } from "./pictures.js";

/**
 * How each kind of device learns to trust the hub's certificate, step by step.
 * @param {"ios"|"android"|"mac"|"windows"|"linux"|"firefox"} kind
 * @param {{profile: string, certificate: string, pem: string}} authority  where the hub offers it
 * @param {string} hub  what to call the hub, such as "linden.local"
 * @returns {{lead: string, steps: Array<{title: string, words: string, picture?: Element, code?: string,
 *   download?: {word: string, href: string, file?: string}}>, undo: string, compare: string}}
 *   `compare`: where this device itself shows the fingerprint; `file`: its name when it is to be stored as a file.
 *   Without one the browser itself opens it, which is how Safari takes a profile and Firefox an authority
 */
export function trustSteps(kind, authority, hub) {
    return { ios, android, mac, windows, linux, firefox }[kind](authority, hub);
}

/** What the certificate calls itself in a device’s lists. */
const called = (hub) => `Tandem of ${hub.replace(/\.local$/, "")}`;

function ios(authority, hub) {
    return {
        lead: "An iPhone wants it said twice: once to install the profile, once to trust it.",
        steps: [
            {
                title: "Load the profile", words: "In Safari. It asks whether the page may: tap Allow, then Close.",
                download: { word: "Load the profile", href: authority.profile },
                picture: picture("ios", hub, [{
                    ask: "This website is trying to download a configuration profile. Do you want to allow this?",
                    buttons: ["Ignore", "Allow"], tap: "Allow",
                }], { address: true }),
            }, {
                title: "Open Settings",
                words: "The grey cogs on the home screen. Near the top it says Profile Downloaded.",
                picture: picture("ios", "Settings", [
                    { bar: 46 }, { text: "Profile Downloaded", tap: true }, { gap: true }, { bar: 38 }, { bar: 30 },
                ]),
            }, {
                title: "Install it", words: "First, under More Details, compare the fingerprint with the one below. "
                    + "Then tap Install, give the phone’s code, and tap Install twice more. It warns that no company "
                    + "signed the profile: it is yours.",
                picture: picture("ios", "Install Profile", [
                    { buttons: ["Cancel", "Install"], tap: "Install" },
                    { text: "Tandem", icon: "key", plain: true }, { bar: 62 }, { bar: 40 },
                ]),
            }, {
                title: "Go to Certificate Trust Settings", words: "Settings, General, About. It is the last row there.",
                picture: picture("ios", "About", [
                    { bar: 34 }, { bar: 52 }, { gap: true }, { text: "Certificate Trust Settings", tap: true },
                ]),
            }, {
                title: "Switch it on",
                words: "Under full trust for root certificates, the switch beside Tandem. Then Continue.",
                picture: picture("ios", "Certificate Trust Settings", [
                    { head: "Enable full trust for root certificates" },
                    { text: called(hub), on: true, tap: true }, { gap: true }, { bar: 70 },
                ]),
            }, {
                title: "Come back here", words: "Close this page and open it anew: step 1 is then ticked by itself.",
                picture: picture("ios", hub,
                    [{ gap: true }, { head: "This iPhone trusts your hub" }, { bar: 80 }, { bar: 56 }],
                    { address: true }),
            },
        ],
        compare: "On the iPhone, before Install: More Details, then the certificate. It is called SHA-256 there.",
        undo: "Settings, General, VPN & Device Management, Tandem, Remove Profile.",
    };
}

function android(authority, hub) {
    return {
        lead: "The words differ a little from maker to maker. Searching the settings for “CA certificate” finds the "
            + "place on all.",
        steps: [
            {
                title: "Load the certificate",
                words: "It goes to Downloads. Keep it: if the phone cannot be told now, the next steps can.",
                download: { word: "Load the certificate", href: authority.certificate, file: "tandem-authority.crt" },
                picture: picture("android", hub, [
                    { gap: true }, { text: "tandem-authority.crt", value: "Downloaded", icon: "download", plain: true },
                    { bar: 60 },
                ], { address: true }),
            }, {
                title: "Open Settings, then Security",
                words: "On many phones it is called Security & privacy, and then More security settings.",
                picture: picture("android", "Settings", [
                    { bar: 42 }, { bar: 34 }, { text: "Security & privacy", icon: "lock", tap: true }, { bar: 50 },
                ]),
            }, {
                title: "Encryption & credentials",
                words: "There, tap Install a certificate. Samsung calls it Install from device storage.",
                picture: picture("android", "Encryption & credentials", [
                    { bar: 44 }, { bar: 58 }, { text: "Install a certificate", tap: true }, { bar: 36 },
                ]),
            }, {
                title: "CA certificate, Install anyway",
                words: "The phone warns that whoever holds the key can read along. The key lies on your hub only, "
                    + "and is good for names in this house only. Give the phone’s code.",
                picture: picture("android", "Install a certificate", [
                    { text: "CA certificate", icon: "key", tap: true }, { bar: 52 },
                    { buttons: ["Install anyway", "Don’t install"], tap: "Install anyway" },
                ]),
            }, {
                title: "Pick the file", words: "In Downloads: tandem-authority.crt. It says: CA certificate installed.",
                picture: picture("android", "Downloads", [
                    { text: "tandem-authority.crt", icon: "download", tap: true }, { bar: 48 }, { bar: 38 },
                ]),
            }, {
                title: "Come back here",
                words: "Close the browser once and open this page anew: step 1 is then ticked by itself.",
                picture: picture("android", hub,
                    [{ gap: true }, { head: "This phone trusts your hub" }, { bar: 80 }, { bar: 56 }],
                    { address: true }),
            },
        ],
        compare: "On the phone, after step 5: Encryption & credentials, Trusted credentials, User, Tandem. It is "
            + "called SHA-256 there.",
        undo: "Encryption & credentials, Trusted credentials, User, Tandem, Remove. Firefox on Android looks into a "
            + "store of its own: open Tandem in Chrome.",
    };
}

function mac(authority, hub) {
    return {
        lead: "The Mac keeps certificates in Keychain Access. Safari, Chrome, Edge and Firefox all look there.",
        steps: [
            {
                title: "Load the certificate, and open it",
                words: "A double click opens Keychain Access, which asks for your password.",
                download: { word: "Load the certificate", href: authority.certificate, file: "tandem-authority.crt" },
                picture: picture("window", "Downloads",
                    [{ text: "tandem-authority.crt", icon: "download", tap: true }, { bar: 44 }, { bar: 52 }]),
            }, {
                title: "Find Tandem in the keychain “login”",
                words: "Under Certificates. It has a red cross still. Double-click it.",
                picture: picture("window", "Keychain Access", [
                    { bar: 40 }, { text: called(hub), icon: "key", tap: true }, { bar: 48 },
                ]),
            }, {
                title: "Open Trust, choose Always Trust",
                words: "For “When using this certificate”. Close the window and give your password.",
                picture: picture("window", "Trust", [
                    { text: "When using this certificate:", value: "Always Trust", tap: true }, { bar: 66 },
                    { bar: 58 },
                ]),
            }, {
                title: "Load this page again",
                words: "Step 1 is then ticked by itself. Chrome and Edge may have to be quit and opened once.",
            },
        ],
        compare: "In Keychain Access: double-click Tandem, open Details. It is at the end, called SHA-256.",
        undo: "Keychain Access, login, Certificates, Tandem, Delete.",
    };
}

function windows(authority) {
    return {
        lead: "Windows has a store of trusted authorities. Chrome, Edge and Firefox all look there.",
        steps: [
            {
                title: "Load the certificate, and open it",
                words: "Windows shows it in a small window. Click Install Certificate.",
                download: { word: "Load the certificate", href: authority.certificate, file: "tandem-authority.crt" },
                picture: picture("window", "Certificate", [
                    { head: "Tandem" }, { bar: 70 },
                    { buttons: ["Install Certificate…", "OK"], tap: "Install Certificate…" },
                ]),
            }, {
                title: "Current User, then Next",
                words: "It is then trusted for your own account, and for nobody else’s.",
                picture: picture("window", "Certificate Import Wizard", [
                    { text: "Current User", tap: true, plain: true }, { text: "Local Machine", plain: true },
                ]),
            }, {
                title: "Place it in Trusted Root Certification Authorities",
                words: "Choose “Place all certificates in the following store”, Browse, and that name. Left to "
                    + "choose for itself, Windows takes the wrong one.",
                picture: picture("window", "Select Certificate Store", [
                    { bar: 30 }, { text: "Trusted Root Certification Authorities", tap: true, plain: true },
                    { bar: 44 },
                ]),
            }, {
                title: "Finish, and say Yes", words: "Then quit the browser once, and open this page anew.",
                picture: picture("window", "Security Warning", [
                    { bar: 84 }, { bar: 60 }, { buttons: ["Yes", "No"], tap: "Yes" },
                ]),
            },
        ],
        compare: "Windows shows a shorter number, the thumbprint. For this one, in a terminal:",
        code: "certutil -hashfile Downloads\\tandem-authority.crt SHA256",
        undo: "certmgr.msc, Trusted Root Certification Authorities, Certificates, Tandem, Delete.",
    };
}

function linux(authority) {
    return {
        lead: "Chrome and its relatives keep a store of their own, beside the system’s.",
        steps: [
            {
                title: "Load the certificate", words: "In the form that Linux likes, PEM.",
                download: { word: "Load the certificate", href: authority.pem, file: "tandem-authority.pem" },
                picture: picture("window", "Downloads", [
                    { bar: 44 }, { text: "tandem-authority.pem", icon: "download", plain: true }, { bar: 52 },
                ]),
            }, {
                title: "Into Chrome’s settings",
                words: "Open chrome://certificate-manager, Your certificates or Custom, Trusted certificates, "
                    + "Import, and pick the file.",
                picture: picture("window", "chrome://certificate-manager", [
                    { bar: 40 }, { text: "Trusted certificates", value: "Import", tap: true }, { bar: 52 },
                ], { address: true }),
            }, {
                title: "Or in a terminal",
                words: "The same, for all browsers of Chrome’s family of this account (certutil is in libnss3-tools):",
                code: 'certutil -d sql:"$HOME/.pki/nssdb" -A -t C,, -n tandem -i ~/Downloads/tandem-authority.pem',
            }, {
                title: "For programs such as curl", words: "Debian and its relatives, for the whole machine:",
                code: "sudo cp ~/Downloads/tandem-authority.pem /usr/local/share/ca-certificates/tandem.crt && sudo "
                    + "update-ca-certificates",
            }, {
                title: "Load this page again",
                words: "After the browser was quit once. Step 1 is then ticked by itself.",
            },
        ],
        compare: "In a terminal:",
        code: "openssl x509 -in ~/Downloads/tandem-authority.pem -noout -fingerprint -sha256",
        undo: 'certutil -d sql:"$HOME/.pki/nssdb" -D -n tandem',
    };
}

function firefox(authority) {
    return {
        lead: "Firefox has a store of its own. On Windows and Mac it also takes what the system trusts.",
        steps: [
            {
                title: "Load the certificate",
                words: "Firefox may ask at once what to trust it for: then tick websites, and you are done.",
                download: { word: "Load the certificate", href: authority.certificate },
                picture: picture("window", "Downloading Certificate", [
                    { bar: 72 }, { text: "Trust this CA to identify websites", on: true, tap: true },
                    { buttons: ["Cancel", "OK"], tap: "OK" },
                ]),
            }, {
                title: "Otherwise: Settings, Privacy & Security",
                words: "At the end, under Certificates, click View Certificates.",
                picture: picture("window", "about:preferences", [
                    { bar: 36 }, { text: "View Certificates…", tap: true }, { bar: 50 },
                ], { address: true }),
            }, {
                title: "Authorities, Import",
                words: "If it was saved as a file: pick it, tick “Trust this CA to identify websites”, and OK.",
                picture: picture("window", "Certificate Manager", [
                    { text: "Authorities", plain: true }, { bar: 48 },
                    { buttons: ["View…", "Import…"], tap: "Import…" },
                ]),
            }, {
                title: "Load this page again", words: "Step 1 is then ticked by itself.",
            },
        ],
        compare: "In the Certificate Manager: Authorities, Tandem, View. It is called SHA-256 there.",
        undo: "Certificate Manager, Authorities, Tandem, Delete or Distrust.",
    };
}
