import DeviceHAL

/// A model of NOR flash in memory, whose power can be cut at any byte.
public struct FlashModel: FlashMemory, Sendable {
    /// The ways in which the memory fails.
    public struct Faults: Equatable, Sendable {
        /// The number of bytes written or pages erased until the power is cut: the operation is torn, and nothing works
        /// until ``FlashModel/powerOn()``.
        public var cutAfter: Int?
        /// Whether writing fails, as with a supply that is too low.
        public var isBrownedOut = false
        /// Whether reading fails: the memory does not answer.
        public var isUnreadable = false
        /// Whether the cells take no more.
        public var isWornOut = false

        /// No faults.
        public init() {}
    }

    /// The number of pages.
    public let pageCount: Int
    /// The bytes of a page.
    public let pageSize: Int
    /// The faults of the memory.
    public var faults = Faults()
    /// The content of the memory.
    public private(set) var bytes: [UInt8]
    /// The number of erasures of each page.
    public private(set) var erasures: [Int]
    /// The number of bytes that were written and pages that were erased, in all.
    public private(set) var writes = 0
    /// The number of writes that were to set a bit, which NOR flash cannot: a mistake of the firmware.
    public private(set) var overwrites = 0
    private var isCut = false
    private var randomness: UInt32 = 0x1234_5678

    /// A memory that is erased, or that has the content of another one.
    ///
    /// - Parameter content: the bytes of one of the same size; anything else is an erased memory.
    public init(pageCount: Int, pageSize: Int = 4_096, content: [UInt8] = []) {
        self.pageSize = pageSize
        self.pageCount = pageCount
        let size = pageCount * pageSize
        bytes = content.count == size ? content : [UInt8](repeating: 0xFF, count: size)
        erasures = [Int](repeating: 0, count: pageCount)
    }

    /// Turns the power on again.
    public mutating func powerOn() {
        isCut = false
        faults.cutAfter = nil
    }

    /// Reads bytes.
    public mutating func read<let count: Int>(into bytes: inout InlineArray<count, UInt8>, at address: Int)
        throws(FlashError)
    {
        guard !isCut, !faults.isUnreadable else { throw .timedOut }
        guard address >= 0, address + count <= self.bytes.count else { throw .outOfRange }
        for index in 0..<count { bytes[index] = self.bytes[address + index] }
    }

    /// Writes bytes, which can only clear bits.
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

    /// Erases a page.
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
