import ArgumentParser
import Foundation

/// The address of a hub's MQTT listener, such as `mqtt://127.0.0.1:1883`.
public struct HubAddress: ExpressibleByArgument, Sendable {
    /// The host name or address.
    public var host: String
    /// The port of the hub's MQTT listener.
    public var port: Int

    /// Reads an address; nil if it is not a `mqtt` URL.
    public init?(argument: String) {
        guard let parts = URLComponents(string: argument), parts.scheme == "mqtt", let host = parts.host, !host.isEmpty,
            parts.path.isEmpty || parts.path == "/"
        else { return nil }
        // URLComponents keeps the brackets of an IPv6 address.
        self.host = host.trimmingCharacters(in: CharacterSet(charactersIn: "[]"))
        port = parts.port ?? 1883
    }

    /// The address as a URL.
    public var defaultValueDescription: String { "mqtt://\(host):\(port)" }
}

/// The options of a command that connects as a device.
public struct DeviceOptions: ParsableArguments {
    /// The address of the hub's MQTT listener.
    @Option(help: ArgumentHelp("Where the hub listens.", valueName: "url"))
    public var hub = HubAddress(argument: "mqtt://127.0.0.1:1883")!  // The literal is such an address.

    /// The device's id.
    @Option(help: "The device’s id, as `tandem device add` or the page shows it.")
    public var device: String

    /// The device's token.
    @OptionGroup public var token: TokenOptions

    /// Creates the options with their defaults.
    public init() {}

    /// The address to sign in at, with the device's id and token.
    ///
    /// - Throws: a `ValidationError` without a token.
    public func address() throws -> DeviceLink.Address {
        guard let token = try token.value() else {
            throw ValidationError("The device’s token is missing: --token-file names a file that holds it.")
        }
        return DeviceLink.Address(host: hub.host, port: hub.port, device: device, token: token)
    }
}
