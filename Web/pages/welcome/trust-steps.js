import { picture } from "./pictures.js";
import { t } from "../../language/text.js";

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
const called = (hub) => `Tandem of ${hub.replace(/\.local$/, "")}`; // not shown: the same in every language

function ios(authority, hub) {
    return {
        lead: t`An iPhone asks twice: once to install the profile, once to trust it.`,
        steps: [
            {
                title: t`Load the profile`, words: t`In Safari. It asks whether the page may do that: tap Allow, then Close.`,
                download: { word: t`Load the profile`, href: authority.profile },
                picture: picture("ios", hub, [{
                    ask: t`This website is trying to download a configuration profile. Do you want to allow this?`,
                    buttons: [t`Ignore`, t`Allow`], tap: t`Allow`,
                }], { address: true }),
            }, {
                title: t`Open Settings`,
                words: t`The grey cogs on the home screen. Near the top it says Profile Downloaded.`,
                picture: picture("ios", t`Settings`, [
                    { bar: 46 }, { text: t`Profile Downloaded`, tap: true }, { gap: true }, { bar: 38 }, { bar: 30 },
                ]),
            }, {
                title: t`Install it`, words: t`First, under More Details, compare the fingerprint with the one below. Then tap Install, give the phone’s code, and tap Install twice more. It warns that no company signed the profile: it is yours.`,
                picture: picture("ios", t`Install Profile`, [
                    { buttons: [t`Cancel`, t`Install`], tap: t`Install` },
                    { text: "Tandem", icon: "key", plain: true }, { bar: 62 }, { bar: 40 },
                ]),
            }, {
                title: t`Go to Certificate Trust Settings`, words: t`Settings, General, About. It is the last row there.`,
                picture: picture("ios", t`About`, [
                    { bar: 34 }, { bar: 52 }, { gap: true }, { text: t`Certificate Trust Settings`, tap: true },
                ]),
            }, {
                title: t`Switch it on`,
                words: t`Under full trust for root certificates, the switch beside Tandem. Then Continue.`,
                picture: picture("ios", t`Certificate Trust Settings`, [
                    { head: t`Enable full trust for root certificates` },
                    { text: called(hub), on: true, tap: true }, { gap: true }, { bar: 70 },
                ]),
            }, {
                title: t`Come back here`, words: t`Close this page and open it anew: step 1 is then ticked by itself.`,
                picture: picture("ios", hub,
                    [{ gap: true }, { head: t`This iPhone trusts your hub` }, { bar: 80 }, { bar: 56 }],
                    { address: true }),
            },
        ],
        compare: t`On the iPhone, before Install: More Details, then the certificate. It is called SHA-256 there.`,
        undo: t`Settings, General, VPN & Device Management, Tandem, Remove Profile.`,
    };
}

function android(authority, hub) {
    return {
        lead: t`The words differ a little from phone to phone. On all of them, searching the settings for “CA certificate” finds the place.`,
        steps: [
            {
                title: t`Load the certificate`,
                words: t`It goes to Downloads. Keep it there: the next steps need it.`,
                download: { word: t`Load the certificate`, href: authority.certificate, file: "tandem-authority.crt" },
                picture: picture("android", hub, [
                    { gap: true }, { text: "tandem-authority.crt", value: t`Downloaded`, icon: "download", plain: true },
                    { bar: 60 },
                ], { address: true }),
            }, {
                title: t`Open Settings, then Security`,
                words: t`On many phones it is called Security & privacy, and then More security settings.`,
                picture: picture("android", t`Settings`, [
                    { bar: 42 }, { bar: 34 }, { text: t`Security & privacy`, icon: "lock", tap: true }, { bar: 50 },
                ]),
            }, {
                title: t`Encryption & credentials`,
                words: t`There, tap Install a certificate. Samsung calls it Install from device storage.`,
                picture: picture("android", t`Encryption & credentials`, [
                    { bar: 44 }, { bar: 58 }, { text: t`Install a certificate`, tap: true }, { bar: 36 },
                ]),
            }, {
                title: t`CA certificate, Install anyway`,
                words: t`The phone warns that whoever holds the key can read along. The key lies on your hub only, and is good for names in this house only. Give the phone’s code.`,
                picture: picture("android", t`Install a certificate`, [
                    { text: t`CA certificate`, icon: "key", tap: true }, { bar: 52 },
                    { buttons: [t`Install anyway`, t`Don’t install`], tap: t`Install anyway` },
                ]),
            }, {
                title: t`Pick the file`, words: t`In Downloads: tandem-authority.crt. It says: CA certificate installed.`,
                picture: picture("android", t`Downloads`, [
                    { text: "tandem-authority.crt", icon: "download", tap: true }, { bar: 48 }, { bar: 38 },
                ]),
            }, {
                title: t`Come back here`,
                words: t`Close the browser once and open this page anew: step 1 is then ticked by itself.`,
                picture: picture("android", hub,
                    [{ gap: true }, { head: t`This phone trusts your hub` }, { bar: 80 }, { bar: 56 }],
                    { address: true }),
            },
        ],
        compare: t`On the phone, after step 5: Encryption & credentials, Trusted credentials, User, Tandem. It is called SHA-256 there.`,
        undo: t`Encryption & credentials, Trusted credentials, User, Tandem, Remove. Firefox on Android has a list of its own: open Tandem in Chrome.`,
    };
}

