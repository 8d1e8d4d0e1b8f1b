/// The reason why a message was not opened.
public enum CCMError: Error, Equatable, Sendable {
    /// The nonce, the tag or the message has a length that the mode does not have.
    case parameters
    /// The tag is not that of the message: another key, or bytes that were changed.
    case authentication
}

/// The mode CCM of a block cipher: counter with cipher block chaining message authentication (RFC 3610).
public enum AESCCM {
    /// Opens a message: decrypts it, and checks that it is what was sealed.
    ///
    /// - Parameters:
    ///   - sealed: the encrypted bytes, without the tag.
    ///   - tag: the encrypted authentication field, 4, 6, 8 … 16 bytes.
    ///   - nonce: 7 to 13 bytes.
    ///   - associatedData: bytes that are authenticated and not encrypted, fewer than 65,280.
    ///   - cipher: the block cipher with its key.
    public static func opened<Cipher: BlockCipher>(
        _ sealed: [UInt8], tag: [UInt8], nonce: [UInt8], associatedData: [UInt8] = [], with cipher: Cipher
    ) throws(CCMError) -> [UInt8] {
        try check(count: sealed.count, tagLength: tag.count, nonce, associatedData)
        let message = crypted(sealed, nonce, with: cipher)
        let expected = authentication(message, tagLength: tag.count, nonce, associatedData, with: cipher)
        // Every byte is looked at, so that the time says nothing of where they differ.
        var difference: UInt8 = 0
        for (place, byte) in tag.enumerated() { difference |= byte ^ expected.byte(at: place) }
        guard difference == 0 else { throw .authentication }
        return message
    }

    /// Seals a message, for tests and simulators.
    ///
    /// - Parameters:
    ///   - message: the bytes to encrypt.
    ///   - tagLength: 4, 6, 8 … 16.
    ///   - nonce: 7 to 13 bytes, never the same again with this key.
    ///   - associatedData: bytes that are authenticated and not encrypted, fewer than 65,280.
    ///   - cipher: the block cipher with its key.
    public static func sealed<Cipher: BlockCipher>(
        _ message: [UInt8], tagLength: Int, nonce: [UInt8], associatedData: [UInt8] = [], with cipher: Cipher
    ) throws(CCMError) -> (bytes: [UInt8], tag: [UInt8]) {
        try check(count: message.count, tagLength: tagLength, nonce, associatedData)
        let tag = authentication(message, tagLength: tagLength, nonce, associatedData, with: cipher)
        return (crypted(message, nonce, with: cipher), Array(tag.bytes.prefix(tagLength)))
    }

    /// The lengths that the mode has (section 2).
    private static func check(
        count: Int, tagLength: Int, _ nonce: [UInt8], _ associatedData: [UInt8]
    ) throws(CCMError) {
        guard (4...16).contains(tagLength), tagLength % 2 == 0, (7...13).contains(nonce.count),
            associatedData.count < 0xFF00, nonce.count < 13 || count < 1 << 16
        else { throw .parameters }
    }

    /// A block of flags, nonce and a number (sections 2.2 and 2.3).
    private static func block(flags: Int, _ nonce: [UInt8], number: UInt64) -> CipherBlock {
        var block = CipherBlock(padded: [UInt8(truncatingIfNeeded: flags)] + nonce)
        block.low |= number
        return block
    }

    /// Encrypts or decrypts: the sum of the bytes and the key stream (section 2.3).
    private static func crypted<Cipher: BlockCipher>(
        _ bytes: [UInt8], _ nonce: [UInt8], with cipher: Cipher
    ) -> [UInt8] {
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count)
        var stream = CipherBlock()
        for (index, byte) in bytes.enumerated() {
            if index % 16 == 0 {
                stream = block(flags: 14 - nonce.count, nonce, number: UInt64(index / 16 + 1))
                cipher.encrypt(&stream)
            }
            result.append(byte ^ stream.byte(at: index % 16))
        }
        return result
    }

    /// The encrypted authentication field, of which the tag is the beginning (sections 2.2 and 2.3).
    private static func authentication<Cipher: BlockCipher>(
        _ message: [UInt8], tagLength: Int, _ nonce: [UInt8], _ associatedData: [UInt8], with cipher: Cipher
    ) -> CipherBlock {
        let flags = (associatedData.isEmpty ? 0 : 64) + (tagLength - 2) / 2 * 8 + 14 - nonce.count
        var sum = block(flags: flags, nonce, number: UInt64(message.count))
        cipher.encrypt(&sum)
        if !associatedData.isEmpty {
            let count = associatedData.count
            chain(
                [UInt8(truncatingIfNeeded: count >> 8), UInt8(truncatingIfNeeded: count)] + associatedData, to: &sum,
                with: cipher)
        }
        chain(message, to: &sum, with: cipher)
        var first = block(flags: 14 - nonce.count, nonce, number: 0)
        cipher.encrypt(&first)
        sum ^= first
        return sum
    }

    /// Adds bytes to the chain, the last block filled up with noughts.
    private static func chain<Cipher: BlockCipher>(
        _ bytes: [UInt8], to sum: inout CipherBlock, with cipher: Cipher
    ) {
        var rest = bytes[...]
        while !rest.isEmpty {
            sum ^= CipherBlock(padded: rest)
            rest = rest.dropFirst(16)
            cipher.encrypt(&sum)
        }
    }
}
