import { bytesOfURL, urlTextOf } from "../engine/base64.js";
import { Problem } from "./problem.js";
import { t } from "../language/text.js";

// What the hub and the browser say to each other of passkeys is passed on here, and not judged (Web Authentication Level 3, 5.1).

/** Whether this browser has passkeys, and this page may use them. */
export const hasPasskeys = () => isSecureContext && typeof PublicKeyCredential === "function";

/** Whether the browser offers passkeys in the field of a sign-in. */
export async function offersInFields() {
    if (!hasPasskeys()) return false;
    const known = /** @type {{isConditionalMediationAvailable?: () => Promise<boolean>}} */ (PublicKeyCredential);
    return await known.isConditionalMediationAvailable?.() === true;
}

/**
 * Has the browser make a passkey.
 * @param {Passkeys.CreationOptions} options  the hub's
 * @returns {Promise<Passkeys.NewPasskey["credential"]>}  for the hub
 */
export async function makePasskey(options) {
    const { challenge, user, excludeCredentials } = options;
    const made = await asked(() => navigator.credentials.create({
        publicKey: {
            ...options, challenge: bytesOfURL(challenge), user: { ...user, id: bytesOfURL(user.id) },
            excludeCredentials: excludeCredentials.map((one) => ({
                ...one, id: bytesOfURL(one.id), transports: /** @type {AuthenticatorTransport[]} */ (one.transports),
            })),
        },
    }));
    const response = /** @type {AuthenticatorAttestationResponse} */ (made.response);
    return {
        response: {
            clientDataJSON: text(response.clientDataJSON), attestationObject: text(response.attestationObject),
            transports: response.getTransports?.() ?? [],
        },
    };
}

/**
 * Has the browser use a passkey.
 * @param {Passkeys.RequestOptions} options  the hub's
 * @param {{signal: AbortSignal, isInField?: boolean}} how  `isInField`: it is offered in the field of the sign-in alone, and not asked for
 * @returns {Promise<Passkeys.UsedPasskey>}  for the hub
 */
export async function usePasskey(options, { signal, isInField = false }) {
    const used = await asked(() => navigator.credentials.get({
        signal, mediation: isInField ? "conditional" : "optional",
        publicKey: { ...options, challenge: bytesOfURL(options.challenge) },
    }));
    const response = /** @type {AuthenticatorAssertionResponse} */ (used.response);
    return {
        id: text(used.rawId),
        response: {
            clientDataJSON: text(response.clientDataJSON), authenticatorData: text(response.authenticatorData),
            signature: text(response.signature), userHandle: response.userHandle ? text(response.userHandle) : undefined,
        },
    };
}

const text = (/** @type {ArrayBuffer} */ buffer) => urlTextOf(new Uint8Array(buffer));

/** @param {() => Promise<Credential?>} ask @returns {Promise<PublicKeyCredential>} */
async function asked(ask) {
    try {
        const answer = await ask();
        if (answer instanceof PublicKeyCredential) return answer;
        throw new DOMException("", "NotAllowedError");
    } catch (error) {
        throw problemOf(error);
    }
}

/** What is said of an error of the browser's own, which has one name for many reasons (14.5.1). */
function problemOf(error) {
    if (!(error instanceof DOMException)) return error;
    if (error.name === "AbortError") return error;
    if (error.name === "InvalidStateError") {
        return new Problem(409, { title: t`There is one already`, detail: t`This device has a passkey of yours for this hub already.` });
    }
    return new Problem(400, {
        title: t`No passkey`,
        detail: t`The browser’s question was closed, or nobody answered it. If it asked nothing at all, this device does not trust the hub’s certificate yet.`,
    });
}
