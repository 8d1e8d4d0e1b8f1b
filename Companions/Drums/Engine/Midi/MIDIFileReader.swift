/// The bytes of a Standard MIDI File, read with an eye on where they end.
struct MIDIFileReader {
    private let bytes: [UInt8]
    /// The offset of the next byte.
    var offset = 0

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    var remaining: Int { bytes.count - offset }

    private static let header: [UInt8] = [0x4D, 0x54, 0x68, 0x64]
    private static let track: [UInt8] = [0x4D, 0x54, 0x72, 0x6B]

    private func holds(_ name: [UInt8], at place: Int) -> Bool {
        place >= 0 && place + 4 <= bytes.count && bytes[place] == name[0] && bytes[place + 1] == name[1]
            && bytes[place + 2] == name[2] && bytes[place + 3] == name[3]
    }

    private func next(_ name: [UInt8], from place: Int, before end: Int) -> Int? {
        var place = place
        while place < end {
            if holds(name, at: place) { return place }
            place += 1
        }
        return nil
    }

    /// Whether a track's chunk begins at a place.
    func holdsTrack(at place: Int) -> Bool { holds(Self.track, at: place) }

    /// The end of a system-exclusive message that begins here and whose length lies: behind an `F7` before which there are
    /// data bytes alone, and which its length passes over, or would end before; nil for one whose length may be true.
    func endOfSystemExclusive(until end: Int) -> Int? {
        var place = offset
        var length = 0
        while place < end, place < offset + 4 {
            length = length << 7 | Int(bytes[place] & 0x7F)
            place += 1
            if bytes[place - 1] < 0x80 { break }
        }
        let last = place + length - 1
        // A whole one ends in F7; one that goes on in another event has data bytes alone.
        if last < end, length > 0, bytes[last] == 0xF7 { return nil }
        var index = place
        while index < end, bytes[index] < 0x80 { index += 1 }
        guard index < end, bytes[index] == 0xF7, index < last else { return nil }
        return index + 1
    }

    /// The first place from here on, before an end, where three notes in a row are plain, each with a time of two bytes at most
    /// and a status of its own; nil where there is none. A few bytes of anything else are hardly ever so.
    func plainNotes(from start: Int, until end: Int) -> Int? {
        var place = max(start, 0)
        while place < end {
            var (next, count) = (place, 0)
            while count < 3, let behind = plainNote(at: next, until: end) { (next, count) = (behind, count + 1) }
            if count == 3 { return place }
            place += 1
        }
        return nil
    }

    /// The place behind a note that is plain; nil for something else.
    private func plainNote(at start: Int, until end: Int) -> Int? {
        var place = start
        if place < end, bytes[place] >= 0x80 { place += 1 }
        guard place + 3 < end, bytes[place] < 0x80, (0x80...0x9F).contains(bytes[place + 1]), bytes[place + 2] < 0x80,
            bytes[place + 3] < 0x80
        else { return nil }
        return place + 4
    }

    /// The place of the header of a second file that begins between here and a track, before which it is the chunk that comes
    /// first; nil where there is none.
    func secondHeader(before track: Int) -> Int? {
        guard let place = next(Self.header, from: offset, before: track), track - place <= 22 else { return nil }
        return place
    }

    /// Whether anything but zeros, with which some programs fill up a block, stands between here and an end.
    func holdsMore(until end: Int) -> Bool {
        var place = offset
        while place < end {
            if bytes[place] != 0 { return true }
            place += 1
        }
        return false
    }

    /// The place of `MThd`, before a number of bytes at most; nil where it is not.
    func header(within distance: Int) -> Int? { next(Self.header, from: 0, before: min(distance, bytes.count)) }

    /// Whether a chunk may begin at a place: four letters or digits and a length.
    private func mayBeChunk(at place: Int) -> Bool {
        guard place + 8 <= bytes.count else { return false }
        for index in place..<place + 4 {
            switch bytes[index] {
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x20: break
            default: return false
            }
        }
        return true
    }