function mac(authority, hub) {
    return {
        lead: t`The Mac keeps certificates in Keychain Access. Safari, Chrome, Edge and Firefox all look there.`,
        steps: [
            {
                title: t`Load the certificate, and open it`,
                words: t`A double click opens Keychain Access, which asks for your password.`,
                download: { word: t`Load the certificate`, href: authority.certificate, file: "tandem-authority.crt" },
                picture: picture("window", t`Downloads`,
                    [{ text: "tandem-authority.crt", icon: "download", tap: true }, { bar: 44 }, { bar: 52 }]),
            }, {
                title: t`Find Tandem in the keychain “login”`,
                words: t`Under Certificates. It still has a red cross. Double-click it.`,
                picture: picture("window", t`Keychain Access`, [
                    { bar: 40 }, { text: called(hub), icon: "key", tap: true }, { bar: 48 },
                ]),
            }, {
                title: t`Open Trust, choose Always Trust`,
                words: t`For “When using this certificate”. Close the window and give your password.`,
                picture: picture("window", t`Trust`, [
                    { text: t`When using this certificate:`, value: t`Always Trust`, tap: true }, { bar: 66 },
                    { bar: 58 },
                ]),
            }, {
                title: t`Load this page again`,
                words: t`Step 1 is then ticked by itself. Chrome and Edge may have to be quit and opened once.`,
            },
        ],
        compare: t`In Keychain Access: double-click Tandem, open Details. It is at the end, called SHA-256.`,
        undo: t`Keychain Access, login, Certificates, Tandem, Delete.`,
    };
}

function windows(authority) {
    return {
        lead: t`Windows has a list of whom it trusts. Chrome, Edge and Firefox all look there.`,
        steps: [
            {
                title: t`Load the certificate, and open it`,
                words: t`Windows shows it in a small window. Click Install Certificate.`,
                download: { word: t`Load the certificate`, href: authority.certificate, file: "tandem-authority.crt" },
                picture: picture("window", t`Certificate`, [
                    { head: "Tandem" }, { bar: 70 },
                    { buttons: [t`Install Certificate…`, "OK"], tap: t`Install Certificate…` },
                ]),
            }, {
                title: t`Current User, then Next`,
                words: t`It is then trusted for your own account, and for nobody else’s.`,
                picture: picture("window", t`Certificate Import Wizard`, [
                    { text: t`Current User`, tap: true, plain: true }, { text: t`Local Machine`, plain: true },
                ]),
            }, {
                title: t`Place it in Trusted Root Certification Authorities`,
                words: t`Choose “Place all certificates in the following store”, Browse, and that name. Left to choose for itself, Windows takes the wrong one.`,
                picture: picture("window", t`Select Certificate Store`, [
                    { bar: 30 }, { text: t`Trusted Root Certification Authorities`, tap: true, plain: true },
                    { bar: 44 },
                ]),
            }, {
                title: t`Finish, and say Yes`, words: t`Then quit the browser once, and open this page anew.`,
                picture: picture("window", t`Security Warning`, [
                    { bar: 84 }, { bar: 60 }, { buttons: [t`Yes`, t`No`], tap: t`Yes` },
                ]),
            },
        ],
        compare: t`Windows shows a shorter number, the thumbprint. For this one, in a terminal:`,
        code: "certutil -hashfile Downloads\\tandem-authority.crt SHA256", // not shown: a command
        undo: t`certmgr.msc, Trusted Root Certification Authorities, Certificates, Tandem, Delete.`,
    };
}

