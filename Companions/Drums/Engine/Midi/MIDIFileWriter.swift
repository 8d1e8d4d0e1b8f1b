extension Song {
    /// The song as a Standard MIDI File of one track (RP-001, type 0): its tempos, its metre and its notes, the tune on
    /// channel 1, the accompaniment on channel 2, drums on channel 10. Its charts are made anew where it is read again.
    public var midiFile: [UInt8] {
        var events = tempo.map { change in
            MIDITrackEvent(
                tick: UInt32(change.step) * UInt32(Self.ticksPerBeat), order: 0,
                bytes: MIDIFileBytes.tempoEvent(Int(change.microsecondsPerBeat)))
        }
        events.append(MIDITrackEvent(tick: 0, order: 0, bytes: MIDIFileBytes.nameEvent(title)))
        events.append(MIDITrackEvent(tick: 0, order: 0, bytes: MIDIFileBytes.meterEvent(beatsPerBar, power: 2)))
        // When a note of each channel and pitch begins after the one that is looked at; the last are looked at first.
        var next = [UInt32](repeating: .max, count: 16 * 128)
        for note in notes.reversed() {
            let channel: UInt8 =
                switch note.voice {
                case .melody: 0
                case .accompaniment: 1
                case .percussion: 9
                }
            let place = Int(channel) * 128 + Int(note.pitch & 0x7F)
            events.append(
                MIDITrackEvent(tick: note.start, order: 2, bytes: [0x90 | channel, note.pitch, note.velocity]))
            // Ends before beginnings: a channel has each pitch once, and what ends ends the one that began last.
            events.append(
                MIDITrackEvent(
                    tick: min(note.start &+ UInt32(note.length), next[place]), order: 1,
                    bytes: [0x80 | channel, note.pitch, 0]))
            next[place] = note.start
        }
        events.sort { ($0.tick, $0.order) < ($1.tick, $1.order) }
        var track: [UInt8] = []
        var now: UInt32 = 0
        for event in events {
            track += MIDIFileBytes.length(Int(event.tick - now)) + event.bytes
            now = event.tick
        }
        return MIDIFileBytes.header(type: 0, tracks: 1, division: Int(Self.ticksPerBeat))
            + MIDIFileBytes.track(track, MIDIFileBytes.end)
    }
}

/// An event in a track, without the time since the one before.
private struct MIDITrackEvent {
    var tick: UInt32
    /// The order among the events of one tick.
    var order: UInt8
    var bytes: [UInt8]
}