    /// Whether an end-of-track stands right before a place: `FF 2F 00`.
    private func isTrackEnd(at place: Int) -> Bool {
        place >= 3 && place <= bytes.count && bytes[place - 3] == 0xFF && bytes[place - 2] == 0x2F
            && bytes[place - 1] == 0
    }

    /// The next track from here on: where its chunk begins, where it ends, and whether that is what it says itself.
    mutating func nextTrack() -> (start: Int, end: Int, isWhole: Bool)? {
        var place = offset
        while !holds(Self.track, at: place) {
            // A chunk of another kind that leads to a chunk, or to the end of the file.
            let end = mayBeChunk(at: place) ? place + 8 + length(at: place + 4) : bytes.count + 1
            if end == bytes.count || mayBeChunk(at: end) {
                place = end
            } else {
                guard let next = next(Self.track, from: place, before: bytes.count) else { return nil }
                place = next
            }
        }
        guard place + 8 <= bytes.count else { return nil }
        let end = place + 8 + length(at: place + 4)
        if end <= bytes.count, end == bytes.count || mayBeChunk(at: end) || isTrackEnd(at: end) {
            return (place, end, true)
        }
        return (place, next(Self.track, from: place + 8, before: bytes.count) ?? bytes.count, false)
    }

    /// A length of four bytes that are known to be there; one beyond the file is as long as that and no longer, so that
    /// sums with it fit into 32 bits.
    private func length(at place: Int) -> Int {
        var value: UInt32 = 0
        for index in place..<place + 4 { value = value << 8 | UInt32(bytes[index]) }
        return Int(min(value, UInt32(clamping: bytes.count) + 1))
    }

    /// Passes over a system message of the wire and its data bytes (MIDI 1.0 Detailed Specification, table VI).
    mutating func skipSystemMessage(until end: Int) {
        guard offset < end else { return }
        let data = bytes[offset] == 0xF2 ? 2 : bytes[offset] == 0xF1 || bytes[offset] == 0xF3 ? 1 : 0
        offset += 1
        for _ in 0..<data where offset < end && bytes[offset] < 0x80 { offset += 1 }
    }

    func error(_ failure: MIDIFileFailure, at offset: Int? = nil) -> MIDIFileError {
        MIDIFileError(offset: offset ?? self.offset, failure: failure)
    }

    /// A byte ahead, which is known to be there.
    func peek(_ distance: Int) -> UInt32 { UInt32(bytes[offset + distance]) }

    /// A number of a given count of bytes, at most four, the highest first.
    mutating func number(bytes count: Int, _ failure: MIDIFileFailure) throws(MIDIFileError) -> Int {
        guard remaining >= count else { throw error(failure) }
        var value: UInt32 = 0
        for _ in 0..<count {
            value = value << 8 | UInt32(bytes[offset])
            offset += 1
        }
        // A number beyond 31 bits is a length, and longer than any file.
        return Int(Int32(clamping: value))
    }

    mutating func byte(until end: Int) throws(MIDIFileError) -> UInt8 {
        guard offset < end else { throw error(.beyondTrack) }
        offset += 1
        return bytes[offset - 1]
    }

    /// A byte of a message's data, which is below 0x80.
    mutating func dataByte(until end: Int) throws(MIDIFileError) -> UInt8 {
        let byte = try byte(until: end)
        guard byte < 0x80 else { throw error(.status(byte), at: offset - 1) }
        return byte
    }

    /// A variable-length quantity: seven bits a byte, at most four bytes (RP-001, "Variable-length quantities").
    mutating func variableLength(until end: Int) throws(MIDIFileError) -> Int {
        let start = offset
        var value: Int32 = 0
        for _ in 0..<4 {
            let byte = try byte(until: end)
            value = value << 7 | Int32(byte & 0x7F)
            if byte < 0x80 { return Int(value) }
        }
        throw error(.number, at: start)
    }
}
