import MotionLabEngine
import VectorLines
import Wire

/// Recordings, and what phones send and export.
struct CodecVector {
    private var writer: RecordingWriter?
    private var recording: [UInt8] = []
    private var ledger = SensorLoggerLedger()

    mutating func answer(_ command: Span<UInt8>, _ line: VectorLine, _ text: inout TextWriter) -> Bool {
        if text.write(
            cuts: command, of: recording, read: { (bytes) throws(RecordingError) in try Self.summary(bytes) })
        {
            return true
        }
        if matches(command, "nanoseconds") {
            let time = line.text(1)
            guard let microseconds = EpochTime.microseconds(fromNanoseconds: time.span) else {
                text.write("no time")
                return true
            }
            text.write(microseconds)
        } else if matches(command, "sensor-logger") {
            sensorLogger(line.text(1), line.integer(2) == 6 ? .sensorLoggerIOS : .sensorLoggerAndroid, &text)
        } else if matches(command, "message") {
            guard let id = line.integer(1) else { return text.refuse() }
            text.write(ledger.isNew(id) ? "new" : "repeated")
            text.write(", missing ", ledger.missing)
        } else if matches(command, "phyphox-config") || matches(command, "phyphox-get")
            || matches(command, "phyphox-control")
        {
            phyphox(command, line, &text)
        } else if matches(command, "table") || matches(command, "phyphox-table") {
            table(command, line, &text)
        } else {
            return recordings(command, line, &text)
        }
        return true
    }

    // MARK: - Recordings

    private static func summary(_ recording: [UInt8]) throws(RecordingError) -> RecordingSummary {
        try RecordingSummary(recording, isComplete: true)
    }

    private mutating func recordings(_ command: Span<UInt8>, _ line: VectorLine, _ text: inout TextWriter) -> Bool {
        if matches(command, "record") {
            // The start, then the kinds of the streams.
            guard let start = line.integer(1) else { return text.refuse() }
            var streams: [RecordedStream] = []
            for index in 2..<max(line.words.count, 2) {
                guard let kind = SensorKind(name: line.text(index).span) else { return text.refuse() }
                streams.append(RecordedStream(kind: kind, source: .lab, claimedMillihertz: 100_000))
            }
            let header = RecordingHeader(
                id: [UInt8](repeating: 7, count: 16), person: Array(repeating: 0x61, count: 8), utcOffsetMinutes: 60,
                startedAt: start, streams: streams)
            do throws(RecordingError) {
                writer = try RecordingWriter(header: header)
                recording = []
                text.write("recording")
            } catch {
                text.write("error ", Int64(error.number))
            }
        } else if matches(command, "sample") {
            guard var writer, let stream = line.count(1), let time = line.integer(2) else { return text.refuse() }
            var values: [Double?] = []
            for index in 3..<max(line.words.count, 3) { values.append(line.decimal(index)) }
            text.write(writer.add(values, to: stream, at: time) ? "taken" : "refused")
            self.writer = writer
        } else if matches(command, "annotate") {
            guard var writer, let time = line.integer(1) else { return text.refuse() }
            text.write(writer.add(.annotation(at: time, text: line.text(2))) ? "taken" : "refused")
            self.writer = writer
        } else if matches(command, "end") {
            guard var writer, let time = line.integer(1) else { return text.refuse() }
            text.write(writer.add(.end(at: time)) ? "taken" : "refused")
            self.writer = writer
        } else if matches(command, "append") {
            guard var writer else { return text.refuse() }
            let bytes = writer.takeBytes()
            self.writer = writer
            recording += bytes
            text.write("at ", Int64(recording.count - bytes.count))
            text.write(": ")
            text.write(hex: bytes)
        } else if matches(command, "summary") {
            do throws(RecordingError) {
                write(try RecordingSummary(recording, isComplete: true), &text)
            } catch {
                text.write("error ", Int64(error.number))
            }
        } else if matches(command, "read") {
            do throws(RecordingError) {
                write(try Self.summary(line.hex(1) ?? []), &text)
            } catch {
                text.write("error ", Int64(error.number))
            }
        } else {
            return false
        }
        return true
    }

