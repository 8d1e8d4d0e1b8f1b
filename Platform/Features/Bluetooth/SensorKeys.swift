import Advertisements
import Crypto
import CryptoExtras
import Foundation
import HubKit

/// The keys of the sensors that encrypt what they broadcast, by their addresses.
struct SensorKeys: Codable, Sendable, Equatable {
    /// 32 hexadecimal digits by address.
    private(set) var keys: [String: String] = [:]

    /// The most keys that are kept.
    static let most = 256

    /// Creates keys, of which there are none.
    init() {}

    /// Reads what is stored.
    static func stored(_ store: SettingsStore) async throws -> SensorKeys {
        guard let text = try await store.get(.bluetooth) else { return SensorKeys() }
        return try JSONDecoder().decode(SensorKeys.self, from: Data(text.utf8))
    }

    /// Stores them.
    func store(_ store: SettingsStore) async throws {
        try await store.set(.bluetooth, String(decoding: try JSONEncoder().encode(self), as: UTF8.self))
    }

    /// Adds a key.
    ///
    /// - Throws: a 422 problem for a text that is no key.
    mutating func add(_ text: String, of address: String) throws(Problem) {
        let digits = text.filter { !$0.isWhitespace && $0 != "-" && $0 != ":" }.lowercased()
        guard Self.bytes(digits)?.count == 16 else {
            throw .field("key", "A key has 32 digits from 0 to 9 and a to f. Copy it from where the sensor was set up.")
        }
        guard keys[address] != nil || keys.count < Self.most else {
            throw .field("key", "The hub keeps \(Self.most) keys, and has as many.")
        }
        keys[address] = digits
    }

    /// The cipher of a sensor; nil where its key is not known.
    subscript(address: String) -> SensorCipher? {
        keys[address].flatMap(Self.bytes).map { SensorCipher(key: $0) }
    }

    private static func bytes(_ digits: String) -> [UInt8]? {
        let digits = Array(digits.utf8)
        guard digits.count.isMultiple(of: 2) else { return nil }
        var bytes: [UInt8] = []
        for index in stride(from: 0, to: digits.count, by: 2) {
            guard let byte = UInt8(String(decoding: digits[index...index + 1], as: UTF8.self), radix: 16) else {
                return nil
            }
            bytes.append(byte)
        }
        return bytes
    }
}

/// AES with the key of one sensor, for the engine, which has no cipher of its own.
struct SensorCipher: BlockCipher, Sendable {
    private let key: SymmetricKey

    /// Creates a cipher.
    ///
    /// - Parameter key: 16 bytes.
    init(key: [UInt8]) { self.key = SymmetricKey(data: key) }

    func encrypt(_ block: inout CipherBlock) {
        var bytes = block.bytes
        // It fails only for a block or a key of another length, and these have theirs.
        guard (try? AES.permute(&bytes, key: key)) != nil, let encrypted = CipherBlock(bytes) else { return }
        block = encrypted
    }
}
