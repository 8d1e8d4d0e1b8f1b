import ArgumentParser
import Foundation
import HubKit

/// Keeps a device's connection to a hub: measures, publishes, and after a break tries again, later each time.
struct DeviceLoop: Sendable {
    let address: DeviceLink.Address
    let interval: Duration

    init(_ options: DeviceOptions, interval: Duration) {
        address = DeviceLink.Address(
            host: options.hub.host, port: options.hub.port, device: options.device, token: options.token)
        self.interval = interval
    }

    /// Until the process ends.
    /// - Parameter measure: the payload for `tandem/<id>/readings`, or nil while there is nothing to say.
    /// - Throws: an exit code where trying again is of no use: the hub does not know the device.
    func run(_ measure: @escaping @Sendable () async -> String?) async throws {
        var pause = Duration.seconds(1)
        while true {
            do {
                try await DeviceLink.open(address) { link in
                    Self.say("Connected to \(address.host):\(address.port) as \(address.device).")
                    while true {
                        if let payload = await measure() {
                            try await link.publish([("readings", payload)])
                            print(payload)
                        } else {
                            try await link.ping()
                        }
                        try await rest(&link)
                    }
                }
            } catch let refused as DeviceLink.Refused {
                Self.say("\(refused)")
                guard refused.code == .serverUnavailable else { throw ExitCode(77) }
            } catch is CancellationError {
                return
            } catch {
                Self.say(
                    "\(address.host):\(address.port) cannot be reached (\(error)); trying again in \(pause.components.seconds) s."
                )
            }
            try await Task.sleep(for: pause)
            pause = min(pause * 2, .seconds(60))
        }
    }

    /// Waits for the next measurement, with a sign of life often enough.
    private func rest(_ link: inout DeviceLink.Conversation) async throws {
        var left = interval
        while left > .zero {
            let part = min(left, .seconds(30))
            try await Task.sleep(for: part)
            left -= part
            if left > .zero { try await link.ping() }
        }
    }

    /// To standard error, so that standard output holds the readings alone.
    static func say(_ text: String) { FileHandle.standardError.write(Data((text + "\n").utf8)) }
}
