import Board
import DeviceHAL
import DeviceParts

/// The network and the hub of the sensor, in a small ring of pages of their own: the newest record stands.
struct SettingsStore {
    private static var kind: UInt8 { 1 }

    private var log: PageLog
    /// The settings; nil before the set-up.
    private(set) var current: LinkSettings?

    /// A store over pages of the memory.
    init(firstPage: Int, pages: Int, pageSize: Int) {
        log = PageLog(firstPage: firstPage, pages: pages, mark: UInt8(ascii: "S"), pageSize: pageSize)
    }

    /// Finds the settings.
    mutating func mount(_ memory: inout Flash) throws(FlashError) {
        try log.mount(&memory)
        var record: PageLog.Record?
        if let place = log.oldest { record = try log.first(from: place, &memory) }
        while let found = record {
            if found.kind == Self.kind { current = try decode(found.content, &memory) ?? current }
            record = try log.next(after: found, &memory)
        }
    }

    /// Stores settings; the ones before stand until the new ones are whole.
    mutating func store(_ settings: LinkSettings, _ memory: inout Flash) throws(FlashError) {
        var bytes = FixedBytes<299>()
        settings.encode(into: &bytes)
        if log.needsPage(forBytes: bytes.count, memory) { try log.openPage(&memory) }
        try bytes.withBytes { (content) throws(FlashError) in
            _ = try log.append(kind: Self.kind, number: 1, content: content, &memory)
        }
        current = settings
    }

    private func decode(_ content: Range<Int>, _ memory: inout Flash) throws(FlashError) -> LinkSettings? {
        var bytes = FixedBytes<299>()
        var one = InlineArray<1, UInt8>(repeating: 0)
        for place in content {
            try memory.read(into: &one, at: place)
            bytes.append(one[0])
        }
        let settings = bytes.withBytes { LinkSettings(decoding: $0) }
        return settings.flatMap { $0.isComplete ? $0 : nil }
    }
}
