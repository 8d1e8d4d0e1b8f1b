import ArgumentParser
import Foundation

/// Where a hub takes what devices publish: `mqtt://127.0.0.1:1883`.
public struct HubAddress: ExpressibleByArgument, Sendable {
    /// A name or an address.
    public var host: String
    /// Of the hub's MQTT listener.
    public var port: Int

    public init?(argument: String) {
        guard let parts = URLComponents(string: argument), parts.scheme == "mqtt", let host = parts.host, !host.isEmpty,
            parts.path.isEmpty || parts.path == "/"
        else { return nil }
        // URLComponents keeps the brackets of an IPv6 address.
        self.host = host.trimmingCharacters(in: CharacterSet(charactersIn: "[]"))
        port = parts.port ?? 1883
    }

    public var defaultValueDescription: String { "mqtt://\(host):\(port)" }
}

/// The options of a command that speaks as a device.
public struct DeviceOptions: ParsableArguments {
    @Option(help: ArgumentHelp("Where the hub listens.", valueName: "url"))
    public var hub = HubAddress(argument: "mqtt://127.0.0.1:1883")!  // The literal is such an address.

    @Option(help: "The device’s id, as `tandem device add` or the page shows it.")
    public var device: String

    @OptionGroup public var token: TokenOptions

    public init() {}

    /// Where to sign in, and as whom.
    ///
    /// - Throws: a `ValidationError` without a token.
    public func address() throws -> DeviceLink.Address {
        guard let token = try token.value() else {
            throw ValidationError("The device’s token is missing: --token-file names a file that holds it.")
        }
        return DeviceLink.Address(host: hub.host, port: hub.port, device: device, token: token)
    }
}
