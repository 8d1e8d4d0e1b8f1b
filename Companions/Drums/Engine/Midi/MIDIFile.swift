import Wire

/// A Standard MIDI File, type 0 or 1 (MIDI Association, "Standard MIDI Files 1.0", RP-001): the parts that a song is
/// made of.
///
/// Read as far as it can be understood: what programs, mail and time do to files costs no note that is there.
/// - The file begins at its `MThd`, whatever is around it: a RIFF of type RMID, a MacBinary header, a byte order mark.
/// - Tracks are the chunks `MTrk` that are there, however many the header promises. A length that leads to no chunk and to
///   no end of a track is not believed: the track goes to the next one.
/// - A track may lack its end-of-track, or its last bytes. An event that no file may have is left out.
/// - A header that calls itself shorter than it is leads to its track all the same. A system-exclusive message whose length
///   leads beyond its own end, or that has none, as on the wire, ends where its end stands.
/// - After a length that leads beyond the track, or a number of too many bytes, the reading goes on where three notes in a row
///   are plain. A time longer than any song is none.
/// - Tracks without notes do not count. A second file behind the first is left out, and what a track holds behind its end.
/// - Running status survives meta events, chunks of unknown types and bytes after the last track are passed over.
///
/// The first thing that was not understood is ``fault``.
public struct MIDIFile: Sendable {
    /// The limits of a file that is read.
    public enum Limits {
        /// The most bytes: some hours of piano.
        public static let bytes = 524_288
        /// The most tracks with notes in them.
        public static let tracks: UInt16 = 64
        /// The most tracks of any kind.
        static let allTracks: UInt16 = 4_096
        /// The most events.
        public static let events = 200_000
        /// The most bytes before the header.
        static let wrapper = 4_096
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
    /// A time signature from a tick on: its upper number, and its lower one as a power of two.
    struct Meter {
        var tick: Int64
        var upper: UInt8
        var power: UInt8
    }

    /// The ticks of a bar of a metre.
    func ticks(ofBar meter: Meter) -> Int64 { (division * 4 * Int64(meter.upper)) >> Int64(min(meter.power, 7)) }

    /// The time signatures, in the order of their ticks.
    private(set) var meters: [Meter] = []
    /// The first fault for which something was left out; nil for a file that could be read whole.
    private(set) var fault: MIDIFileError?
    /// The name of the piece: that of the first track (RP-001, "Sequence/Track Name"), in no certain encoding.
    private(set) var name: [UInt8] = []

    private var reader: MIDIFileReader
    private var events = 0
    /// The index in ``notes`` of the sounding note of each channel and pitch; -1 for none.
    private var sounding = [Int32](repeating: -1, count: 16 * 128)

    /// Whether bytes are a file that is read here, in a wrapper or without one.
    public static func isMIDI(_ bytes: [UInt8]) -> Bool {
        MIDIFileReader(bytes).header(within: Limits.wrapper) != nil
    }

    /// Reads a whole file.
    init(_ bytes: [UInt8]) throws(MIDIFileError) {
        reader = MIDIFileReader(bytes)
        guard bytes.count <= Limits.bytes else { throw reader.error(.tooLarge, at: 0) }
        let promised = try readHeader()
        var found: UInt16 = 0
        var filled: UInt16 = 0
        while let track = reader.nextTrack() {
            if found > 0, let second = reader.secondHeader(before: track.start) {
                leaveOut(reader.error(.secondFile, at: second))
                break
            }
            guard filled < Limits.tracks, found < Limits.allTracks else {
                leaveOut(reader.error(.tracks(found + 1), at: track.start))
                break
            }
            let before = notes.count
            if !track.isWhole { leaveOut(reader.error(.cutOff, at: track.start + 4)) }
            reader.offset = track.start + 8
            try readTrack(UInt8(clamping: found), until: track.end)
            found += 1
            if notes.count > before { filled += 1 }
            guard track.isWhole else { continue }
            if reader.holdsMore(until: track.end) { leaveOut(reader.error(.afterEnd)) }
            reader.offset = track.end
        }
        if found < promised { leaveOut(reader.error(.missingTracks)) }
        guard found > 0 || fault == nil else { throw fault ?? reader.error(.missingTracks) }
        tempos = Self.sorted(tempos) { $0.tick }
        meters = Self.sorted(meters) { $0.tick }
    }

    /// Writes down what is left out, if nothing was before.
    private mutating func leaveOut(_ error: MIDIFileError) { if fault == nil { fault = error } }

    private mutating func readHeader() throws(MIDIFileError) -> UInt16 {
        guard let start = reader.header(within: Limits.wrapper) else { throw reader.error(.notMIDI, at: 0) }
        reader.offset = start + 4
        let length = try reader.number(bytes: 4, .cutOff)
        // A shorter one lies where a track stands behind six bytes.
        let isShort = length < 6
        if isShort {
            guard reader.holdsTrack(at: start + 14) else { throw reader.error(.header, at: start + 4) }
            leaveOut(reader.error(.header, at: start + 4))
        }
        guard reader.remaining >= 6 else { throw reader.error(.cutOff, at: start + 4) }
        let type = UInt16(clamping: try reader.number(bytes: 2, .header))
        guard type <= 1 else { throw reader.error(.type(type), at: start + 8) }
        let tracks = UInt16(clamping: try reader.number(bytes: 2, .header))
        if tracks == 0 || tracks > Limits.allTracks || (type == 0 && tracks != 1) {
            leaveOut(reader.error(.tracks(tracks), at: start + 10))
        }
        let unit = try reader.number(bytes: 2, .header)
        guard unit & 0x8000 == 0 else { throw reader.error(.smpte, at: start + 12) }
        guard unit > 0 else { throw reader.error(.division, at: start + 12) }
        division = Int64(unit)
        // A header of another length leads to a track, or else its own six bytes do.
        reader.offset = !isShort && length <= reader.remaining + 6 ? start + 8 + length : start + 14
        return tracks
    }

