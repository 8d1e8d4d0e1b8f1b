import DeviceHAL
import TriviaToyDevice

/// NOR flash in memory, whose power can be cut at any byte.
public struct FlashModel: FlashMemory, Sendable {
    /// The ways in which it fails.
    public struct Faults: Equatable, Sendable {
        /// After so many more bytes written or pages erased the power is cut: the operation is torn, and nothing works until
        /// ``FlashModel/powerOn()``.
        public var cutAfter: Int?
        /// Writing fails, as with a supply that is too low.
        public var isBrownedOut = false
        /// Reading fails: the memory does not answer.
        public var isUnreadable = false
        /// Cells take no more.
        public var isWornOut = false

        /// No faults.
        public init() {}
    }

    public let pageCount: Int
    public let pageSize: Int
    /// Its faults.
    public var faults = Faults()
    /// Its bytes.
    public private(set) var bytes: [UInt8]
    /// How often each page was erased.
    public private(set) var erasures: [Int]
    /// Bytes that were written and pages that were erased, in all.
    public private(set) var writes = 0
    /// A bit was to be set by a write, which NOR flash cannot: a mistake of the firmware.
    public private(set) var overwrites = 0
    private var isCut = false
    private var randomness: UInt32 = 0x1234_5678

    /// A memory that is erased, or that holds what another one held.
    ///
    /// - Parameter content: the bytes of one of the same size; anything else is an erased memory.
    public init(pageCount: Int, pageSize: Int = 4_096, content: [UInt8] = []) {
        self.pageSize = pageSize
        self.pageCount = pageCount
        let size = pageCount * pageSize
        bytes = content.count == size ? content : [UInt8](repeating: 0xFF, count: size)
        erasures = [Int](repeating: 0, count: pageCount)
    }

    /// The power is back.
    public mutating func powerOn() {
        isCut = false
        faults.cutAfter = nil
    }

    public mutating func read<let count: Int>(into bytes: inout InlineArray<count, UInt8>, at address: Int)
        throws(FlashError)
    {
        guard !isCut, !faults.isUnreadable else { throw .timedOut }
        guard address >= 0, address + count <= self.bytes.count else { throw .outOfRange }
        for index in 0..<count { bytes[index] = self.bytes[address + index] }
    }

    public mutating func program(_ bytes: Span<UInt8>, at address: Int) throws(FlashError) {
        try begin()
        guard address >= 0, address + bytes.count <= self.bytes.count else { throw .outOfRange }
        for index in 0..<bytes.count {
            if cut() {
                // The byte that was being written has some of its bits.
                self.bytes[address + index] &= bytes[index] | random()
                throw .timedOut
            }
            if self.bytes[address + index] & bytes[index] != bytes[index] { overwrites += 1 }
            self.bytes[address + index] &= bytes[index]
            writes += 1
        }
    }

    public mutating func erase(page: Int) throws(FlashError) {
        try begin()
        guard (0..<pageCount).contains(page) else { throw .outOfRange }
        let place = page * pageSize..<(page + 1) * pageSize
        if cut() {
            for index in place { bytes[index] |= random() }
            throw .timedOut
        }
        for index in place { bytes[index] = 0xFF }
        erasures[page] += 1
        writes += 1
    }

    private func begin() throws(FlashError) {
        if isCut { throw .timedOut }
        if faults.isBrownedOut { throw .brownOut }
        if faults.isWornOut { throw .wornOut }
    }

    private mutating func cut() -> Bool {
        guard let left = faults.cutAfter else { return false }
        faults.cutAfter = left - 1
        guard left <= 0 else { return false }
        isCut = true
        return true
    }

    private mutating func random() -> UInt8 {
        randomness ^= randomness << 13
        randomness ^= randomness >> 17
        randomness ^= randomness << 5
        return UInt8(truncatingIfNeeded: randomness)
    }
}
