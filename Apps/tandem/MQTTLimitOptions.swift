import ArgumentParser
import Configuration
import HubKit
import MQTT

/// What one MQTT client may cost, and how much of the standard is spoken: docs/site/reference/mqtt.md says each limit beside
/// its clause.
struct MQTTLimitOptions: ParsableArguments {
    @Option(
        name: .customLong("mqtt-limit"),
        help: ArgumentHelp(
            "A limit of MQTT, such as topicBytes=65535; may be given again. In the file {\"mqtt\": {\"limits\": {\"topicBytes\": 65535}}}. The page MQTT of the documentation lists all.",
            valueName: "name=number"))
    var limits: [String] = []

    @Option(
        name: .customLong("mqtt-oldest"),
        help: "The oldest MQTT that is spoken: 3.1, 3.1.1 or 5.0. (default: 3.1.1)")
    var oldest: String?

    /// By their keys.
    var flags: [(String, ConfigContent?)] {
        get throws {
            let limits = try limits.map { limit -> (String, ConfigContent?) in
                let parts = limit.split(separator: "=", maxSplits: 1).map(String.init)
                guard parts.count == 2, let value = Int(parts[1]) else {
                    throw ValidationError(
                        "--mqtt-limit \(limit): it is a name, = and a number, as in topicBytes=65535.")
                }
                try Self.check(parts[0], value)
                return ("mqtt.limits.\(parts[0])", .int(value))
            }
            return limits + [("mqtt.oldest", oldest.map { .string($0) })]
        }
    }

    /// Puts into `limits` what was set, of the flags, the environment or the file.
    func read(_ reader: ConfigReader, into limits: inout Limits) throws {
        for setting in LimitSetting.all {
            guard let value = reader.int(forKey: ConfigKey(["mqtt", "limits", setting.name])) else { continue }
            try Self.set(setting.name, to: value, in: &limits)
        }
        guard let text = reader.string(forKey: "mqtt.oldest") else { return }
        let versions: [String: ProtocolVersion] = ["3.1": .v31, "3.1.1": .v311, "5.0": .v5, "5": .v5]
        guard let version = versions[text] else {
            throw ValidationError("--mqtt-oldest knows no “\(text)”. It knows 3.1, 3.1.1 and 5.0.")
        }
        limits.oldestVersion = version
    }

    private static func check(_ name: String, _ value: Int) throws {
        var limits = Limits()
        try set(name, to: value, in: &limits)
    }

    private static func set(_ name: String, to value: Int, in limits: inout Limits) throws {
        do throws(LimitSetting.Refusal) {
            try LimitSetting.set(name, to: value, in: &limits)
        } catch {
            switch error {
            case .unknownName:
                let known = LimitSetting.all.map(\.name).joined(separator: ", ")
                throw ValidationError("MQTT has no limit “\(name)”. It has: \(known).")
            case .outside(let range):
                throw ValidationError(
                    "MQTT’s limit \(name) is from \(range.lowerBound) to \(range.upperBound); \(value) is not.")
            }
        }
    }
}