    // MARK: - A track

    /// The place within a track.
    private struct Place {
        var track: UInt8
        var end: Int
        var tick: Int64 = 0
        var status: UInt8 = 0
        /// Whether the next event stands where another was broken off, without a time of its own.
        var isWithin = false
        var hasEnded = false
    }

    /// Reads a track, and leaves out what no file may have.
    ///
    /// - Throws: where the file is larger than the limits alone.
    private mutating func readTrack(_ track: UInt8, until end: Int) throws(MIDIFileError) {
        var place = Place(track: track, end: end)
        while reader.offset < end, !place.hasEnded {
            do throws(MIDIFileError) {
                try readEvent(&place)
            } catch {
                switch error.failure {
                case .tooManyEvents: throw error
                // A data byte too many, a message of the wire, a tempo of no time, a note beyond all songs: the next
                // event stands behind it.
                case .noStatus, .tempo, .tooLong: break
                case .status(let byte):
                    reader.offset = error.offset
                    if byte > 0xF0, byte != 0xF7, byte != 0xFF {
                        reader.skipSystemMessage(until: end)
                    } else {
                        // The message before it lost a byte.
                        place.isWithin = true
                    }
                // A length or a time that lies: on to where notes are plain.
                case .beyondTrack, .number:
                    if let next = reader.plainNotes(from: error.offset + 1, until: end) {
                        reader.offset = next
                    } else {
                        place.hasEnded = true
                    }
                default: place.hasEnded = true
                }
                leaveOut(error)
            }
        }
        endNotes(at: place.tick)
    }

    private mutating func readEvent(_ place: inout Place) throws(MIDIFileError) {
        let (start, end) = (reader.offset, place.end)
        if !place.isWithin {
            let time = Int64(try reader.variableLength(until: end))
            if time / division <= Int64(Song.Limits.beats) * 4 {
                place.tick += time
            } else if reader.plainNotes(from: reader.offset, until: min(end, reader.offset + 24)) != nil {
                // One below zero, as a program counts it that has moved notes.
                leaveOut(reader.error(.tooLong, at: start))
            } else {
                place.tick += time
            }
        }
        place.isWithin = false
        events += 1
        guard events <= Limits.events else { throw reader.error(.tooManyEvents, at: start) }
        let at = reader.offset
        let byte = try reader.byte(until: end)
        if byte < 0x80 {
            guard place.status != 0 else { throw reader.error(.noStatus, at: at) }
            try readMessage(place.status, first: byte, at: at, place)
        } else if byte < 0xF0 {
            place.status = byte
            let first = try reader.dataByte(until: end)
            try readMessage(byte, first: first, at: at, place)
        } else if byte == 0xFF {
            place.hasEnded = try readMeta(place)
        } else if byte == 0xF0 || byte == 0xF7 {
            // Of one as on the wire, without a length, its own end tells.
            if byte == 0xF0, let wireEnd = reader.endOfSystemExclusive(until: end) {
                leaveOut(reader.error(.beyondTrack, at: at))
                reader.offset = wireEnd
                return
            }
            let length = try reader.variableLength(until: end)
            guard length <= end - reader.offset else { throw reader.error(.beyondTrack, at: at) }
            reader.offset += length
        } else {
            throw reader.error(.status(byte), at: at)
        }
    }

    private mutating func readMessage(
        _ status: UInt8, first: UInt8, at offset: Int, _ at: Place
    ) throws(MIDIFileError) {
        let (kind, tick) = (status >> 4, at.tick)
        if kind == 0xC || kind == 0xD { return }
        let second = try reader.dataByte(until: at.end)
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
            Note(start: tick, end: tick, track: at.track, channel: channel, pitch: first, velocity: second))
    }

    /// Reads a meta event.
    ///
    /// - Returns: whether it ends the track.
    private mutating func readMeta(_ place: Place) throws(MIDIFileError) -> Bool {
        let (start, end, tick) = (reader.offset - 1, place.end, place.tick)
        let kind = try reader.byte(until: end)
        let length = try reader.variableLength(until: end)
        guard length <= end - reader.offset else { throw reader.error(.beyondTrack, at: start) }
        defer { reader.offset += length }
        switch kind {
        case 0x03 where place.track == 0 && name.isEmpty: name = (0..<length).map { UInt8(clamping: reader.peek($0)) }
        case 0x2F: return true
        case 0x51:
            let microseconds = length == 3 ? reader.peek(0) << 16 | reader.peek(1) << 8 | reader.peek(2) : 0
            guard microseconds > 0 else { throw reader.error(.tempo, at: start) }
            tempos.append(Tempo(tick: tick, microsecondsPerQuarter: microseconds))
        case 0x58 where length >= 2:
            meters.append(
                Meter(tick: tick, upper: UInt8(clamping: reader.peek(0)), power: UInt8(clamping: reader.peek(1))))
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

    /// The changes sorted by tick; of several at the same tick, the last one holds. Tracks of type 1 each bring theirs in
    /// order.
    private static func sorted<Change>(_ all: [Change], by tick: (Change) -> Int64) -> [Change] {
        var order: [Int] = Array(0..<all.count)
        order.sort { tick(all[$0]) != tick(all[$1]) ? tick(all[$0]) < tick(all[$1]) : $0 < $1 }
        var sorted: [Change] = []
        for index in order {
            if let last = sorted.last, tick(last) == tick(all[index]) { sorted.removeLast() }
            sorted.append(all[index])
        }
        return sorted
    }
}
