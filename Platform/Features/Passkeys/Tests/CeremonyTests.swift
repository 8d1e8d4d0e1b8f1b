import Crypto
import Testing

@testable import Passkeys

@Suite("WebAuthn 7.1 and 7.2, clause by clause")
struct CeremonyTests {
    private let challenge = [UInt8](repeating: 3, count: 32)
    private var expected: CeremonyExpectation {
        CeremonyExpectation(
            challenge: challenge, origin: "https://linden.local:8443", relyingParty: "linden.local")
    }

    private func reason(_ answer: Registration) -> WebAuthnError? {
        do throws(WebAuthnError) {
            _ = try answer.checked(expected)
            return nil
        } catch {
            return error
        }
    }

    private func reason(_ answer: Assertion, by authenticator: SoftwareAuthenticator, counted: UInt32 = 0)
        -> WebAuthnError?
    {
        do throws(WebAuthnError) {
            _ = try answer.checked(
                Assertion.Known(publicKey: authenticator.coseKey, user: authenticator.user, signCount: counted),
                expected)
            return nil
        } catch {
            return error
        }
    }

    // MARK: A passkey is made

    @Test("A passkey that was asked for is taken, with its name, key and counter")
    func made() throws {
        var authenticator = SoftwareAuthenticator()
        authenticator.signCount = 5
        authenticator.isBackupEligible = true
        let made = try authenticator.make(challenge).checked(expected)
        #expect(made.id == authenticator.id && made.publicKey == authenticator.coseKey)
        #expect(made.signCount == 5 && made.isBackupEligible && !made.isBackedUp)
    }

    @Test("7.1, 7: an answer of a use is none of a registration")
    func madeType() {
        let authenticator = SoftwareAuthenticator()
        var answer = authenticator.make(challenge)
        answer.clientData = authenticator.clientData("webauthn.get", challenge)
        #expect(reason(answer) == .type)
    }

