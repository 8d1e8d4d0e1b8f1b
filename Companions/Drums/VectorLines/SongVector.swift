import DrumsEngine
import VectorLines
import Wire

/// The commands of a vector file about songs: see ``EngineVector``. It remembers one song, one tapping and one MIDI
/// connection.
struct SongVector {
    private var song: Song?
    private var midi = MIDIStream()
    private var packets = BluetoothMIDI()
    private var clock = BluetoothMIDIClock()

    /// Answers a command.
    ///
    /// - Returns: false for a command that is not about songs.
    mutating func answer(_ command: Span<UInt8>, _ line: VectorLine, _ text: inout TextWriter) -> Bool {
        if matches(command, "song-bytes") { return readBytes(line, &text) }
        if matches(command, "song-text") { return readText(line, &text) }
        if matches(command, "song-midi") { return readMIDI(line, &text) }
        if matches(command, "song-audio") { return makeAudio(line, &text) }
        if matches(command, "song-notes") { return writeNotes(line, &text) }
        if matches(command, "song-chart") { return writeChart(line, &text) }
        if matches(command, "song-time") { return writePosition(line, &text) }
        if matches(command, "song-tempo") { return setTempo(line, &text) }
        if matches(command, "taps") { return tap(line, &text) }
        if matches(command, "midi") { return readMessage(line, &text) }
        if matches(command, "ble-midi") { return readPacket(line, &text) }
        if matches(command, "pads") { return readPads(line, &text) }
        return false
    }

    // MARK: - Songs

    private mutating func readBytes(_ line: VectorLine, _ text: inout TextWriter) -> Bool {
        guard let bytes = line.hex(1) else { return text.refuse() }
        do throws(SongCodecError) {
            return keep(try Song.decoded(bytes), &text)
        } catch {
            return failure(Int64(error.number), &text)
        }
    }

    private mutating func readText(_ line: VectorLine, _ text: inout TextWriter) -> Bool {
        guard let bytes = line.hex(1) else { return text.refuse() }
        do throws(SongTextError) {
            return keep(try Song.fromText(bytes, id: [UInt8(ascii: "v")]), &text)
        } catch {
            text.write("line ", Int64(error.line))
            text.write(" column ", Int64(error.column))
            text.write(" ")
            return failure(error.failure.number, &text)
        }
    }

    private mutating func readMIDI(_ line: VectorLine, _ text: inout TextWriter) -> Bool {
        guard let bytes = line.hex(1) else { return text.refuse() }
        do throws(MIDIFileError) {
            return keep(try Song.fromMIDI(bytes, id: [UInt8(ascii: "v")], title: [UInt8(ascii: "V")]), &text)
        } catch {
            text.write("byte ", Int64(error.offset))
            text.write(" ")
            return failure(error.failure.number, &text)
        }
    }

    private mutating func makeAudio(_ line: VectorLine, _ text: inout TextWriter) -> Bool {
        guard let tempo = line.integer(1), let offset = line.integer(2), let length = line.integer(3),
            let beatsPerBar = line.integer(4)
        else { return text.refuse() }
        do throws(SongError) {
            return keep(
                try Song.ofAudio(
                    id: [UInt8(ascii: "v")], title: [UInt8(ascii: "V")],
                    microsecondsPerBeat: UInt32(clamping: tempo), offsetMilliseconds: Int32(clamping: offset),
                    lengthMilliseconds: length, beatsPerBar: UInt8(clamping: beatsPerBar)), &text)
        } catch {
            return failure(100 + Int64(error.rawValue), &text)
        }
    }

    /// Stores a song and writes its summary; the checksum of its bytes stands for everything in it.
    private mutating func keep(_ new: Song, _ text: inout TextWriter) -> Bool {
        song = new
        text.write("beats ", Int64(new.beats))
        text.write(" bar ", Int64(new.beatsPerBar))
        text.write(" upbeat ", Int64(new.upbeatBeats))
        text.write(" division ", Int64(new.beatDivision))
        text.write(" ms ", new.milliseconds)
        text.write(" notes ", Int64(new.notes.count))
        for change in new.tempo {
            text.write(" tempo ", Int64(change.step))
            text.write(":", Int64(change.microsecondsPerBeat))
        }
        text.write(" crc ")
        text.write(Int64(crc32(new.encoded().dropLast(4))))
        return true
    }

    /// Changes the tempo of the song to some percent of its own.
    private mutating func setTempo(_ line: VectorLine, _ text: inout TextWriter) -> Bool {
        guard let song, let percent = line.integer(1) else { return text.refuse() }
        do throws(SongError) {
            return keep(try song.atTempo(percent: UInt8(clamping: percent)), &text)
        } catch {
            return failure(100 + Int64(error.rawValue), &text)
        }
    }

