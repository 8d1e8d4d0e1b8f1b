import Wire

/// An event in a recording.
public enum RecordingRecord: Sendable, Equatable {
    /// The samples of a stream, by its index in the header.
    case samples(stream: Int, SampleBlock)
    /// An annotation that a person wrote.
    case annotation(at: Int64, text: [UInt8])
    /// The name of the recording; the last one counts.
    case name([UInt8])
    /// The offset of the device's clock from the hub's, found at a time by the former.
    case clock(at: Int64, ClockAlignment.Offset)
    /// A stream stopped, went on, or may not be read.
    case state(at: Int64, stream: Int, RecordedStreamState)
    /// The end of the recording; no record comes after it.
    case end(at: Int64)
}

/// The change of a stream's state.
public enum RecordedStreamState: UInt8, Sendable, CaseIterable {
    /// The device sends no more of it.
    case stopped = 1
    /// The stream goes on.
    case resumed = 2
    /// The person did not allow it.
    case notPermitted = 3
    /// The device has no such sensor.
    case missing = 4
    /// The stream is slower than the device claims.
    case slowerThanClaimed = 5
}

// Records as bytes: u8 kind, then the number of bytes of the rest as a variable-length integer, then these. Times are
// variable-length integers, in zigzag, in microseconds after the start of the recording.
//
//   1 samples       u8 stream, number of samples less one, time of the first; then bits, the highest first: the series
//                   of the times after the first sample's, and that of each axis (SeriesCodec), filled up to a byte
//   2 annotation    time, UTF-8
//   3 name          UTF-8
//   4 clock         time, offset in zigzag, uncertainty, microseconds
//   5 state         time, u8 stream, u8 state
//   6 end           time
extension RecordingRecord {
    /// The record as bytes.
    ///
    /// - Parameters:
    ///   - start: of the recording, UTC microseconds.
    ///   - times: of the samples before in the recording; empty where they are not known.
    func encoded(start: Int64, after times: [Int64] = []) -> [UInt8] {
        var body: [UInt8] = []
        let tag: UInt8
        switch self {
        case .samples(let stream, let block):
            tag = 1
            body.append(UInt8(clamping: stream))
            let areTimesKnown = block.times == times
            body.append(variable: UInt64(block.count - 1) << 1 | (areTimesKnown ? 1 : 0))
            var bits = BitWriter()
            if !areTimesKnown {
                body.append(variable: block.first, after: start)
                SeriesCodec.write(block.times.map { $0 - block.first }, to: &bits)
            }
            for axis in block.axes { SeriesCodec.write(axis, to: &bits) }
            body.append(contentsOf: bits.finished())
        case .annotation(let time, let text):
            tag = 2
            body.append(variable: time, after: start)
            body.append(contentsOf: text)
        case .name(let text):
            tag = 3
            body.append(contentsOf: text)
        case .clock(let time, let offset):
            tag = 4
            body.append(variable: time, after: start)
            body.append(variable: offset.microseconds, after: 0)
            body.append(variable: UInt64(clamping: offset.uncertainty))
        case .state(let time, let stream, let state):
            tag = 5
            body.append(variable: time, after: start)
            body.append(UInt8(clamping: stream))
            body.append(state.rawValue)
        case .end(let time):
            tag = 6
            body.append(variable: time, after: start)
        }
        var bytes: [UInt8] = [tag]
        bytes.append(variable: UInt64(body.count))
        return bytes + body
    }

    /// Reads the body of a record.
    ///
    /// - Parameter times: of the samples before in the recording.
    init(
        tag: UInt8, body: ArraySlice<UInt8>, header: RecordingHeader, after times: [Int64] = []
    ) throws(RecordingError) {
        var reader = VariableReader(body)
        switch tag {
        case 1:
            let stream = Int(try reader.byte())
            guard stream < header.streams.count else { throw .streams }
            self = .samples(
                stream: stream,
                try Self.block(&reader, header.streams[stream].kind.axisCount, header.startedAt, after: times))
            return
        case 2:
            let time = try reader.time(after: header.startedAt)
            self = .annotation(
                at: time, text: try Self.text(reader.rest, most: RecordingLimits.standard.annotationBytes))
            return
        case 3:
            self = .name(try Self.text(reader.rest, most: RecordingLimits.standard.nameBytes))
            return
        case 4:
            let time = try reader.time(after: header.startedAt)
            let offset = try reader.signed()
            // Between two clocks of today there is no more.
            guard offset.magnitude <= UInt64(SampleBlock.latest) else { throw .time }
            let uncertainty = try reader.number()
            self = .clock(at: time, .init(microseconds: offset, uncertainty: Int64(clamping: uncertainty)))
        case 5:
            let time = try reader.time(after: header.startedAt)
            let stream = Int(try reader.byte())
            guard stream < header.streams.count, let state = RecordedStreamState(rawValue: try reader.byte()) else {
                throw .streams
            }
            self = .state(at: time, stream: stream, state)
        case 6: self = .end(at: try reader.time(after: header.startedAt))
        default: throw .unknownRecord(tag)
        }
        guard reader.rest.isEmpty else { throw .seal(.trailingBytes) }
    }

