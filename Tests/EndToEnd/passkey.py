"""An authenticator and its browser in software, made of python-fido2, which Yubico wrote and the hub shares nothing with."""

import secrets

from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec, ed25519, padding, rsa
from fido2.cose import ES256, RS256, EdDSA
from fido2.rpid import verify_rp_id
from fido2.utils import sha256, websafe_decode
from fido2.webauthn import (
    Aaguid,
    AttestationObject,
    AttestedCredentialData,
    AuthenticationResponse,
    AuthenticatorAssertionResponse,
    AuthenticatorAttestationResponse,
    AuthenticatorData,
    CollectedClientData,
    PublicKeyCredentialCreationOptions,
    PublicKeyCredentialRequestOptions,
    RegistrationResponse,
)

FLAG = AuthenticatorData.FLAG
SEEN = FLAG.UP | FLAG.UV


def es256():
    key = ec.generate_private_key(ec.SECP256R1())
    return ES256.from_cryptography_key(key.public_key()), lambda message: key.sign(message, ec.ECDSA(hashes.SHA256()))


def eddsa():
    key = ed25519.Ed25519PrivateKey.generate()
    return EdDSA.from_cryptography_key(key.public_key()), key.sign


def rs256():
    key = rsa.generate_private_key(65537, 2048)
    return (
        RS256.from_cryptography_key(key.public_key()),
        lambda message: key.sign(message, padding.PKCS1v15(), hashes.SHA256()),
    )


class Passkey:
    """One passkey, at a page of an origin."""

    def __init__(self, origin, key=es256):
        self.origin = origin
        self.id = secrets.token_bytes(32)
        self.public_key, self.sign = key()
        self.count = 0
        self.user = None

    def made(self, options, attestation="none", flags=SEEN):
        """What the browser answers to the hub's options for a new one, as the hub is sent it."""
        asked = PublicKeyCredentialCreationOptions.from_dict(options)
        assert verify_rp_id(asked.rp.id, self.origin), "a browser refuses a name that is not the page's"
        assert self.public_key.ALGORITHM in [one.alg for one in asked.pub_key_cred_params]
        self.relying_party, self.user = asked.rp.id, asked.user.id
        client = CollectedClientData.create("webauthn.create", asked.challenge, self.origin)
        data = AuthenticatorData.create(
            sha256(self.relying_party.encode()), flags | FLAG.AT, self.count,
            AttestedCredentialData.create(Aaguid.NONE, self.id, self.public_key),
        )  # fmt: skip
        statement = {}
        if attestation == "packed":
            statement = {"alg": self.public_key.ALGORITHM, "sig": self.sign(data + client.hash)}
        answer = RegistrationResponse(
            raw_id=self.id,
            response=AuthenticatorAttestationResponse(
                client_data=client, attestation_object=AttestationObject.create(attestation, data, statement)
            ),
        )
        return dict(answer)

    def used(self, options, flags=SEEN, **changed):
        """What the browser answers to the hub's options for coming in. changed: what is otherwise than it should be."""
        asked = PublicKeyCredentialRequestOptions.from_dict(options)
        name = changed.get("relying_party", asked.rp_id)
        client = CollectedClientData.create(
            changed.get("type", "webauthn.get"), asked.challenge, changed.get("origin", self.origin)
        )
        data = AuthenticatorData.create(sha256(name.encode()), flags, self.count)
        answer = AuthenticationResponse(
            raw_id=self.id,
            response=AuthenticatorAssertionResponse(
                client_data=client, authenticator_data=data, user_handle=changed.get("user", self.user),
                signature=changed.get("sign", self.sign)(data + client.hash),
            ),  # fmt: skip
        )
        return dict(answer)

    @property
    def credential(self):
        """For python-fido2's own verifier."""
        return AttestedCredentialData.create(Aaguid.NONE, self.id, self.public_key)


def challenge_of(options):
    return websafe_decode(options["challenge"])
