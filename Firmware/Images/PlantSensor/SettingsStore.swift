import Board
import DeviceHAL
import DeviceParts
import Wire

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
        var bytes = FixedBytes<263>()
        bytes.put(settings.port)
        put(settings.ssid, &bytes)
        put(settings.password, &bytes)
        put(settings.host, &bytes)
        put(settings.device, &bytes)
        put(settings.token, &bytes)
        if log.needsPage(forBytes: bytes.count, memory) { try log.openPage(&memory) }
        try bytes.withBytes { (content) throws(FlashError) in
            _ = try log.append(kind: Self.kind, number: 1, content: content, &memory)
        }
        current = settings
    }

    private func put<let capacity: Int>(_ text: FixedBytes<capacity>, _ bytes: inout FixedBytes<263>) {
        bytes.append(UInt8(text.count))
        for index in 0..<text.count { bytes.append(text[index]) }
    }

    private func decode(_ content: Range<Int>, _ memory: inout Flash) throws(FlashError) -> LinkSettings? {
        var settings = LinkSettings()
        var place = content.lowerBound + 2
        func byte(_ place: Int) throws(FlashError) -> UInt8 {
            var one = InlineArray<1, UInt8>(repeating: 0)
            try memory.read(into: &one, at: place)
            return one[0]
        }
        func take<let capacity: Int>(_ text: inout FixedBytes<capacity>) throws(FlashError) {
            let count = Int(try byte(place))
            for index in 0..<count where place + 1 + index < content.upperBound {
                text.append(try byte(place + 1 + index))
            }
            place += 1 + count
        }
        settings.port = UInt16(try byte(content.lowerBound)) | UInt16(try byte(content.lowerBound + 1)) << 8
        try take(&settings.ssid)
        try take(&settings.password)
        try take(&settings.host)
        try take(&settings.device)
        try take(&settings.token)
        return settings.isComplete ? settings : nil
    }
}