    @Test("7.1, 8: another challenge is refused")
    func madeChallenge() { #expect(reason(SoftwareAuthenticator().make([1, 2, 3])) == .challenge) }

    @Test(
        "7.1, 9: a page of another origin is refused, also of another port or without TLS",
        arguments: [
            "https://linden.example", "https://linden.local", "http://linden.local:8443", "https://evil.local:8443", "",
        ])
    func madeOrigin(origin: String) {
        var authenticator = SoftwareAuthenticator()
        authenticator.origin = origin
        #expect(reason(authenticator.make(challenge)) == .origin)
    }

    @Test(
        "A page within another's page is refused (Level 3, 7.1)",
        arguments: [#","crossOrigin":true"#, #","topOrigin":"https://evil.example""#])
    func madeCrossOrigin(more: String) {
        #expect(reason(SoftwareAuthenticator().make(challenge, more: more)) == .origin)
    }

    @Test("Members of client data that nobody knows yet are no fault (5.8.1)")
    func madeMore() {
        #expect(reason(SoftwareAuthenticator().make(challenge, more: #","crossOrigin":false,"new":{"a":[1]}"#)) == nil)
    }

    @Test("7.1, 13: a passkey of another name is refused")
    func madeRelyingParty() {
        var authenticator = SoftwareAuthenticator()
        authenticator.relyingParty = "local"
        #expect(reason(authenticator.make(challenge)) == .relyingParty)
    }

    @Test("7.1, 14 and 15: nobody touched the device, or it did not look who it is")
    func madeUser() {
        var authenticator = SoftwareAuthenticator()
        authenticator.isUserVerified = false
        #expect(reason(authenticator.make(challenge)) == .userVerification)
        authenticator.isUserPresent = false
        #expect(reason(authenticator.make(challenge)) == .userPresence)
    }

    @Test("A copy of what may not be copied is refused (Level 3, 6.1.3)")
    func madeBackup() {
        var authenticator = SoftwareAuthenticator()
        authenticator.isBackedUp = true
        #expect(reason(authenticator.make(challenge)) == .backup)
    }

    @Test("7.1, 16: a key of a kind that was not asked for is refused")
    func madeAlgorithm() {
        let authenticator = SoftwareAuthenticator()
        var answer = authenticator.make(challenge)
        // ES384 is -35.
        let data = authenticator.authenticatorData(credential: true)
        let key = authenticator.coseKey
        let other = Array(key[..<4]) + [0x38, 0x22] + Array(key[5...])
        answer.attestation = authenticator.attestation(
            "none", statement: [0xA0], authenticatorData: Array(data.dropLast(key.count)) + other)
        #expect(reason(answer) == .algorithm)
    }

    @Test("7.1, 19: no attestation has no statement (8.7)")
    func madeNoneWithStatement() {
        let authenticator = SoftwareAuthenticator()
        var answer = authenticator.make(challenge)
        answer.attestation = authenticator.attestation(
            "none", statement: [0xA1, 0x61, 0x61, 1],
            authenticatorData: authenticator.authenticatorData(credential: true))
        #expect(reason(answer) == .attestation)
    }

    @Test(
        "7.1, 19: a passkey that attests itself is taken, and refused if another key has signed or the kind differs (8.2)"
    )
    func madePacked() throws {
        let authenticator = SoftwareAuthenticator()
        #expect(reason(try authenticator.makePacked(challenge)) == nil)
        #expect(reason(try authenticator.makePacked(challenge, with: P256.Signing.PrivateKey())) == .attestation)
        #expect(reason(try authenticator.makePacked(challenge, algorithm: 0x27)) == .attestation)
    }

    @Test("What a maker attests is as good as nothing")
    func madeOther() {
        let authenticator = SoftwareAuthenticator()
        var answer = authenticator.make(challenge)
        answer.attestation = authenticator.attestation(
            "apple", statement: [0xA0], authenticatorData: authenticator.authenticatorData(credential: true))
        #expect(reason(answer) == nil)
    }

    @Test("An answer without a passkey in it is none")
    func madeNothing() {
        let authenticator = SoftwareAuthenticator()
        var answer = authenticator.make(challenge)
        answer.attestation = authenticator.attestation(
            "none", statement: [0xA0], authenticatorData: authenticator.authenticatorData(credential: false))
        #expect(reason(answer) == .malformed)
    }

    @Test("Any piece of an answer is refused, and none ends the hub")
    func madePieces() {
        let whole = SoftwareAuthenticator().make(challenge)
        for length in whole.attestation.indices {
            var answer = whole
            answer.attestation = Array(whole.attestation[..<length])
            #expect(reason(answer) == .malformed)
        }
        for length in whole.clientData.indices {
            var answer = whole
            answer.clientData = Array(whole.clientData[..<length])
            #expect(reason(answer) == .malformed)
        }
    }

    @Test("Client data and attestations beyond their limits are not read")
    func madeTooLong() {
        let authenticator = SoftwareAuthenticator()
        let long = String(repeating: "a", count: ClientData.longest)
        #expect(reason(authenticator.make(challenge, more: #","x":"\#(long)""#)) == .malformed)
        var answer = authenticator.make(challenge)
        answer.attestation = authenticator.attestation(
            "none",
            statement: [0xA1] + SoftwareAuthenticator.text("x")
                + SoftwareAuthenticator.bytes(
                    [UInt8](repeating: 0, count: AttestationObject.longest)),
            authenticatorData: authenticator.authenticatorData(credential: true))
        #expect(reason(answer) == .malformed)
    }

    @Test(
        "The name of a passkey has 1 to 1023 bytes",
        arguments: [(0, WebAuthnError.malformed), (1, nil), (1_023, nil), (1_024, .malformed)])
    func madeName(length: Int, error: WebAuthnError?) {
        var authenticator = SoftwareAuthenticator()
        authenticator.id = [UInt8](repeating: 1, count: length)
        #expect(reason(authenticator.make(challenge)) == error)
    }

    // MARK: A passkey is used

    @Test("A passkey that was made opens its account")
    func used() throws {
        var authenticator = SoftwareAuthenticator()
        authenticator.user = [1, 2]
        authenticator.signCount = 9
        let used = try authenticator.use(challenge).checked(
            Assertion.Known(publicKey: authenticator.coseKey, user: [1, 2], signCount: 8), expected)
        #expect(used == Assertion.Used(signCount: 9, isBackedUp: false))
    }

    @Test("7.2, 11: an answer of a registration is none of a use")
    func usedType() throws {
        let authenticator = SoftwareAuthenticator()
        #expect(reason(try authenticator.use(challenge, type: "webauthn.create"), by: authenticator) == .type)
    }

    @Test("7.2, 12: another challenge is refused")
    func usedChallenge() throws {
        let authenticator = SoftwareAuthenticator()
        #expect(reason(try authenticator.use([4]), by: authenticator) == .challenge)
    }

    @Test("7.2, 13: a passkey used at a page of another origin is refused")
    func usedOrigin() throws {
        var authenticator = SoftwareAuthenticator()
        authenticator.origin = "https://linden.local.evil.example:8443"
        #expect(reason(try authenticator.use(challenge), by: authenticator) == .origin)
    }

    @Test("A use within another's page is refused (Level 3, 7.2)")
    func usedCrossOrigin() throws {
        let authenticator = SoftwareAuthenticator()
        #expect(reason(try authenticator.use(challenge, more: #","crossOrigin":true"#), by: authenticator) == .origin)
    }

    @Test("7.2, 15: a passkey of another name is refused")
    func usedRelyingParty() throws {
        var authenticator = SoftwareAuthenticator()
        authenticator.relyingParty = "evil.example"
        #expect(reason(try authenticator.use(challenge), by: authenticator) == .relyingParty)
    }

    @Test("7.2, 16 and 17: nobody touched the device, or it did not look who it is")
    func usedUser() throws {
        var authenticator = SoftwareAuthenticator()
        authenticator.isUserVerified = false
        #expect(reason(try authenticator.use(challenge), by: authenticator) == .userVerification)
        authenticator.isUserPresent = false
        #expect(reason(try authenticator.use(challenge), by: authenticator) == .userPresence)
    }

    @Test("7.2, 6: a passkey that names another account is refused")
    func usedUserHandle() throws {
        var authenticator = SoftwareAuthenticator()
        authenticator.user = [1]
        var answer = try authenticator.use(challenge)
        answer.user = [2]
        #expect(reason(answer, by: authenticator) == .user)
        answer.user = []
        #expect(reason(answer, by: authenticator) == .user)
    }

    @Test("7.2, 20: the signature of another key is refused, and one of other bytes")
    func usedSignature() throws {
        let authenticator = SoftwareAuthenticator()
        var other = authenticator
        other.key = P256.Signing.PrivateKey()
        #expect(reason(try other.use(challenge), by: authenticator) == .signature)
        var answer = try authenticator.use(challenge)
        answer.authenticatorData[36] ^= 1
        #expect(reason(answer, by: authenticator) == .signature)
        answer = try authenticator.use(challenge)
        answer.clientData += [0x20]
        #expect(reason(answer, by: authenticator) == .signature)
        answer = try authenticator.use(challenge)
        answer.signature = []
        #expect(reason(answer, by: authenticator) == .signature)
    }

    @Test(
        "7.2, 21: a counter goes on, or was never there",
        arguments: [
            (UInt32(0), UInt32(0), nil), (0, 1, nil), (7, 8, nil), (7, 7, WebAuthnError.counter), (7, 6, .counter),
            (7, 0, .counter), (.max, 0, .counter),
        ])
    func usedCounter(stored: UInt32, counted: UInt32, error: WebAuthnError?) throws {
        var authenticator = SoftwareAuthenticator()
        authenticator.signCount = counted
        #expect(reason(try authenticator.use(challenge), by: authenticator, counted: stored) == error)
    }

    @Test("Any piece of what the authenticator says is refused, and none ends the hub")
    func usedPieces() throws {
        let authenticator = SoftwareAuthenticator()
        let whole = try authenticator.use(challenge)
        for length in whole.authenticatorData.indices {
            var answer = whole
            answer.authenticatorData = Array(whole.authenticatorData[..<length])
            #expect(reason(answer, by: authenticator) == .malformed)
        }
    }
}
