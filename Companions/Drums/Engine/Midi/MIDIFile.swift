import Wire

/// A Standard MIDI File, type 0 or 1 (MIDI Association, "Standard MIDI Files 1.0", RP-001): the parts that a song is
/// made of.
///
/// Read strictly where a file contradicts itself, leniently where many programs are: a track may lack its end-of-track,
/// running status survives meta events, chunks of unknown types and bytes after the last track are passed over.
public struct MIDIFile: Sendable {
    /// The limits of a file that is read.
    public enum Limits {
        /// The most bytes: some hours of piano.
        public static let bytes = 524_288
        /// The most tracks.
        public static let tracks: UInt16 = 64
        /// The most events.
        public static let events = 200_000
    }

    /// A note of the file.
    struct Note {
        /// The start, in ticks of the file.
        var start: Int64
        var end: Int64
        var track: UInt8
        var channel: UInt8
        var pitch: UInt8
        var velocity: UInt8
    }

    /// A tempo from a tick on.
    struct Tempo {
        var tick: Int64
        var microsecondsPerQuarter: UInt32
    }

    /// The ticks of a quarter note.
    private(set) var division: Int64 = 0
    private(set) var notes: [Note] = []
    /// The tempos, in the order of their ticks.
    private(set) var tempos: [Tempo] = []
    /// The first time signature: its upper number, and its lower one as a power of two.
    private(set) var meter: (upper: UInt8, power: UInt8, tick: Int64)?
    /// The name of the piece: that of the first track (RP-001, "Sequence/Track Name"), in no certain encoding.
    private(set) var name: [UInt8] = []

    private var reader: MIDIFileReader
    private var events = 0
    /// The index in ``notes`` of the sounding note of each channel and pitch; -1 for none.
    private var sounding = [Int32](repeating: -1, count: 16 * 128)

    /// Reads a whole file.
    init(_ bytes: [UInt8]) throws(MIDIFileError) {
        reader = MIDIFileReader(bytes)
        guard bytes.count <= Limits.bytes else { throw reader.error(.tooLarge, at: 0) }
        let tracks = try readHeader()
        var found: UInt16 = 0
        while found < tracks {
            guard reader.remaining > 0 else { throw reader.error(.missingTracks) }
            let (isTrack, end) = try reader.chunk()
            if isTrack {
                try readTrack(UInt8(clamping: found), until: end)
                found += 1
            }
            reader.offset = end
        }
        sortTempos()
    }

    private mutating func readHeader() throws(MIDIFileError) -> UInt16 {
        guard reader.startsWithHeader else { throw reader.error(.notMIDI, at: 0) }
        reader.offset = 4
        let length = try reader.number(bytes: 4, .cutOff)
        guard length >= 6 else { throw reader.error(.header, at: 4) }
        guard length <= reader.remaining else { throw reader.error(.cutOff, at: 4) }
        let type = UInt16(clamping: try reader.number(bytes: 2, .header))
        guard type <= 1 else { throw reader.error(.type(type), at: 8) }
        let tracks = UInt16(clamping: try reader.number(bytes: 2, .header))
        guard (1...Limits.tracks).contains(tracks), type == 1 || tracks == 1 else {
            throw reader.error(.tracks(tracks), at: 10)
        }
        let unit = try reader.number(bytes: 2, .header)
        guard unit & 0x8000 == 0 else { throw reader.error(.smpte, at: 12) }
        guard unit > 0 else { throw reader.error(.division, at: 12) }
        division = Int64(unit)
        reader.offset = 8 + length
        return tracks
    }

    // MARK: - A track

