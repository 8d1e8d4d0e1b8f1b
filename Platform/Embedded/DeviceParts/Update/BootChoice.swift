import BoardImages
import DeviceHAL

/// The boot loader's choice of a slot. Whatever it is to change it stores before the image runs, in one record at a time: the power
/// may go at any write.
public struct BootChoice: Sendable {
    private let slots: ImageSlots
    private var record: BootRecord

    /// A choice in a memory.
    public init(pageSize: Int) {
        slots = ImageSlots(pageSize: pageSize)
        record = BootRecord(pageSize: pageSize)
    }

    /// Chooses the slot whose image is to run.
    /// - Parameters:
    ///   - flashed: the header of the whole image that lies where images run, if any: it was flashed there by cable, or copied.
    ///   - start: the number of the reason of this start.
    ///   - byte: reads a byte of that image's file, from the header on.
    /// - Returns: the slot; nil where no slot holds the image that is to run, which then is the one that was flashed.
    public mutating func choose(
        flashed: ImageHeader?, start: UInt8, _ memory: inout some FlashMemory, byte: (Int) -> UInt8
    ) throws(FlashError) -> UInt8? {
        try record.mount(&memory)
        if let flashed, try isNew(flashed, &memory) { return try adopt(flashed, &memory, byte) }
        var state = record.state
        if let trial = state.trial {
            let header = try slots.whole(trial, &memory)
            if !state.isTried, header != nil {
                state.isTried = true
                try record.store(state, &memory)
                return trial
            }
            state.trial = nil
            state.isTried = false
            state.download = nil
            state.outcome = BootState.Outcome(
                version: header?.version ?? ImageVersion(0, 0, 0), offer: header?.identity ?? 0,
                result: header == nil ? .refused(.payloadChecksum) : .wentBack(start: start))
            try record.store(state, &memory)
        }
        guard let active = state.active, try slots.whole(active, &memory) != nil else { return nil }
        return active
    }

    /// Whether somebody has flashed an image that no slot holds, and that was not there before.
    private func isNew(_ flashed: ImageHeader, _ memory: inout some FlashMemory) throws(FlashError) -> Bool {
        guard flashed.checksum != record.state.flashed else { return false }
        for slot: UInt8 in 0..<2 where try slots.whole(slot, &memory)?.checksum == flashed.checksum {
            // A copy of a slot's image; before the first start it is the copy of what was flashed, of which nothing is noted yet.
            return record.state.active == nil
        }
        return true
    }

    /// Copies the image that was flashed into a slot, so that it is there to come back to.
    private mutating func adopt(
        _ flashed: ImageHeader, _ memory: inout some FlashMemory, _ byte: (Int) -> UInt8
    ) throws(FlashError) -> UInt8 {
        let slot: UInt8 = record.state.active == 0 ? 1 : 0
        var place = 0
        while place < ImageHeader.size + flashed.length {
            var piece = FixedBytes<64>()
            while piece.count < 64, place + piece.count < ImageHeader.size + flashed.length {
                piece.append(byte(place + piece.count))
            }
            let start = place
            try piece.withBytes { (bytes) throws(FlashError) in try slots.write(bytes, slot, at: start, &memory) }
            place += piece.count
        }
        var state = BootState()
        state.active = slot
        state.flashed = flashed.checksum
        try record.store(state, &memory)
        return slot
    }
}
