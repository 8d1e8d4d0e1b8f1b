import ArgumentParser
import Foundation

/// Where a hub takes readings: `mqtt://127.0.0.1:1883`.
struct HubAddress: ExpressibleByArgument, Sendable {
    var host: String
    var port: Int

    init?(argument: String) {
        guard let parts = URLComponents(string: argument), parts.scheme == "mqtt", let host = parts.host, !host.isEmpty,
            parts.path.isEmpty || parts.path == "/"
        else { return nil }
        // URLComponents keeps the brackets of an IPv6 address.
        self.host = host.trimmingCharacters(in: CharacterSet(charactersIn: "[]"))
        port = parts.port ?? 1883
    }

    var defaultValueDescription: String { "mqtt://\(host):\(port)" }
}

/// The options of a command that speaks as a device.
struct DeviceOptions: ParsableArguments {
    @Option(help: ArgumentHelp("Where the hub listens.", valueName: "url"))
    var hub = HubAddress(argument: "mqtt://127.0.0.1:1883")!  // The literal is such an address.

    @Option(help: "The device’s id, as `tandem device add` or the page shows it.")
    var device: String

    @Option(help: "The device’s token. It is shown once, when the device is added; a new one can be made in the page.")
    var token: String
}
