import CSystemd

/// A message of sd-bus while it is written or read: only within ``MessageBus``, and given back at its end.
struct BusMessage: ~Copyable {
    let pointer: OpaquePointer

    /// Takes a message over, with its reference.
    init(taking pointer: OpaquePointer) { self.pointer = pointer }

    deinit { sd_bus_message_unref(pointer) }

    /// The most values of a message that are read: a bus of this machine sends no more to anybody who means well.
    private static let mostValues = 100_000

    /// A kind of message.
    enum Kind { case reply, error, signal, other }

    var kind: Kind {
        var type: UInt8 = 0
        guard sd_bus_message_get_type(pointer, &type) >= 0 else { return .other }
        switch Int(type) {
        case Int(SD_BUS_MESSAGE_METHOD_RETURN): return .reply
        case Int(SD_BUS_MESSAGE_METHOD_ERROR): return .error
        case Int(SD_BUS_MESSAGE_SIGNAL): return .signal
        default: return .other
        }
    }

    /// The number of the call that it answers.
    var replyTo: UInt64? {
        var cookie: UInt64 = 0
        return sd_bus_message_get_reply_cookie(pointer, &cookie) >= 0 ? cookie : nil
    }

    var path: String { text(sd_bus_message_get_path(pointer)) }
    var interface: String { text(sd_bus_message_get_interface(pointer)) }
    var member: String { text(sd_bus_message_get_member(pointer)) }

    /// The error that it is.
    var error: BusError {
        guard let error = sd_bus_message_get_error(pointer) else { return .refused(name: "", words: "") }
        return .refused(name: text(error.pointee.name), words: text(error.pointee.message))
    }

    private func text(_ pointer: UnsafePointer<CChar>?) -> String { pointer.map { String(cString: $0) } ?? "" }

    // MARK: Reading

    /// All that it says; what cannot be read is left out with all that comes after it.
    func values() -> [BusValue] {
        var left = Self.mostValues
        return rest(&left)
    }

    /// The values up to the end of the container that is read.
    private func rest(_ left: inout Int) -> [BusValue] {
        var values: [BusValue] = []
        while let value = next(&left) { values.append(value) }
        return values
    }

    private func next(_ left: inout Int) -> BusValue? {
        left -= 1
        guard left >= 0 else { return nil }
        var type: CChar = 0
        var contents: UnsafePointer<CChar>?
        guard sd_bus_message_peek_type(pointer, &type, &contents) > 0 else { return nil }
        switch UInt8(bitPattern: type) {
        case UInt8(ascii: "y"): return read(type, UInt8(0)).map { .integer(Int64($0)) }
        case UInt8(ascii: "b"): return read(type, Int32(0)).map { .bool($0 != 0) }
        case UInt8(ascii: "n"): return read(type, Int16(0)).map { .integer(Int64($0)) }
        case UInt8(ascii: "q"): return read(type, UInt16(0)).map { .integer(Int64($0)) }
        case UInt8(ascii: "i"): return read(type, Int32(0)).map { .integer(Int64($0)) }
        case UInt8(ascii: "u"): return read(type, UInt32(0)).map { .integer(Int64($0)) }
        case UInt8(ascii: "x"): return read(type, Int64(0)).map { .integer($0) }
        case UInt8(ascii: "t"):
            return read(type, UInt64(0)).map { number in Int64(exactly: number).map { .integer($0) } ?? .large(number) }
        case UInt8(ascii: "d"): return read(type, Double(0)).map { .double($0) }
        case UInt8(ascii: "s"): return readText(type).map { .string($0) }
        case UInt8(ascii: "o"): return readText(type).map { .objectPath($0) }
        case UInt8(ascii: "g"): return readText(type).map { .signature($0) }
        case UInt8(ascii: "h"): return read(type, Int32(0)).map { _ in .file }
        case UInt8(ascii: "a") where contents.map({ String(cString: $0) }) == "y": return readBytes().map { .bytes($0) }
        case UInt8(ascii: "a") where contents.map({ $0.pointee == CChar(bitPattern: UInt8(ascii: "{")) }) ?? false:
            return dictionary(type, contents, &left)
        case UInt8(ascii: "a"): return container(type, contents, &left).map { .array($0) }
        case UInt8(ascii: "r"), UInt8(ascii: "e"): return container(type, contents, &left).map { .structure($0) }
        case UInt8(ascii: "v"): return container(type, contents, &left)?.first
        default: return nil
        }
    }

    private func read<Number: BitwiseCopyable>(_ type: CChar, _ zero: Number) -> Number? {
        var number = zero
        return sd_bus_message_read_basic(pointer, type, &number) > 0 ? number : nil
    }

    private func readText(_ type: CChar) -> String? {
        var text: UnsafePointer<CChar>?
        guard sd_bus_message_read_basic(pointer, type, &text) > 0, let text else { return nil }
        return String(cString: text)
    }

    private func readBytes() -> [UInt8]? {
        var bytes: UnsafeRawPointer?
        var count = 0
        guard sd_bus_message_read_array(pointer, CChar(bitPattern: UInt8(ascii: "y")), &bytes, &count) >= 0 else {
            return nil
        }
        return Array(UnsafeRawBufferPointer(start: bytes, count: count))
    }

    private func container(_ type: CChar, _ contents: UnsafePointer<CChar>?, _ left: inout Int) -> [BusValue]? {
        guard sd_bus_message_enter_container(pointer, type, contents) > 0 else { return nil }
        let values = rest(&left)
        return sd_bus_message_exit_container(pointer) >= 0 ? values : nil
    }

    private func dictionary(_ type: CChar, _ contents: UnsafePointer<CChar>?, _ left: inout Int) -> BusValue? {
        guard let entries = container(type, contents, &left) else { return nil }
        var all: [BusValue: BusValue] = [:]
        for case .structure(let entry) in entries where entry.count == 2 { all[entry[0]] = entry[1] }
        return .dictionary(all)
    }

    // MARK: Writing

    /// Adds an argument.
    func append(_ argument: BusArgument) throws(BusError) {
        switch argument {
        case .bool(let bool):
            var value: Int32 = bool ? 1 : 0
            try check(sd_bus_message_append_basic(pointer, CChar(bitPattern: UInt8(ascii: "b")), &value))
        case .string(let text):
            try check(
                text.withCString { sd_bus_message_append_basic(pointer, CChar(bitPattern: UInt8(ascii: "s")), $0) })
        case .bytes(let bytes):
            try check(
                bytes.withUnsafeBytes {
                    sd_bus_message_append_array(
                        pointer, CChar(bitPattern: UInt8(ascii: "y")), $0.baseAddress, $0.count)
                })
        case .options(let options):
            try open("a", "{sv}")
            for (name, value) in options {
                try open("e", "sv")
                try append(.string(name))
                try append(.variant(value))
                try close()
            }
            try close()
        case .variant(let value):
            try open("v", value.signature)
            try append(value)
            try close()
        }
    }

    private func open(_ type: Unicode.Scalar, _ contents: String) throws(BusError) {
        try check(sd_bus_message_open_container(pointer, CChar(bitPattern: UInt8(ascii: type)), contents))
    }

    private func close() throws(BusError) { try check(sd_bus_message_close_container(pointer)) }

    private func check(_ result: Int32) throws(BusError) {
        if result < 0 { throw .unreachable(errno: -result) }
    }
}
