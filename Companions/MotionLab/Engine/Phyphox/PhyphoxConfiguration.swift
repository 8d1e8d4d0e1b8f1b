import Wire

/// The experiment that is open on the phone, as the answer to `/config` describes it.
///
/// Source: phyphox's REST API, <https://phyphox.org/wiki/index.php/Remote-interface_communication>.
public struct PhyphoxConfiguration: Sendable, Equatable {
    /// A sensor, and the buffers that its values are in.
    public struct Input: Sendable, Equatable {
        /// The name of the sensor in phyphox: `accelerometer`, `linear_acceleration`, `pressure`.
        public var source: [UInt8]
        /// The component, such as `x` or `t`, and the name of the buffer.
        public var outputs: [(component: [UInt8], buffer: [UInt8])]

        /// A sensor with these outputs.
        public init(source: [UInt8], outputs: [(component: [UInt8], buffer: [UInt8])]) {
            self.source = source
            self.outputs = outputs
        }

        public static func == (left: Input, right: Input) -> Bool {
            guard left.source == right.source, left.outputs.count == right.outputs.count else { return false }
            for place in left.outputs.indices where left.outputs[place] != right.outputs[place] { return false }
            return true
        }

        /// The lab's kind of the sensor; nil for one that the lab does not use.
        public var kind: SensorKind? {
            let source = source.span
            if matches(source, "accelerometer") { return .accelerometer }
            if matches(source, "linear_acceleration") { return .linearAcceleration }
            if matches(source, "gravity") { return .gravity }
            if matches(source, "gyroscope") { return .gyroscope }
            if matches(source, "magnetic_field") { return .magnetometer }
            if matches(source, "pressure") { return .barometer }
            if matches(source, "light") { return .light }
            if matches(source, "temperature") { return .temperature }
            if matches(source, "humidity") { return .humidity }
            return nil
        }

        /// The buffer of a component.
        public func buffer(of component: StaticString) -> [UInt8]? {
            for output in outputs where matches(output.component.span, component) { return output.buffer }
            return nil
        }
    }

    /// The title, UTF-8.
    public var title: [UInt8] = []
    /// The names of all buffers.
    public var buffers: [[UInt8]] = []
    /// The sensors.
    public var inputs: [Input] = []

    /// The most bytes of an answer; an experiment with a thousand buffers has some 100 KB.
    public static let mostBytes = 1 << 20
    /// The most items of a list.
    public static let mostItems = 1_000

    /// Reads the answer to `/config`.
    public static func decode(_ bytes: [UInt8]) throws(PhyphoxError) -> PhyphoxConfiguration {
        let text = bytes.span
        var reader = PhyphoxReader(bytes, sizeLimit: mostBytes)
        var configuration = PhyphoxConfiguration()
        guard try reader.next() == .objectStart else { throw .shape }
        while let key = try reader.key() {
            let value = try reader.next()
            if matches(text.extracting(key), "title") {
                configuration.title = try reader.text(value) ?? []
            } else if matches(text.extracting(key), "error") {
                throw .refused(try reader.text(value) ?? [])
            } else if matches(text.extracting(key), "buffers") {
                guard value == .arrayStart else { throw .shape }
                while try reader.element() {
                    while let key = try reader.key() {
                        let value = try reader.next()
                        let name = try reader.text(value)
                        guard matches(text.extracting(key), "name"), let name else { continue }
                        configuration.buffers.append(name)
                    }
                    guard configuration.buffers.count <= mostItems else { throw .tooLarge }
                }
            } else if matches(text.extracting(key), "inputs") {
                guard value == .arrayStart else { throw .shape }
                while try reader.element() {
                    configuration.inputs.append(try input(&reader, text))
                    guard configuration.inputs.count <= mostItems else { throw .tooLarge }
                }
            } else {
                try reader.skip(value)
            }
        }
        guard try reader.next() == .end else { throw .shape }
        return configuration
    }

    private static func input(_ reader: inout PhyphoxReader, _ text: Span<UInt8>) throws(PhyphoxError) -> Input {
        var input = Input(source: [], outputs: [])
        while let key = try reader.key() {
            let value = try reader.next()
            if matches(text.extracting(key), "source") {
                input.source = try reader.text(value) ?? []
            } else if matches(text.extracting(key), "outputs") {
                guard value == .arrayStart else { throw .shape }
                while try reader.element() {
                    while let component = try reader.key() {
                        let value = try reader.next()
                        guard let buffer = try reader.text(value) else { continue }
                        input.outputs.append((JSONReader.unescaped(component, in: text), buffer))
                        guard input.outputs.count <= mostItems else { throw .tooLarge }
                    }
                }
            } else {
                try reader.skip(value)
            }
        }
        return input
    }
}
