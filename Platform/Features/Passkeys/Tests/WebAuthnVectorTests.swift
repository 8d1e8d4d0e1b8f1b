import Foundation
import Testing

@testable import Passkeys

/// The W3C's own examples, which another program made.
@Suite("Test vectors of Web Authentication Level 3, section 16")
struct WebAuthnVectorTests {
    struct Vector: CustomTestStringConvertible, Sendable {
        var testDescription: String
        var isGood: Bool
        var parts: [[UInt8]]
    }

    static var vectors: [Vector] {
        get throws {
            let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
                .appendingPathComponent("webauthn-vectors.txt")
            return try String(contentsOf: file, encoding: .utf8).split(separator: "\n").filter { !$0.hasPrefix("#") }
                .map {
                    let words = $0.split(separator: " ")
                    return Vector(
                        testDescription: "section \(words[0])", isGood: words[1] == "good",
                        parts: words.dropFirst(2).map { bytes(String($0)) })
                }
        }
    }

    private func expected(_ challenge: [UInt8], needsUserVerification: Bool = false) -> CeremonyExpectation {
        CeremonyExpectation(
            challenge: challenge, origin: "https://example.org", relyingParty: "example.org",
            needsUserVerification: needsUserVerification)
    }

    private func reason(_ work: () throws -> Void) -> WebAuthnError? {
        do {
            try work()
            return nil
        } catch {
            return error as? WebAuthnError
        }
    }

    @Test("Keys are read, and signatures of each kind verified", arguments: try vectors)
    func vector(_ vector: Vector) throws {
        let registration = Registration(clientData: vector.parts[1], attestation: vector.parts[2])
        let object = try AttestationObject(vector.parts[2])
        let credential = try #require(object.authenticatorData.credential)
        #expect(credential.id == vector.parts[3])
        let assertion = Assertion(
            id: credential.id, clientData: vector.parts[5], authenticatorData: vector.parts[6],
            signature: vector.parts[7], user: [])
        let known = Assertion.Known(publicKey: credential.publicKey, user: [], signCount: 0)
        guard vector.isGood else {
            #expect(reason { _ = try registration.checked(expected(vector.parts[0])) } == .origin)
            #expect(reason { _ = try assertion.checked(known, expected(vector.parts[4])) } == .origin)
            return
        }
        #expect(try registration.checked(expected(vector.parts[0])).id == vector.parts[3])
        #expect(try assertion.checked(known, expected(vector.parts[4])).signCount == 0)
        // None of these uses says that the device looked who it is.
        let strict = expected(vector.parts[4], needsUserVerification: true)
        #expect(reason { _ = try assertion.checked(known, strict) } == .userVerification)
        var forged = assertion
        forged.signature[forged.signature.count - 1] ^= 1
        #expect(reason { _ = try forged.checked(known, expected(vector.parts[4])) } == .signature)
    }

    @Test("A vector’s attestation of itself is refused once a bit of it has turned (16.3)")
    func packedSelf() throws {
        let vector = try #require(try Self.vectors.first { $0.testDescription == "section 16.3" })
        var attestation = vector.parts[2]
        // The last byte of the signature, which stands before `authData`.
        let name = Array("authData".utf8)
        let place = try #require(attestation.indices.first { attestation[$0...].starts(with: name) })
        attestation[place - 2] ^= 1
        let registration = Registration(clientData: vector.parts[1], attestation: attestation)
        #expect(reason { _ = try registration.checked(expected(vector.parts[0])) } == .attestation)
    }
}
