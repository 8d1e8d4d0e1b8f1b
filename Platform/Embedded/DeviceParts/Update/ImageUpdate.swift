import BoardImages
import DeviceHAL
import Wire

/// The device's part of an update over the air: it takes an offer, asks for the image part by part, writes it to the slot that does not
/// run, verifies the hub's signature, and has the boot loader try it.
///
/// The device asks, and the hub answers: so that no part comes while a page is erased, and that a lost connection or a restart only
/// means to ask again, from the last whole page on.
public struct ImageUpdate: Sendable {
    /// A part that is wanted.
    public struct Want: Equatable, Sendable {
        /// The number of the offer (``ImageHeader/identity``).
        public var offer: UInt32
        /// The first byte of the part in the file.
        public var offset: Int
    }

    /// The most bytes of a part.
    public static var part: Int { 256 }
    /// The bytes of a part's message before its bytes: where they begin, and their CRC-32, 4 bytes each, the lowest first.
    public static var partHeader: Int { 8 }

    private let slots: ImageSlots
    private let pageSize: Int
    private var record: BootRecord
    /// The header of the image that runs; nil where there is no boot loader that would try another.
    public let running: ImageHeader?
    private var offered: ImageHeader?
    private var offset = 0
    /// Whether an image waits for its try: the board is to be restarted.
    public private(set) var isReady = false

    /// The updates of a board.
    public init(running: ImageHeader?, pageSize: Int) {
        self.running = running
        self.pageSize = pageSize
        slots = ImageSlots(pageSize: pageSize)
        record = BootRecord(pageSize: pageSize)
    }

    /// Finds the state of the slots.
    public mutating func mount(_ memory: inout some FlashMemory) throws(FlashError) { try record.mount(&memory) }

    /// The end of the last update, for the hub.
    public var outcome: BootState.Outcome? { record.state.outcome }
    /// Whether the image that runs is on trial: unless it signs in, the one before comes back.
    public var isOnTrial: Bool { record.state.isTried }
    /// Whether this board can be updated: a boot loader has started it.
    public var isPossible: Bool { running != nil && record.state.active != nil }

    /// Notes that the hub has let this image sign in.
    public mutating func confirm(_ memory: inout some FlashMemory) throws(FlashError) {
        if let running { try record.confirm(running, &memory) }
    }

    /// The part that is wanted next; nil while nothing is.
    public var want: Want? { isReady ? nil : offered.map { Want(offer: $0.identity, offset: offset) } }

    /// Takes an offer, which is the header of an image's file; nothing takes it back.
    /// - Parameter hasKey: whether the hub's key is known.
    public mutating func offer(_ bytes: Span<UInt8>, hasKey: Bool, _ memory: inout some FlashMemory) throws(FlashError)
    {
        offered = nil
        guard bytes.count > 0, let running, isPossible, !isOnTrial else { return }
        let new: ImageHeader
        do throws(ImageFault) {
            new = try ImageHeader(decoding: bytes)
            // One that was tried, or refused, is not taken again: the hub is told how it ended.
            if record.state.outcome?.offer == new.identity { return }
            guard hasKey else { throw .noKey }
            try new.check(mayReplace: running)
        } catch {
            let header = try? ImageHeader(decoding: bytes)
            return try refuse(header?.version ?? ImageVersion(0, 0, 0), header?.identity ?? 0, error, &memory)
        }
        offered = new
        offset = 0
        if let download = record.state.download, download.offer == new.identity,
            Int(download.pages) * pageSize < new.signedSize
        {
            offset = Int(download.pages) * pageSize
        }
    }

    /// Takes the message of a part. One that is not wanted, or was spoilt on the way, changes nothing, and is asked for again.
    /// - Returns: whether it was the one that was wanted.
    public mutating func take(
        _ message: Span<UInt8>, key: InlineArray<32, UInt8>, _ memory: inout some FlashMemory
    ) throws(FlashError) -> Bool {
        guard let offered, let slot = record.state.active.map({ 1 - $0 }), message.count > Self.partHeader else {
            return false
        }
        func number(_ place: Int) -> UInt32 {
            UInt32(message[place]) | UInt32(message[place + 1]) << 8 | UInt32(message[place + 2]) << 16
                | UInt32(message[place + 3]) << 24
        }
        let bytes = message.extracting(Self.partHeader..<message.count)
        guard number(0) == UInt32(offset), bytes.count == min(Self.part, offered.signedSize - offset) else {
            return false
        }
        var crc: UInt32 = 0
        for index in 0..<bytes.count { crc = crc32(bytes[index], after: crc) }
        guard crc == number(4) else { return false }
        if offset == 0, record.state.download != nil {
            // The pages of another image are about to be erased.
            var state = record.state
            state.download = nil
            try record.store(state, &memory)
        }
        try slots.write(bytes, slot, at: offset, &memory)
        offset += bytes.count
        if offset == offered.signedSize {
            try finish(offered, slot, key, &memory)
        } else if offset % pageSize == 0 {
            var state = record.state
            state.download = BootState.Download(offer: offered.identity, pages: UInt8(offset / pageSize))
            try record.store(state, &memory)
        }
        return true
    }

    private mutating func finish(
        _ offered: ImageHeader, _ slot: UInt8, _ key: InlineArray<32, UInt8>, _ memory: inout some FlashMemory
    ) throws(FlashError) {
        guard let header = try slots.whole(slot, &memory), header == offered else {
            return try refuse(offered.version, offered.identity, .payloadChecksum, &memory)
        }
        guard try slots.isSigned(slot, header, by: key, &memory) else {
            return try refuse(offered.version, offered.identity, .signature, &memory)
        }
        var state = record.state
        state.trial = slot
        state.isTried = false
        state.download = nil
        state.outcome = nil
        try record.store(state, &memory)
        isReady = true
    }

    private mutating func refuse(
        _ version: ImageVersion, _ offer: UInt32, _ fault: ImageFault, _ memory: inout some FlashMemory
    ) throws(FlashError) {
        offered = nil
        var state = record.state
        state.download = nil
        state.outcome = BootState.Outcome(version: version, offer: offer, result: .refused(fault))
        if state != record.state { try record.store(state, &memory) }
    }
}
