import Wire

/// The message of the original's app to the toy after `ok` and `ok`: `uid:ssid:pass`, in clear text.
///
/// It is split at the first two colons, so a password may contain more of them; a network whose name has a colon is not
/// possible. Improv Wi-Fi (``ImprovPacket``) has no such limit.
public struct ProvisioningMessage: Equatable, Sendable {
    /// The reason why a message is refused.
    public enum Fault: Error, Equatable, Sendable {
        /// The message has fewer than two colons.
        case missingColon
        /// The part before the first colon is not a number of 1...2147483647.
        case badUser
        /// The network's name is empty or longer than 32 bytes.
        case badSSID(bytes: Int)
        /// The password is longer than 63 bytes.
        case badPassword(bytes: Int)
        /// The network's name contains a colon or a line end.
        case cannotBeSaid
    }

    /// The port of the phone, or the laptop, that the toy dials.
    public static var port: UInt16 { 8_080 }
    /// The name of the access point that the toy opens.
    public static var accessPoint: StaticString { "Trivio" }
    /// The first message of each side.
    public static var greeting: StaticString { "ok" }
    /// The time for which the toy waits for the greeting, in milliseconds.
    public static var greetingTimeout: UInt32 { 2_000 }
    /// The time for which it then waits for the message, in milliseconds.
    public static var messageTimeout: UInt32 { 120_000 }
    /// The longest message, bytes.
    public static var longest: Int { 10 + 1 + 32 + 1 + 63 }

    /// The user of the original's API.
    public var user: UInt32
    /// The range of the network's name, in the decoded bytes.
    public var ssid: Range<Int>
    /// The range of the password, in the decoded bytes.
    public var password: Range<Int>

    /// Reads a message; a line end after it is not part of it.
    public init(decoding bytes: Span<UInt8>) throws(Fault) {
        var end = bytes.count
        while end > 0, bytes[end - 1] == 0x0A || bytes[end - 1] == 0x0D || bytes[end - 1] == 0 { end -= 1 }
        var first: Int?
        var second: Int?
        for index in 0..<end where bytes[index] == UInt8(ascii: ":") {
            if first == nil {
                first = index
            } else {
                second = index
                break
            }
        }
        guard let first, let second else { throw .missingColon }
        var user: UInt64 = 0
        guard (1...10).contains(first) else { throw .badUser }
        for index in 0..<first {
            guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(bytes[index]) else { throw .badUser }
            user = user * 10 + UInt64(bytes[index] - UInt8(ascii: "0"))
        }
        guard (1...UInt64(Int32.max)).contains(user) else { throw .badUser }
        self.user = UInt32(user)
        ssid = first + 1..<second
        password = second + 1..<end
        guard (1...32).contains(ssid.count) else { throw .badSSID(bytes: ssid.count) }
        guard password.count <= 63 else { throw .badPassword(bytes: password.count) }
    }

    /// Appends a message.
    public static func encode(
        user: UInt32, ssid: Span<UInt8>, password: Span<UInt8>, into sink: inout some ByteSink
    ) throws(Fault) {
        guard (1...UInt32(Int32.max)).contains(user) else { throw .badUser }
        guard (1...32).contains(ssid.count) else { throw .badSSID(bytes: ssid.count) }
        guard password.count <= 63 else { throw .badPassword(bytes: password.count) }
        for index in 0..<ssid.count where ssid[index] == UInt8(ascii: ":") { throw .cannotBeSaid }
        // A trailing line end of the password would be taken for the end of the message.
        if password.count > 0, [0x0A, 0x0D, 0].contains(password[password.count - 1]) { throw .cannotBeSaid }
        sink.put(decimal: Int64(user))
        sink.append(UInt8(ascii: ":"))
        sink.put(bytes: ssid)
        sink.append(UInt8(ascii: ":"))
        sink.put(bytes: password)
    }
}
