import NIOCore

/// A limit that the owner of a hub may set, by its name. docs/site/reference/mqtt.md lists all.
public struct LimitSetting: Sendable {
    /// The name of the property in `Limits`, such as `topicBytes`.
    public let name: String
    /// The values that are allowed, up to the standard's own bound if it has one.
    public let range: ClosedRange<Int>
    private let read: @Sendable (Limits) -> Int
    private let write: @Sendable (inout Limits, Int) -> Void

    private init(
        _ name: String, _ range: ClosedRange<Int>, _ path: any WritableKeyPath<Limits, Int> & Sendable
    ) {
        self.name = name
        self.range = range
        read = { $0[keyPath: path] }
        write = { $0[keyPath: path] = $1 }
    }

    private init(
        _ name: String, from lowest: Int, _ path: any WritableKeyPath<Limits, UInt16> & Sendable
    ) {
        self.name = name
        range = lowest...Int(UInt16.max)
        read = { Int($0[keyPath: path]) }
        write = { $0[keyPath: path] = UInt16(clamping: $1) }
    }

    /// The current value.
    public func value(in limits: Limits) -> Int { read(limits) }

    /// The reason why a value was not accepted.
    public enum Refusal: Error, Equatable {
        case unknownName
        case outside(ClosedRange<Int>)
    }

    /// Sets a limit by its name.
    ///
    /// - Throws: `Refusal` if there is no such limit, or the value is outside of its range.
    public static func set(_ name: String, to value: Int, in limits: inout Limits) throws(Refusal) {
        guard let setting = all.first(where: { $0.name == name }) else { throw .unknownName }
        guard setting.range.contains(value) else { throw .outside(setting.range) }
        setting.write(&limits, value)
    }

    /// The longest packet that the fixed header can tell, section 2.2.3.
    private static let longestPacket = 268_435_455
    /// The range of counts, up to more than a small machine could hold: setting the maximum means no limit.
    private static let many = 1...1_000_000
    private static let memory = 1_024...1 << 30

    /// The settings in the order of `Limits`.
    public static let all: [LimitSetting] = [
        LimitSetting("packetBytes", 16...longestPacket, \.packetBytes),
        LimitSetting("connectBytes", 256...longestPacket, \.connectBytes),
        LimitSetting("connections", many, \.connections),
        LimitSetting("connectionsPerAddress", many, \.connectionsPerAddress),
        LimitSetting("connectionsPerPrincipal", many, \.connectionsPerPrincipal),
        LimitSetting("halfOpenConnections", many, \.halfOpenConnections),
        LimitSetting("halfOpenConnectionsPerAddress", many, \.halfOpenConnectionsPerAddress),
        LimitSetting("acceptingPausesAt", many, \.acceptingPausesAt),
        // [MQTT-3.1.3-5]
        LimitSetting("clientIDBytes", 23...Int(UInt16.max), \.clientIDBytes),
        LimitSetting("receiveMaximum", from: 1, \.receiveMaximum),
        LimitSetting("topicAliases", from: 0, \.topicAliases),
        LimitSetting("longestKeepAliveSeconds", 0...Int(UInt16.max), \.longestKeepAlive),
        // The tree of subscriptions is as deep.
        LimitSetting("topicLevels", 8...4_096, \.topicLevels),
        // [MQTT-4.7.3-3]
        LimitSetting("topicBytes", 64...Int(UInt16.max), \.topicBytes),
        LimitSetting("filtersPerPacket", many, \.filtersPerPacket),
        LimitSetting("subscriptionsPerSession", many, \.subscriptionsPerSession),
        LimitSetting("subscriptionsPerPrincipal", many, \.subscriptionsPerPrincipal),
        // So many packet identifiers there are.
        LimitSetting("messagesInFlight", 1...Int(UInt16.max), \.messagesInFlight),
        LimitSetting("queuedMessages", many, \.queuedMessages),
        LimitSetting("queuedBytes", memory, \.queuedBytes),
        LimitSetting("outputBytes", memory, \.outputBytes),
        LimitSetting("inputBytes", memory, \.inputBytes),
        LimitSetting("retainedMessages", many, \.retainedMessages),
        LimitSetting("retainedBytes", memory, \.retainedBytes),
        LimitSetting("retainedMessagesPerPrincipal", many, \.retainedMessagesPerPrincipal),
        LimitSetting("retainedBytesPerPrincipal", memory, \.retainedBytesPerPrincipal),
        LimitSetting("persistentSessionsPerPrincipal", many, \.persistentSessionsPerPrincipal),
        LimitSetting("connectSeconds", 1...3_600, \.connectSeconds),
        LimitSetting("writeSeconds", 1...3_600, \.writeSeconds),
    ]
}

extension Limits {
    /// `longestKeepAliveSeconds`, 0 where it is left to the client.
    fileprivate var longestKeepAlive: Int {
        get { Int(longestKeepAliveSeconds ?? 0) }
        set { longestKeepAliveSeconds = newValue == 0 ? nil : UInt16(clamping: newValue) }
    }

    /// `connectTime` in whole seconds.
    fileprivate var connectSeconds: Int {
        get { Int(connectTime.nanoseconds / 1_000_000_000) }
        set { connectTime = .seconds(Int64(newValue)) }
    }

    /// `writeTime` in whole seconds.
    fileprivate var writeSeconds: Int {
        get { Int(writeTime.nanoseconds / 1_000_000_000) }
        set { writeTime = .seconds(Int64(newValue)) }
    }
}
