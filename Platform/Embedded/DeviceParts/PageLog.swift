import DeviceHAL
import Wire

/// The log of records in a ring of flash pages, which are only appended; when it is full, the oldest page is erased.
/// Every page is erased equally often, and a power cut at any write loses at most the record that was being written.
///
/// A page begins with `TL`, the format (1), the ring's mark, its number in the order of use (4 bytes), and their
/// CRC-32. A record is kind, check, length (2 bytes), number (4 bytes), CRC-32 of these and of the content, content.
/// The check is the sum of the header's other bytes before the CRC, so that a length that was cut off is not believed.
public struct PageLog: Sendable {
    /// The place of a record.
    public struct Place: Equatable, Sendable {
        /// The page, relative to the first of the ring.
        public var page: UInt16
        /// The first byte of the record in its page.
        public var offset: UInt16

        /// A place by its page and its first byte.
        public init(page: UInt16, offset: UInt16) {
            self.page = page
            self.offset = offset
        }
    }

    /// A complete record.
    public struct Record: Equatable, Sendable {
        /// The kind, 0...254.
        public var kind: UInt8
        /// The writer's number.
        public var number: UInt32
        /// The place.
        public var place: Place
        /// The place of its content in the memory.
        public var content: Range<Int>

        /// A record by what is known of it.
        public init(kind: UInt8, number: UInt32, place: Place, content: Range<Int>) {
            self.kind = kind
            self.number = number
            self.place = place
            self.content = content
        }
    }

    static var pageHeader: Int { 12 }
    static var recordHeader: Int { 12 }

    private let firstPage: Int
    private let pages: Int
    private let mark: UInt8
    private let pageSize: Int
    /// The page that is written, relative to the first; nil before ``mount(_:)`` and in an empty memory.
    private var head: Int?
    private var headOffset = 0
    private var headSequence: UInt32 = 0
    /// The number of pages with records, the head among them.
    private var used = 0

    /// A ring over `pages` pages from `firstPage` on, at least 3.
    /// - Parameters:
    ///   - mark: distinguishes it from another ring in the same memory.
    ///   - pageSize: the memory's, bytes; at most 65,535, since places count within a page in 16 bits.
    public init(firstPage: Int, pages: Int, mark: UInt8, pageSize: Int = 4_096) {
        self.firstPage = firstPage
        self.pages = pages
        self.mark = mark
        self.pageSize = pageSize
    }

    /// Finds the written pages. To be called once, before all else.
    public mutating func mount(_ memory: inout some FlashMemory) throws(FlashError) {
        head = nil
        used = 0
        headSequence = 0
        for page in 0..<pages {
            guard let sequence = try sequence(page, &memory) else { continue }
            if head == nil || sequence > headSequence {
                head = page
                headSequence = sequence
            }
        }
        guard let head else { return }
        used = 1
        while used < pages, let sequence = try sequence((head + pages - used) % pages, &memory),
            sequence == headSequence &- UInt32(used)
        { used += 1 }
        headOffset = Self.pageHeader
        while true {
            let (record, next) = try step(Place(page: UInt16(head), offset: UInt16(headOffset)), &memory)
            _ = record
            guard let next else { break }
            headOffset = Int(next.offset)
        }
        // A write that was cut off may have left bits after the last whole record: there nothing can be written.
        if try !isBlank(head, from: headOffset, &memory) { headOffset = memory.pageSize }
    }

    /// The first place of the oldest page; nil if the log is empty.
    public var oldest: Place? {
        guard let head else { return nil }
        return Place(page: UInt16((head + pages - (used - 1)) % pages), offset: UInt16(Self.pageHeader))
    }

    /// Whether an append of a number of bytes opens a page, and whether that costs the oldest one.
    public func needsPage(forBytes count: Int, _ memory: some FlashMemory) -> Bool {
        head == nil || headOffset + Self.recordHeader + count > memory.pageSize
    }