    private mutating func readTrack(_ track: UInt8, until end: Int) throws(MIDIFileError) {
        var tick: Int64 = 0
        var status: UInt8 = 0
        while reader.offset < end {
            let start = reader.offset
            tick += Int64(try reader.variableLength(until: end))
            events += 1
            guard events <= Limits.events else { throw reader.error(.tooManyEvents, at: start) }
            let at = reader.offset
            let byte = try reader.byte(until: end)
            if byte < 0x80 {
                guard status != 0 else { throw reader.error(.noStatus, at: at) }
                try readMessage(status, first: byte, at: at, tick: tick, track: track, until: end)
            } else if byte < 0xF0 {
                status = byte
                let first = try reader.dataByte(until: end)
                try readMessage(status, first: first, at: at, tick: tick, track: track, until: end)
            } else if byte == 0xFF {
                if try readMeta(tick: tick, track: track, until: end) { break }
            } else if byte == 0xF0 || byte == 0xF7 {
                let length = try reader.variableLength(until: end)
                guard length <= end - reader.offset else { throw reader.error(.beyondTrack, at: at) }
                reader.offset += length
            } else {
                throw reader.error(.status(byte), at: at)
            }
        }
        endNotes(at: tick)
    }

    private mutating func readMessage(
        _ status: UInt8, first: UInt8, at offset: Int, tick: Int64, track: UInt8, until end: Int
    ) throws(MIDIFileError) {
        let kind = status >> 4
        if kind == 0xC || kind == 0xD { return }
        let second = try reader.dataByte(until: end)
        guard kind == 0x8 || kind == 0x9 else { return }
        let channel = status & 0xF
        let place = Int(channel) * 128 + Int(first)
        if sounding[place] >= 0 { notes[Int(sounding[place])].end = tick }
        sounding[place] = -1
        guard kind == 0x9, second > 0 else { return }
        // A beat is a whole note at most; what the song's own metre makes of it is checked when that is known.
        guard tick / division <= Int64(Song.Limits.beats) * 4 else { throw reader.error(.tooLong, at: offset) }
        sounding[place] = Int32(clamping: notes.count)
        notes.append(
            Note(start: tick, end: tick, track: track, channel: channel, pitch: first, velocity: second))
    }

    /// Reads a meta event.
    ///
    /// - Returns: whether it ends the track.
    private mutating func readMeta(tick: Int64, track: UInt8, until end: Int) throws(MIDIFileError) -> Bool {
        let start = reader.offset - 1
        let kind = try reader.byte(until: end)
        let length = try reader.variableLength(until: end)
        guard length <= end - reader.offset else { throw reader.error(.beyondTrack, at: start) }
        defer { reader.offset += length }
        switch kind {
        case 0x03 where track == 0 && name.isEmpty: name = (0..<length).map { UInt8(clamping: reader.peek($0)) }
        case 0x2F: return true
        case 0x51:
            let microseconds = length == 3 ? reader.peek(0) << 16 | reader.peek(1) << 8 | reader.peek(2) : 0
            guard microseconds > 0 else { throw reader.error(.tempo, at: start) }
            tempos.append(Tempo(tick: tick, microsecondsPerQuarter: microseconds))
        case 0x58 where length >= 2:
            if meter == nil || meter.map({ tick < $0.tick }) == true {
                meter = (UInt8(clamping: reader.peek(0)), UInt8(clamping: reader.peek(1)), tick)
            }
        default: break
        }
        return false
    }

    /// Ends the notes that still sound at the end of a track there, or after a bar of four quarters.
    private mutating func endNotes(at tick: Int64) {
        for place in 0..<sounding.count where sounding[place] >= 0 {
            let index = Int(sounding[place])
            notes[index].end = min(tick, notes[index].start + division * 4)
            sounding[place] = -1
        }
    }

    /// Sorts the tempos by tick; of several at the same tick, the last one holds. Tracks of type 1 each bring theirs in
    /// order.
    private mutating func sortTempos() {
        var order: [Int] = Array(0..<tempos.count)
        let all = tempos
        order.sort { all[$0].tick != all[$1].tick ? all[$0].tick < all[$1].tick : $0 < $1 }
        tempos = []
        for index in order {
            if tempos.last?.tick == all[index].tick { tempos.removeLast() }
            tempos.append(all[index])
        }
    }
}
