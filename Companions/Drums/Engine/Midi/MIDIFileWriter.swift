extension Song {
    /// The song as a Standard MIDI File of one track (RP-001, type 0): its tempos, its metre and its notes, the tune on channel 1,
    /// what goes along on channel 2, drums on channel 10. Its charts are made anew where it is read again.
    public var midiFile: [UInt8] {
        var events = tempo.map { change in
            MIDITrackEvent(
                tick: UInt32(change.step) * UInt32(Self.ticksPerBeat), order: 0,
                bytes: [0xFF, 0x51, 3] + bigEndian(change.microsecondsPerBeat, count: 3))
        }
        events.append(MIDITrackEvent(tick: 0, order: 0, bytes: [0xFF, 0x03] + length(UInt32(title.count)) + title))
        events.append(MIDITrackEvent(tick: 0, order: 0, bytes: [0xFF, 0x58, 4, beatsPerBar, 2, 24, 8]))
        for note in notes {
            let channel: UInt8 =
                switch note.voice {
                case .melody: 0
                case .accompaniment: 1
                case .percussion: 9
                }
            events.append(
                MIDITrackEvent(tick: note.start, order: 2, bytes: [0x90 | channel, note.pitch, note.velocity]))
            // Ends before beginnings, so that the same pitch sounds again.
            events.append(
                MIDITrackEvent(
                    tick: note.start &+ UInt32(note.length), order: 1, bytes: [0x80 | channel, note.pitch, 0]))
        }
        events.sort { ($0.tick, $0.order) < ($1.tick, $1.order) }
        var track: [UInt8] = []
        var now: UInt32 = 0
        for event in events {
            track += length(event.tick - now) + event.bytes
            now = event.tick
        }
        track += [0, 0xFF, 0x2F, 0]
        // "MThd" and "MTrk".
        return [0x4D, 0x54, 0x68, 0x64] + bigEndian(6, count: 4) + bigEndian(0, count: 2) + bigEndian(1, count: 2)
            + bigEndian(UInt32(Self.ticksPerBeat), count: 2) + [0x4D, 0x54, 0x72, 0x6B]
            + bigEndian(UInt32(track.count), count: 4) + track
    }
}

/// Something that happens in a track, without the time since what is before it.
private struct MIDITrackEvent {
    var tick: UInt32
    /// What comes first of one tick.
    var order: UInt8
    var bytes: [UInt8]
}

private func bigEndian(_ value: UInt32, count: Int) -> [UInt8] {
    (0..<count).reversed().map { UInt8(truncatingIfNeeded: value >> UInt32($0 * 8)) }
}

/// A variable-length quantity.
private func length(_ value: UInt32) -> [UInt8] {
    var bytes = [UInt8(value & 0x7F)]
    var rest = value >> 7
    while rest > 0 {
        bytes.insert(UInt8(rest & 0x7F) | 0x80, at: 0)
        rest >>= 7
    }
    return bytes
}