    private func writeNotes(_ line: VectorLine, _ text: inout TextWriter) -> Bool {
        guard let song, let count = line.integer(1), (1...100).contains(count) else { return text.refuse() }
        for (index, note) in song.notes.prefix(Int(count)).enumerated() {
            if index > 0 { text.write(" ") }
            text.write(Int64(note.start))
            text.write("+", Int64(note.length))
            text.write("=", Int64(note.pitch))
            text.write("/", Int64(note.voice.rawValue))
        }
        return true
    }

    private func writeChart(_ line: VectorLine, _ text: inout TextWriter) -> Bool {
        guard let song, let level = line.choice(1) as Level? else {
            return text.refuse()
        }
        let chart = song.chart(level)
        text.write(Int64(chart.stepsPerBeat))
        text.write(" ")
        for step in chart.steps { text.write(byte: UInt8(ascii: step ? "x" : ".")) }
        return true
    }

    private func writePosition(_ line: VectorLine, _ text: inout TextWriter) -> Bool {
        guard let song, let tick = line.integer(1), (-1_000_000...10_000_000).contains(tick) else {
            return text.refuse()
        }
        text.write(song.microseconds(atTick: tick))
        return true
    }

    // MARK: - Taps

    /// Reads a tapping: beats of a bar, latency in microseconds, and the taps in milliseconds.
    private func tap(_ line: VectorLine, _ text: inout TextWriter) -> Bool {
        guard let beatsPerBar = line.integer(1), (1...16).contains(beatsPerBar), let latency = line.integer(2) else {
            return text.refuse()
        }
        var taps = TapTempo(latencyMicroseconds: latency)
        for index in 3..<max(line.words.count, 3) {
            guard let tap = line.integer(index), (0...10_000_000).contains(tap) else { return text.refuse() }
            taps.tap(atMicroseconds: tap * 1_000)
        }
        do throws(TapTempo.Failure) {
            let answer = try taps.answer(beatsPerBar: Int(beatsPerBar))
            text.write("us ", Int64(answer.microsecondsPerBeat))
            text.write(" offset ", Int64(answer.offsetMilliseconds))
            text.write(" spread ", Int64(answer.spreadMilliseconds))
            return true
        } catch {
            return failure(Int64(error.rawValue), &text)
        }
    }

    // MARK: - Live MIDI

    private mutating func readMessage(_ line: VectorLine, _ text: inout TextWriter) -> Bool {
        guard let bytes = line.hex(1) else { return text.refuse() }
        return write(midi.strokes(in: bytes), &text)
    }

    /// Reads a packet and the time of its arrival, in milliseconds; without words, begins a connection.
    private mutating func readPacket(_ line: VectorLine, _ text: inout TextWriter) -> Bool {
        guard line.words.count > 1 else {
            packets = BluetoothMIDI()
            clock = BluetoothMIDIClock()
            midi = MIDIStream()
            text.write("new")
            return true
        }
        guard let bytes = line.hex(1), let arrival = line.integer(2) else { return text.refuse() }
        let strokes = packets.strokes(in: bytes)
        _ = write(strokes, &text)
        for stroke in strokes {
            text.write(" at ")
            text.write(
                decimal: clock.time(ofTimestamp: stroke.timestamp, arrival: Double(arrival)), places: 3)
        }
        text.write(" clock ", Int64(clock.state.rawValue))
        return true
    }

    private func write(_ strokes: [MIDIStroke], _ text: inout TextWriter) -> Bool {
        text.write("strokes ", Int64(strokes.count))
        for stroke in strokes {
            text.write(" ", Int64(stroke.note))
            text.write("/", Int64(stroke.velocity))
            text.write("/", Int64(stroke.channel))
            if let timestamp = stroke.timestamp {
                text.write("@", Int64(timestamp))
            }
        }
        return true
    }

    /// Writes the drums of a few notes by a map, or by the usual one.
    private func readPads(_ line: VectorLine, _ text: inout TextWriter) -> Bool {
        guard let bytes = line.hex(1) else { return text.refuse() }
        guard let map = bytes.isEmpty ? PadMap() : PadMap(bytes: bytes) else {
            text.write("no map")
            return true
        }
        text.write("pads")
        for note: UInt8 in 35...50 {
            guard let drum = map.drum(ofNote: note) else { continue }
            text.write(" ", Int64(note))
            text.write("=", Int64(drum.rawValue))
        }
        return true
    }

    private func failure(_ number: Int64, _ text: inout TextWriter) -> Bool {
        text.write("fault ", number)
        return true
    }
}