function linux(authority) {
    return {
        lead: t`Chrome and browsers like it keep a list of their own, beside the system’s.`,
        steps: [
            {
                title: t`Load the certificate`, words: t`In the form that Linux likes, PEM.`,
                download: { word: t`Load the certificate`, href: authority.pem, file: "tandem-authority.pem" },
                picture: picture("window", t`Downloads`, [
                    { bar: 44 }, { text: "tandem-authority.pem", icon: "download", plain: true }, { bar: 52 },
                ]),
            }, {
                title: t`Open Chrome’s settings`,
                words: t`Open chrome://certificate-manager, Your certificates or Custom, Trusted certificates, Import, and pick the file.`,
                picture: picture("window", "chrome://certificate-manager", [
                    { bar: 40 }, { text: t`Trusted certificates`, value: t`Import`, tap: true }, { bar: 52 },
                ], { address: true }),
            }, {
                title: t`Or in a terminal`,
                words: t`The same for Chrome and all browsers like it in this account (certutil is in libnss3-tools):`,
                code: 'certutil -d sql:"$HOME/.pki/nssdb" -A -t C,, -n tandem -i ~/Downloads/tandem-authority.pem',
            }, {
                title: t`For programs such as curl`, words: t`On Debian and systems like it, for the whole machine:`,
                code: "sudo cp ~/Downloads/tandem-authority.pem /usr/local/share/ca-certificates/tandem.crt " // not shown: a command
                    + "&& sudo update-ca-certificates",
            }, {
                title: t`Load this page again`,
                words: t`Quit the browser once before that. Step 1 is then ticked by itself.`,
            },
        ],
        compare: t`In a terminal:`,
        code: "openssl x509 -in ~/Downloads/tandem-authority.pem -noout -fingerprint -sha256", // not shown: a command
        undo: 'certutil -d sql:"$HOME/.pki/nssdb" -D -n tandem',
    };
}

function firefox(authority) {
    return {
        lead: t`Firefox has a list of its own. On Windows and Mac it also takes what the system trusts.`,
        steps: [
            {
                title: t`Load the certificate`,
                words: t`Firefox may ask at once what to trust it for: then tick websites, and you are done.`,
                download: { word: t`Load the certificate`, href: authority.certificate },
                picture: picture("window", t`Downloading Certificate`, [
                    { bar: 72 }, { text: t`Trust this CA to identify websites`, on: true, tap: true },
                    { buttons: [t`Cancel`, "OK"], tap: "OK" },
                ]),
            }, {
                title: t`Otherwise: Settings, Privacy & Security`,
                words: t`At the end, under Certificates, click View Certificates.`,
                picture: picture("window", "about:preferences", [
                    { bar: 36 }, { text: t`View Certificates…`, tap: true }, { bar: 50 },
                ], { address: true }),
            }, {
                title: t`Authorities, Import`,
                words: t`If it was saved as a file: pick it, tick “Trust this CA to identify websites”, and OK.`,
                picture: picture("window", t`Certificate Manager`, [
                    { text: t`Authorities`, plain: true }, { bar: 48 },
                    { buttons: [t`View…`, t`Import…`], tap: t`Import…` },
                ]),
            }, {
                title: t`Load this page again`, words: t`Step 1 is then ticked by itself.`,
            },
        ],
        compare: t`In the Certificate Manager: Authorities, Tandem, View. It is called SHA-256 there.`,
        undo: t`Certificate Manager, Authorities, Tandem, Delete or Distrust.`,
    };
}
