import Wire

/// The answer to `/get?…`: values of buffers, and the state of the measurement.
public struct PhyphoxValues: Sendable, Equatable {
    /// A buffer of the experiment.
    public struct Buffer: Sendable, Equatable {
        /// The part of the buffer that was answered.
        public enum Update: UInt8, Sendable {
            case single, full, partial
        }

        /// The name.
        public var name: [UInt8]
        /// The part that was answered.
        public var update: Update
        /// The values. Nil where phyphox says `null`: not a number, or an infinite one.
        public var values: [Double?]

        /// A buffer with these values.
        public init(name: [UInt8], update: Update, values: [Double?]) {
            self.name = name
            self.update = update
            self.values = values
        }
    }

    /// The buffers.
    public var buffers: [Buffer] = []
    /// The session. A new one means that phyphox was started again or its data cleared, and times begin anew.
    public var session: [UInt8] = []
    /// Whether the experiment is measuring.
    public var isMeasuring = false

    /// An answer with these buffers.
    public init(buffers: [Buffer] = [], session: [UInt8] = [], isMeasuring: Bool = false) {
        self.buffers = buffers
        self.session = session
        self.isMeasuring = isMeasuring
    }

    /// The most bytes of an answer.
    public static let mostBytes = 8 << 20
    /// The most values of all buffers.
    public static let mostValues = 1 << 19

    /// The buffer of that name.
    public func buffer(_ name: [UInt8]) -> Buffer? {
        for buffer in buffers where buffer.name == name { return buffer }
        return nil
    }

    /// Reads the answer to `/get?…`.
    public static func decode(_ bytes: [UInt8]) throws(PhyphoxError) -> PhyphoxValues {
        let text = bytes.span
        var reader = PhyphoxReader(bytes, sizeLimit: mostBytes)
        var answer = PhyphoxValues()
        var count = 0
        var isWhole = false
        guard try reader.next() == .objectStart else { throw .shape }
        while let key = try reader.key() {
            let value = try reader.next()
            if matches(text.extracting(key), "buffer") {
                guard value == .objectStart else { throw .shape }
                isWhole = true
                while let name = try reader.key() {
                    guard try reader.next() == .objectStart else { throw .shape }
                    let buffer = try buffer(JSONReader.unescaped(name, in: text), &reader, text, &count)
                    answer.buffers.append(buffer)
                    guard answer.buffers.count <= PhyphoxConfiguration.mostItems else { throw .tooLarge }
                }
            } else if matches(text.extracting(key), "status") {
                guard value == .objectStart else { throw .shape }
                while let field = try reader.key() {
                    let value = try reader.next()
                    if matches(text.extracting(field), "session") {
                        answer.session = try reader.text(value) ?? []
                    } else if matches(text.extracting(field), "measuring") {
                        answer.isMeasuring = value == .bool(true)
                        try reader.skip(value)
                    } else {
                        try reader.skip(value)
                    }
                }
            } else if matches(text.extracting(key), "error") {
                throw .refused(try reader.text(value) ?? [])
            } else {
                try reader.skip(value)
            }
        }
        guard try reader.next() == .end, isWhole else { throw .shape }
        return answer
    }

    private static func buffer(
        _ name: [UInt8], _ reader: inout PhyphoxReader, _ text: Span<UInt8>, _ count: inout Int
    ) throws(PhyphoxError) -> Buffer {
        var buffer = Buffer(name: name, update: .single, values: [])
        while let key = try reader.key() {
            let value = try reader.next()
            if matches(text.extracting(key), "updateMode") {
                guard case .string(let mode) = value else { throw .shape }
                if matches(text.extracting(mode), "full") { buffer.update = .full }
                if matches(text.extracting(mode), "partial") { buffer.update = .partial }
            } else if matches(text.extracting(key), "buffer") {
                guard value == .arrayStart else { throw .shape }
                values: while true {
                    switch try reader.next() {
                    case .arrayEnd: break values
                    case .number(let number): buffer.values.append(decimal(text.extracting(number)))
                    case .null: buffer.values.append(nil)
                    default: throw .shape
                    }
                    count += 1
                    guard count <= mostValues else { throw .tooLarge }
                }
            } else {
                try reader.skip(value)
            }
        }
        return buffer
    }
}
