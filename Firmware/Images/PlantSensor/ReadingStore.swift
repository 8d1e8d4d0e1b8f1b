import Board
import DeviceHAL
import DeviceParts
import Wire

/// A measurement of the probe.
struct Reading {
    /// Raw counts.
    var capacitance: UInt16
    /// Tenths of a degree Celsius.
    var decicelsius: Int16
    /// When it was measured.
    var time: Moment.Time
}

/// The readings in the flash memory, in a ring of pages that are erased equally often; and up to which the hub has them.
///
/// A reading that was measured before the hub said the time has the seconds since the start, and the number of the start: in the
/// same run its time is found later. Of an earlier run nobody knows it any more, and it is passed over.
struct ReadingStore {
    private enum Kind {
        static var reading: UInt8 { 1 }
        /// The hub has all up to its number.
        static var sent: UInt8 { 2 }
        /// The sensor was switched on.
        static var start: UInt8 { 3 }
    }

    private var log: PageLog
    /// The number of the newest reading.
    private(set) var newest: UInt32 = 0
    /// The number of the newest reading that the hub has.
    private(set) var sent: UInt32 = 0
    /// The number of this start.
    private var run: UInt32 = 0
    /// Whether the memory failed, so that readings are lost.
    private(set) var isFaulty = false

    /// A store over pages of the memory.
    init(firstPage: Int, pages: Int, pageSize: Int) {
        log = PageLog(firstPage: firstPage, pages: pages, mark: UInt8(ascii: "R"), pageSize: pageSize)
    }

    /// Whether the hub does not have all.
    var hasUnsent: Bool { newest > sent }

    /// Notes that the memory failed.
    mutating func fault() { isFaulty = true }

    /// Finds what is stored, and notes that a run begins.
    mutating func mount(_ memory: inout Flash) throws(FlashError) {
        try log.mount(&memory)
        var record: PageLog.Record?
        if let place = log.oldest { record = try log.first(from: place, &memory) }
        while let found = record {
            switch found.kind {
            case Kind.reading: newest = max(newest, found.number)
            case Kind.sent: sent = max(sent, found.number)
            case Kind.start: run = max(run, found.number)
            default: break
            }
            record = try log.next(after: found, &memory)
        }
        newest = max(newest, sent)
        run += 1
        try write(Kind.start, run, FixedBytes<13>(), &memory)
    }

    /// Stores a reading; once this returns it is kept.
    mutating func append(_ reading: Reading, _ memory: inout Flash) throws(FlashError) {
        var bytes = FixedBytes<13>()
        bytes.put(reading.capacitance)
        bytes.put(UInt16(bitPattern: reading.decicelsius))
        bytes.put(reading.time.seconds)
        bytes.append(reading.time.isKnown ? 1 : 0)
        bytes.put(run)
        try write(Kind.reading, newest + 1, bytes, &memory)
        newest += 1
    }

    /// Notes that the hub has all readings up to a number.
    mutating func markSent(_ number: UInt32, _ memory: inout Flash) throws(FlashError) {
        guard number > sent else { return }
        try write(Kind.sent, number, FixedBytes<13>(), &memory)
        sent = number
    }

    /// The oldest reading above a number of which the time is known, with its number and its seconds since 1970.
    func next(above number: UInt32, _ moment: Moment, _ memory: inout Flash) throws(FlashError)
        -> (number: UInt32, seconds: UInt32, reading: Reading)?
    {
        guard let place = log.oldest else { return nil }
        var record = try log.first(from: place, &memory)
        while let found = record {
            if found.kind == Kind.reading, found.number > number {
                let (reading, run) = try decode(found, &memory)
                if reading.time.isKnown || run == self.run, let seconds = moment.known(reading.time) {
                    return (found.number, seconds, reading)
                }
            }
            record = try log.next(after: found, &memory)
        }
        return nil
    }

    private func decode(_ record: PageLog.Record, _ memory: inout Flash) throws(FlashError) -> (Reading, UInt32) {
        var bytes = InlineArray<13, UInt8>(repeating: 0)
        try memory.read(into: &bytes, at: record.content.lowerBound)
        func word(_ place: Int) -> UInt32 {
            UInt32(bytes[place]) | UInt32(bytes[place + 1]) << 8 | UInt32(bytes[place + 2]) << 16
                | UInt32(bytes[place + 3]) << 24
        }
        let reading = Reading(
            capacitance: UInt16(bytes[0]) | UInt16(bytes[1]) << 8,
            decicelsius: Int16(bitPattern: UInt16(bytes[2]) | UInt16(bytes[3]) << 8),
            time: Moment.Time(seconds: word(4), isKnown: bytes[8] == 1))
        return (reading, word(9))
    }

    private mutating func write(_ kind: UInt8, _ number: UInt32, _ content: FixedBytes<13>, _ memory: inout Flash)
        throws(FlashError)
    {
        if log.needsPage(forBytes: content.count, memory) { try log.openPage(&memory) }
        try content.withBytes { (bytes) throws(FlashError) in
            _ = try log.append(kind: kind, number: number, content: bytes, &memory)
        }
    }
}