    /// The page that opening another one erases; nil while there are free ones.
    public var pageAboutToBeErased: UInt16? { used == pages ? oldest?.page : nil }

    /// The first whole record at or after a place.
    public func first(from place: Place, _ memory: inout some FlashMemory) throws(FlashError) -> Record? {
        var place = place
        while true {
            let (record, next) = try step(place, &memory)
            if let record { return record }
            if let next {
                place = next
            } else {
                guard Int(place.page) != head else { return nil }
                place = Place(page: UInt16((Int(place.page) + 1) % pages), offset: UInt16(Self.pageHeader))
            }
        }
    }

    /// The first whole record after another.
    public func next(after record: Record, _ memory: inout some FlashMemory) throws(FlashError) -> Record? {
        var place = record.place
        place.offset = UInt16(record.content.upperBound - address(Int(place.page)))
        return try first(from: place, &memory)
    }

    /// Erases the oldest page, unless it is the one that is written.
    public mutating func eraseOldest(_ memory: inout some FlashMemory) throws(FlashError) {
        guard used > 1, let page = oldest?.page else { return }
        used -= 1
        try memory.erase(page: firstPage + Int(page))
    }

    /// Opens the next page, and erases its content.
    public mutating func openPage(_ memory: inout some FlashMemory) throws(FlashError) {
        let page = head.map { ($0 + 1) % pages } ?? 0
        if used == pages { used -= 1 }
        if try !isBlank(page, from: 0, &memory) { try memory.erase(page: firstPage + page) }
        let sequence = headSequence &+ 1
        var header = FixedBytes<12>()
        header.put(text: "TL")
        header.append(1)
        header.append(mark)
        header.put(sequence)
        header.put(checksum(header))
        try program(header, at: address(page), &memory)
        head = page
        headSequence = sequence
        headOffset = Self.pageHeader
        used += 1
    }

    /// Appends a record to the page that is open; ``needsPage(forBytes:_:)`` says whether it fits.
    /// - Returns: the record, once all of it is written.
    @discardableResult
    public mutating func append(
        kind: UInt8, number: UInt32, content: Span<UInt8>, _ memory: inout some FlashMemory
    ) throws(FlashError) -> Record {
        try append(kind: kind, number: number, prefix: content.extracting(0..<0), content: content, &memory)
    }

    /// Appends a record whose content is in two parts.
    @discardableResult
    public mutating func append(
        kind: UInt8, number: UInt32, prefix: Span<UInt8>, content: Span<UInt8>, _ memory: inout some FlashMemory
    ) throws(FlashError) -> Record {
        let count = prefix.count + content.count
        guard let head, headOffset + Self.recordHeader + count <= memory.pageSize else { throw .outOfRange }
        let start = address(head) + headOffset
        var header = FixedBytes<12>()
        header.append(kind)
        header.append(Self.check(kind: kind, count: UInt16(count), number: number))
        header.put(UInt16(count))
        header.put(number)
        var crc = checksum(header)
        for index in 0..<prefix.count { crc = crc32(prefix[index], after: crc) }
        for index in 0..<content.count { crc = crc32(content[index], after: crc) }
        header.put(crc)
        let place = Place(page: UInt16(head), offset: UInt16(headOffset))
        // Whatever becomes of the write, these cells are used.
        headOffset += Self.recordHeader + count
        try program(header, at: start, &memory)
        if prefix.count > 0 { try memory.program(prefix, at: start + Self.recordHeader) }
        if content.count > 0 { try memory.program(content, at: start + Self.recordHeader + prefix.count) }
        return Record(
            kind: kind, number: number, place: place,
            content: start + Self.recordHeader..<start + Self.recordHeader + count)
    }

    // MARK: - Reading

