import Crypto
import CryptoExtras
import Foundation

/// Password hashes as they are stored: scrypt (RFC 7914), each with its own salt.
public enum PasswordHash {
    private static let hashBytes = 32

    /// The hash of a password as one line: `scrypt$N$r$p$salt$hash`, the last two in base64.
    public static func make(_ password: String, cost: PasswordCost) throws -> Data {
        let salt = SymmetricKey(size: .bits128).withUnsafeBytes { Data($0) }
        let hash = try derive(password, salt: salt, cost: cost)
        let parts = [
            "scrypt", "\(cost.rounds)", "\(cost.blockSize)", "\(cost.parallelism)", salt.base64EncodedString(),
            hash.base64EncodedString(),
        ]
        return Data(parts.joined(separator: "$").utf8)
    }

    /// Whether a hash was made of a password. False for anything that is not such a hash.
    public static func matches(_ password: String, _ stored: Data) -> Bool {
        let parts = String(decoding: stored, as: UTF8.self).split(separator: "$")
        guard parts.count == 6, parts[0] == "scrypt", let rounds = Int(parts[1]), let blockSize = Int(parts[2]),
            let parallelism = Int(parts[3]), let salt = Data(base64Encoded: String(parts[4])),
            let hash = Data(base64Encoded: String(parts[5])),
            let derived = try? derive(
                password, salt: salt, cost: PasswordCost(rounds: rounds, blockSize: blockSize, parallelism: parallelism)
            )
        else { return false }
        return Secret.areEqual(derived, hash)
    }

    private static func derive(_ password: String, salt: Data, cost: PasswordCost) throws -> Data {
        // The same letters may come composed or decomposed from different keyboards.
        let text = Data(password.precomposedStringWithCanonicalMapping.utf8)
        return try KDF.Scrypt.deriveKey(
            from: text, salt: salt, outputByteCount: hashBytes, rounds: cost.rounds, blockSize: cost.blockSize,
            parallelism: cost.parallelism
        ).withUnsafeBytes { Data($0) }
    }
}