    /// The number of samples that a record says it has, from 1; nil for another record.
    static func claimedSamples(tag: UInt8, body: ArraySlice<UInt8>) throws(RecordingError) -> Int? {
        guard tag == 1 else { return nil }
        var reader = VariableReader(body)
        _ = try reader.byte()
        return try reader.sampleCount().count
    }

    private static func block(
        _ reader: inout VariableReader, _ axisCount: Int, _ start: Int64, after before: [Int64]
    ) throws(RecordingError) -> SampleBlock {
        let (count, hasTimesBefore) = try reader.sampleCount()
        var times = before
        var bits = BitReader([])
        if hasTimesBefore {
            guard before.count == count else { throw .samples }
            bits = BitReader(reader.rest)
        } else {
            let first = try reader.time(after: start)
            bits = BitReader(reader.rest)
            guard let differences = SeriesCodec.read(count: count, from: &bits), differences[0] == 0 else {
                throw .samples
            }
            times = differences.map { $0.plusClamped(first) }
        }
        var axes: [[Int64]] = []
        for _ in 0..<axisCount {
            guard let axis = SeriesCodec.read(count: count, from: &bits) else { throw .samples }
            axes.append(axis)
        }
        guard bits.isAtEnd else { throw .samples }
        do throws(SampleBlockError) {
            return try SampleBlock(times: times, axes: axes)
        } catch {
            throw error == .times ? .time : .samples
        }
    }

    static func text(_ bytes: ArraySlice<UInt8>, most: Int) throws(RecordingError) -> [UInt8] {
        let text = Array(bytes)
        guard text.count <= most, isUTF8(text.span) else { throw .text }
        return text
    }
}

extension [UInt8] {
    /// Appends a number as LEB128: seven bits a byte, the lowest first, and the eighth says that more follow.
    fileprivate mutating func append(variable number: UInt64) {
        var rest = number
        while rest > 0x7F {
            append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        append(UInt8(rest))
    }

    fileprivate mutating func append(variable time: Int64, after start: Int64) {
        let number = time.minusClamped(start)
        append(variable: UInt64(bitPattern: number << 1 ^ number >> 63))
    }
}

/// The reader of variable-length integers; the end in the middle of one is an error.
struct VariableReader {
    private(set) var rest: ArraySlice<UInt8>

    init(_ bytes: ArraySlice<UInt8>) { rest = bytes }

    mutating func byte() throws(RecordingError) -> UInt8 {
        guard let byte = rest.popFirst() else { throw .seal(.cutOff) }
        return byte
    }

    mutating func number() throws(RecordingError) -> UInt64 {
        var number: UInt64 = 0
        var shift: UInt64 = 0
        while true {
            let byte = try byte()
            // Ten bytes hold 64 bits, and the tenth one of them.
            guard shift < 63 || (shift == 63 && byte <= 1) else { throw .samples }
            number |= UInt64(byte & 0x7F) << shift
            if byte < 0x80 { return number }
            shift += 7
        }
    }

    mutating func signed() throws(RecordingError) -> Int64 {
        let number = try number()
        return Int64(bitPattern: number >> 1) ^ -Int64(bitPattern: number & 1)
    }

    /// The number of samples of a record, from 1, and whether their times are those of the samples before.
    mutating func sampleCount() throws(RecordingError) -> (count: Int, hasTimesBefore: Bool) {
        let number = try number()
        // Before it is an `Int`: anybody may have written it, and that of WebAssembly has 32 bits.
        guard number >> 1 < UInt64(SampleBlock.mostSamples) else { throw .samples }
        return (Int(number >> 1) + 1, number & 1 == 1)
    }

    mutating func time(after start: Int64) throws(RecordingError) -> Int64 {
        let time = start.plusClamped(try signed())
        guard time >= 0, time <= SampleBlock.latest else { throw .time }
        return time
    }
}