    /// The record at a place, if it is whole; and the place after it, unless the page's records end here.
    private func step(_ place: Place, _ memory: inout some FlashMemory) throws(FlashError) -> (Record?, Place?) {
        let start = address(Int(place.page)) + Int(place.offset)
        let room = memory.pageSize - Int(place.offset) - Self.recordHeader
        guard room >= 0 else { return (nil, nil) }
        var bytes = InlineArray<12, UInt8>(repeating: 0)
        try memory.read(into: &bytes, at: start)
        let count = UInt16(bytes[2]) | UInt16(bytes[3]) << 8
        let number = Self.number(bytes, 4)
        guard bytes[0] != 0xFF, bytes[1] == Self.check(kind: bytes[0], count: count, number: number), Int(count) <= room
        else { return (nil, nil) }
        let content = start + Self.recordHeader..<start + Self.recordHeader + Int(count)
        var crc: UInt32 = 0
        for index in 0..<8 { crc = crc32(bytes[index], after: crc) }
        var offset = content.lowerBound
        var piece = InlineArray<32, UInt8>(repeating: 0)
        while offset < content.upperBound {
            // A read may go on past the record, never past the page.
            let start = min(offset, address(Int(place.page)) + memory.pageSize - 32)
            try memory.read(into: &piece, at: start)
            let end = min(start + 32, content.upperBound)
            for index in offset - start..<end - start { crc = crc32(piece[index], after: crc) }
            offset = end
        }
        let next = Place(page: place.page, offset: place.offset + UInt16(Self.recordHeader) + count)
        guard crc == Self.number(bytes, 8) else { return (nil, next) }
        return (Record(kind: bytes[0], number: number, place: place, content: content), next)
    }

    private func sequence(_ page: Int, _ memory: inout some FlashMemory) throws(FlashError) -> UInt32? {
        var bytes = InlineArray<12, UInt8>(repeating: 0)
        try memory.read(into: &bytes, at: address(page))
        guard bytes[0] == UInt8(ascii: "T"), bytes[1] == UInt8(ascii: "L"), bytes[2] == 1, bytes[3] == mark else {
            return nil
        }
        var crc: UInt32 = 0
        for index in 0..<8 { crc = crc32(bytes[index], after: crc) }
        return crc == Self.number(bytes, 8) ? Self.number(bytes, 4) : nil
    }

    private func isBlank(_ page: Int, from offset: Int, _ memory: inout some FlashMemory) throws(FlashError) -> Bool {
        var offset = offset
        var piece = InlineArray<32, UInt8>(repeating: 0)
        while offset < memory.pageSize {
            let start = min(offset, memory.pageSize - 32)
            try memory.read(into: &piece, at: address(page) + start)
            for index in offset - start..<32 where piece[index] != 0xFF { return false }
            offset = start + 32
        }
        return true
    }

    // MARK: - Bytes

    private func address(_ page: Int) -> Int { (firstPage + page) * pageSize }

    private static func check(kind: UInt8, count: UInt16, number: UInt32) -> UInt8 {
        var sum = kind &+ 0x5A &+ UInt8(truncatingIfNeeded: count) &+ UInt8(truncatingIfNeeded: count >> 8)
        for shift: UInt32 in [0, 8, 16, 24] { sum &+= UInt8(truncatingIfNeeded: number >> shift) }
        return sum
    }

    private static func number(_ bytes: InlineArray<12, UInt8>, _ place: Int) -> UInt32 {
        UInt32(bytes[place]) | UInt32(bytes[place + 1]) << 8 | UInt32(bytes[place + 2]) << 16
            | UInt32(bytes[place + 3]) << 24
    }

    private func checksum(_ bytes: FixedBytes<12>) -> UInt32 {
        var crc: UInt32 = 0
        for index in 0..<bytes.count { crc = crc32(bytes[index], after: crc) }
        return crc
    }

    private func program(_ bytes: FixedBytes<12>, at address: Int, _ memory: inout some FlashMemory) throws(FlashError)
    {
        try bytes.withBytes { (span) throws(FlashError) in try memory.program(span, at: address) }
    }
}
