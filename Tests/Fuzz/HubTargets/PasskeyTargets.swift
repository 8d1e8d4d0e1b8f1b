import FuzzTargets

@testable import Passkeys

extension FuzzTarget {
    /// What a browser sends of a passkey.
    static var passkeys: [FuzzTarget] {
        [
            FuzzTarget(
                "passkeys", longestInput: 2_048, dictionary: ["fmt", "attStmt", "authData", "packed", "none", "x5c"],
                seeds: passkeySeeds
            ) { bytes throws(BrokenProperty) in try checkPasskey(bytes) },
            FuzzTarget(
                "client-data", longestInput: 512,
                dictionary: [
                    "\"type\":", "\"challenge\":", "\"origin\":", "\"crossOrigin\":", "webauthn.get", "https://",
                ],
                seeds: [
                    #"{"type":"webauthn.get","challenge":"AQID","origin":"https://a"}"#,
                    #"{"type":"webauthn.create","challenge":"","origin":"","crossOrigin":true,"topOrigin":"b"}"#,
                ].map { Array($0.utf8) }
            ) { bytes throws(BrokenProperty) in try checkClientData(bytes) },
        ]
    }

    /// A byte that says what the others are: CBOR, a key, what an authenticator says, what it attests.
    private static let passkeySeeds: [[UInt8]] = {
        let key: [UInt8] =
            [0xA4, 1, 1, 3, 0x27, 0x20, 6, 0x21, 0x58, 32, 0x44, 0xE0, 0x6D, 0xDD, 0x33, 0x1C, 0x36, 0xA8, 0xDC, 0x66]
            + [
                0x7B, 0xAB, 0x52, 0xBC, 0xAE, 0x63, 0x48, 0x6C, 0x91, 0x6A, 0xA5, 0xE3, 0x39, 0xE6, 0xAC, 0xEB, 0xAA,
                0x84,
            ]
            + [0x93, 0x4B, 0xF8, 0x32]
        let data =
            [UInt8](repeating: 9, count: 32) + [0x45, 0, 0, 0, 1] + [UInt8](repeating: 0, count: 17) + [1, 7] + key
        let attested =
            [0xA3, 0x63] + Array("fmt".utf8) + [0x64] + Array("none".utf8) + [0x67] + Array("attStmt".utf8) + [
                0xA0, 0x68,
            ]
            + Array("authData".utf8) + [0x58, UInt8(data.count)] + data
        return [[0, 0x83, 1, 0x20, 0x61, 0x61], [1] + key, [2] + data, [3] + attested]
    }()

    /// Whatever comes, a value has one form, and what is read is within its bounds.
    private static func checkPasskey(_ input: [UInt8]) throws(BrokenProperty) {
        guard let kind = input.first else { return }
        let bytes = Array(input.dropFirst())
        switch kind % 4 {
        case 0:
            guard let value = try? CBORReader.whole(bytes) else { return }
            try require(written(value) == bytes, "a value has one form")
        case 1: _ = try? COSEKey(bytes).isSigned([1], by: bytes)
        case 2: try check(try? AuthenticatorData(bytes), of: bytes)
        default:
            guard let object = try? AttestationObject(bytes) else { return }
            try check(object.authenticatorData, of: object.writtenData)
            if let credential = object.authenticatorData.credential {
                try? object.checkStatement(of: credential, clientDataHash: [])
            }
        }
    }

    private static func check(_ data: AuthenticatorData?, of bytes: [UInt8]) throws(BrokenProperty) {
        guard let data else { return }
        try require(data.relyingPartyHash == Array(bytes[..<32]), "the name's hash stands first")
        guard let credential = data.credential else { return }
        try require((1...1_023).contains(credential.id.count), "a passkey has a name of its bounds")
        try require((try? COSEKey(credential.publicKey)) != nil, "a key that was read is read again")
    }

    /// The value in the canonical form, written by the rules of RFC 8949, 4.2.1 and CTAP 2.1, 8.
    private static func written(_ value: CBORValue) -> [UInt8] {
        func head(_ major: UInt8, _ argument: UInt64) -> [UInt8] {
            let big = (0..<8).map { UInt8(truncatingIfNeeded: argument >> (56 - 8 * UInt64($0))) }
            return switch argument {
            case ..<24: [major << 5 | UInt8(argument)]
            case ..<0x100: [major << 5 | 24] + big.suffix(1)
            case ..<0x1_0000: [major << 5 | 25] + big.suffix(2)
            case ..<0x1_0000_0000: [major << 5 | 26] + big.suffix(4)
            default: [major << 5 | 27] + big
            }
        }
        switch value {
        case .unsigned(let number): return head(0, number)
        case .negative(let number): return head(1, number)
        case .bytes(let bytes): return head(2, UInt64(bytes.count)) + bytes
        case .text(let text): return head(3, UInt64(text.utf8.count)) + text.utf8
        case .array(let values): return head(4, UInt64(values.count)) + values.flatMap(written)
        case .map(let entries):
            let pairs = entries.map { (key: written($0.key), value: written($0.value)) }.sorted { one, other in
                let kinds = (one.key[0] >> 5, other.key[0] >> 5)
                if kinds.0 != kinds.1 { return kinds.0 < kinds.1 }
                if one.key.count != other.key.count { return one.key.count < other.key.count }
                return one.key.lexicographicallyPrecedes(other.key)
            }
            return head(5, UInt64(pairs.count)) + pairs.flatMap { $0.key + $0.value }
        case .boolean(let isTrue): return [isTrue ? 0xF5 : 0xF4]
        case .null: return [0xF6]
        }
    }

    private static func checkClientData(_ bytes: [UInt8]) throws(BrokenProperty) {
        guard let data = try? ClientData(bytes) else { return }
        try require(data.hash.count == 32, "client data has a hash")
        let foreign = CeremonyExpectation(
            challenge: data.challenge, origin: "https://hub.example", relyingParty: "hub.example")
        if (try? data.check(.get, foreign)) != nil {
            try require(
                String(decoding: bytes, as: UTF8.self).contains("hub.example")
                    || String(decoding: bytes, as: UTF8.self).contains("\\"), "only the hub's own page is its own")
        }
    }
}
