import Wire

/// Bytes with the checksum that belongs behind them.
public func sealed(_ bytes: [UInt8]) -> [UInt8] {
    var bytes = bytes
    Seal.close(&bytes)
    return bytes
}

/// Bytes after a change: forged, so that nothing in them says that they were changed.
public func changed(_ bytes: [UInt8], _ change: (inout [UInt8]) -> Void) -> [UInt8] {
    var bytes = bytes
    change(&bytes)
    return bytes
}

/// What every codec has to withstand. Random by seed, bounded by count; each check says in words
/// what it found wrong, and nothing where all is well.
public struct ForeignBytesFuzz {
    private let mark: [UInt8]
    private let isSealed: Bool
    private let body: (inout SeededGenerator) throws -> [UInt8]
    private let isAccepted: ([UInt8]) -> Bool

    /// - Parameters:
    ///   - mark: with the version, the first bytes of all that is written.
    ///   - isSealed: whether a checksum belongs behind what is written.
    ///   - body: something that was written, without a checksum.
    ///   - isAccepted: whether bytes are read; uses what is read, so that what can trap does.
    public init(
        mark: [UInt8], isSealed: Bool = true, body: @escaping (inout SeededGenerator) throws -> [UInt8],
        isAccepted: @escaping ([UInt8]) -> Bool
    ) {
        self.mark = mark
        self.isSealed = isSealed
        self.body = body
        self.isAccepted = isAccepted
    }

    private func written(_ body: [UInt8]) -> [UInt8] { isSealed ? sealed(body) : body }

    /// Bytes that nobody wrote: bare, with a checksum, and with the mark in front as well.
    public func noise(seed: UInt64, rounds: Int) -> [String] {
        print("fuzz seed \(seed)")
        var random = SeededGenerator(seed: seed)
        var wrong: [String] = []
        for _ in 0..<rounds {
            let noise = (0..<Int.random(in: 0...200, using: &random)).map { _ in
                UInt8.random(in: 0...255, using: &random)
            }
            for bytes in [noise, sealed(noise), written(mark + noise)] where isAccepted(bytes) {
                wrong.append("noise was accepted: \(bytes)")
            }
        }
        return wrong
    }

    /// What was written and sealed is read; changed on its way, cut off or with something behind it, it is not.
    public func damage(seed: UInt64, rounds: Int) throws -> [String] {
        print("fuzz seed \(seed)")
        var random = SeededGenerator(seed: seed)
        var wrong: [String] = []
        for _ in 0..<rounds {
            let bytes = sealed(try body(&random))
            if !isAccepted(bytes) { wrong.append("refused as it was written: \(bytes)") }
            // One run of up to 32 bits, which a CRC-32 always finds.
            var damaged = bytes
            let place = Int.random(in: 0..<bytes.count, using: &random)
            for index in place..<min(place + Int.random(in: 1...4, using: &random), bytes.count) {
                damaged[index] ^= UInt8.random(in: 1...255, using: &random)
            }
            if isAccepted(damaged) { wrong.append("accepted with damage at \(place): \(bytes)") }
            if isAccepted(bytes + bytes.prefix(Int.random(in: 1...9, using: &random))) {
                wrong.append("accepted with more behind it: \(bytes)")
            }
            let count = Int.random(in: 0..<bytes.count, using: &random)
            if isAccepted(Array(bytes.prefix(count))) { wrong.append("accepted cut off at \(count): \(bytes)") }
        }
        return wrong
    }

    /// What was sealed is refused cut off anywhere, with the checksum that belongs to what is left as well.
    public func cuts(seed: UInt64, rounds: Int) throws -> [String] {
        print("fuzz seed \(seed)")
        var random = SeededGenerator(seed: seed)
        var wrong: [String] = []
        for _ in 0..<rounds {
            let body = try body(&random)
            let bytes = sealed(body)
            for count in bytes.indices {
                let rest = Array(bytes.prefix(count))
                if isAccepted(rest) || count < body.count && isAccepted(sealed(rest)) {
                    wrong.append("accepted cut off at \(count): \(bytes)")
                }
            }
        }
        return wrong
    }

    /// Plays forgeries, which have the checksum that belongs to them where one does: each is refused, or can be used.
    ///
    /// - Parameter special: bytes that mean something to the codec.
    /// - Returns: how many were accepted; few, where the forging is too coarse to find anything.
    public func forgeries(seed: UInt64, rounds: Int, special: [UInt8]) throws -> Int {
        print("fuzz seed \(seed)")
        var random = SeededGenerator(seed: seed)
        var accepted = 0
        for _ in 0..<rounds {
            var body = try body(&random)
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                let place = Int.random(in: mark.count..<body.count, using: &random)
                let run = place..<min(place + 8, body.count)
                switch Int.random(in: 0..<5, using: &random) {
                case 0: body[place] = special.randomElement(using: &random) ?? 0
                case 1: body[place] = UInt8.random(in: 0...255, using: &random)
                case 2: for index in run { body[index] = index % 2 == 0 ? 0xFF : 0x7F }
                case 3: for index in run { body[index] = 0x80 }
                default: body.swapAt(place, Int.random(in: mark.count..<body.count, using: &random))
                }
            }
            if isAccepted(written(body)) { accepted += 1 }
        }
        return accepted
    }
}