    private func write(_ summary: RecordingSummary, _ text: inout TextWriter) {
        for stream in summary.streams {
            text.write(stream.kind.name)
            text.write(" ", Int64(stream.samples))
            if let first = stream.first, let last = stream.last {
                text.write(" from ", first)
                text.write(" to ", last)
            }
            text.write(", ")
        }
        text.write("annotations ", Int64(summary.annotations))
        text.write(summary.isEnded ? ", ended" : ", open")
        text.write(" after ", summary.duration)
    }

    // MARK: - Phones

    private func sensorLogger(_ bytes: [UInt8], _ source: SensorSource, _ text: inout TextWriter) {
        do throws(SensorLoggerError) {
            let message = try SensorLoggerMessage.decode(bytes.span)
            text.write("message ", message.messageId ?? -1)
            for kind in SensorKind.allCases {
                for sample in message.samples(of: kind, source: source) {
                    text.write("; ")
                    text.write(kind.name)
                    text.write(" ", sample.time)
                    for value in sample.values { text.write(" ", value) }
                }
            }
            for note in message.annotations {
                text.write("; note ", note.time)
                text.write(" ")
                text.write(bytes: note.text)
            }
            if message.skipped.faulty > 0 { text.write("; faulty ", Int64(message.skipped.faulty)) }
            if let failure = message.failure { text.write("; error ", failure.number) }
        } catch {
            text.write("error ", error.number)
            if case .json(let offset) = error { text.write(" at ", Int64(offset)) }
        }
    }

    private func phyphox(_ command: Span<UInt8>, _ line: VectorLine, _ text: inout TextWriter) {
        do throws(PhyphoxError) {
            if matches(command, "phyphox-control") {
                text.write(try phyphoxControlResult(line.text(1)) ? "done" : "not done")
            } else if matches(command, "phyphox-get") {
                let answer = try PhyphoxValues.decode(line.text(1))
                text.write(answer.isMeasuring ? "measuring " : "stopped ")
                text.write(bytes: answer.session)
                for buffer in answer.buffers {
                    text.write("; ")
                    text.write(bytes: buffer.name)
                    for value in buffer.values { text.write(" ", value) }
                }
            } else {
                let configuration = try PhyphoxConfiguration.decode(line.text(1))
                text.write(bytes: configuration.title)
                for input in configuration.inputs {
                    text.write("; ")
                    text.write(bytes: input.source)
                    if let polling = PhyphoxPolling(input) {
                        text.write(" ")
                        text.write(bytes: polling.path)
                    }
                }
            }
        } catch {
            switch error {
            case .json(let offset): text.write("no JSON at ", Int64(offset))
            case .tooLarge: text.write("too large")
            case .shape: text.write("not phyphox")
            case .refused(let words):
                text.write("refused: ")
                text.write(bytes: words)
            }
        }
    }

    private func table(_ command: Span<UInt8>, _ line: VectorLine, _ text: inout TextWriter) {
        do throws(TableError) {
            let imported =
                matches(command, "table")
                ? try ImportedSamples.sensorLogger(
                    line.text(2), fileName: line.text(1),
                    source: line.integer(3) == 6 ? .sensorLoggerIOS : .sensorLoggerAndroid)
                : try ImportedSamples.phyphox(line.text(1))
            for samples in imported {
                text.write(samples.kind.name)
                for (time, values) in zip(samples.times, samples.values) {
                    text.write("; ", time)
                    for value in values { text.write(" ", value) }
                }
                text.write(", skipped ", Int64(samples.skipped))
                text.write(". ")
            }
        } catch {
            text.write("error ", error.number)
        }
    }
}
