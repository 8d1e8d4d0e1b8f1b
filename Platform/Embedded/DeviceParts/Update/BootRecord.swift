import BoardImages
import DeviceHAL

/// The state of the slots in the flash memory: the newest whole record of a ring of pages stands. A power cut in the middle of a write
/// leaves the one before.
public struct BootRecord: Sendable {
    /// The pages of the ring, from ``firstPage`` on.
    public static var pages: Int { 3 }
    /// The first of them, behind what any device of ours stores.
    public static var firstPage: Int { 250 }
    private static var kind: UInt8 { 1 }

    private var log: PageLog
    /// The state as it is stored.
    public private(set) var state = BootState()

    /// The record of a memory.
    public init(pageSize: Int) {
        log = PageLog(firstPage: Self.firstPage, pages: Self.pages, mark: UInt8(ascii: "B"), pageSize: pageSize)
    }

    /// Finds the state. To be called once, before all else.
    public mutating func mount(_ memory: inout some FlashMemory) throws(FlashError) {
        try log.mount(&memory)
        guard let place = log.oldest else { return }
        var record = try log.first(from: place, &memory)
        while let found = record {
            if found.kind == Self.kind, found.content.count == BootState.size {
                var bytes = InlineArray<25, UInt8>(repeating: 0)
                try memory.read(into: &bytes, at: found.content.lowerBound)
                state = BootState(decoding: bytes)
            }
            record = try log.next(after: found, &memory)
        }
    }

    /// Stores a state; once this returns it stands.
    public mutating func store(_ new: BootState, _ memory: inout some FlashMemory) throws(FlashError) {
        if log.needsPage(forBytes: BootState.size, memory) { try log.openPage(&memory) }
        try new.encoded().withBytes { (bytes) throws(FlashError) in
            _ = try log.append(kind: Self.kind, number: 1, content: bytes, &memory)
        }
        state = new
    }

    /// Stores that the image that runs has signed in to the hub: if it was on trial, it stays.
    public mutating func confirm(_ running: ImageHeader, _ memory: inout some FlashMemory) throws(FlashError) {
        guard let trial = state.trial, state.isTried else { return }
        var next = state
        next.active = trial
        next.trial = nil
        next.isTried = false
        next.outcome = BootState.Outcome(
            version: running.version, offer: running.identity, result: .updated)
        next.download = nil
        try store(next, &memory)
    }
}
