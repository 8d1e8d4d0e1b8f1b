import ArgumentParser
import Synchronization

extension DeviceLink {
    /// Opens a device's link again and again, later each time, until `body` returns.
    ///
    /// - Parameters:
    ///   - say: what became of the connection, in a sentence.
    ///   - body: runs with each open link; what it throws means that the link was lost.
    /// - Throws: an exit code where trying again is of no use: the hub does not know the device.
    public static func keepOpen(
        _ address: Address, keepAliveSeconds: UInt16 = DeviceLink.keepAliveSeconds,
        say: @Sendable (String) -> Void = CommandOutput.say,
        _ body: @Sendable (inout Conversation) async throws -> Void
    ) async throws {
        var retries = RetryPause()
        while true {
            let wasOpen = Mutex(false)
            do {
                return try await open(address, keepAliveSeconds: keepAliveSeconds) { link in
                    wasOpen.withLock { $0 = true }
                    say("Connected to \(address.host):\(address.port) as \(address.device).")
                    try await body(&link)
                }
            } catch let refused as Refused {
                say("Error: \(refused) Check --device and --token.")
                guard refused.code == .serverUnavailable else { throw ExitCode(77) }
            } catch is CancellationError {
                return
            } catch {
                let isLost = wasOpen.withLock { $0 }
                if isLost { retries.connected() }
                say(
                    "\(isLost ? "The connection to " : "")\(address.host):\(address.port) \(isLost ? "was lost" : "cannot be reached"); trying again in \(retries.next.components.seconds) s."
                )
            }
            try await Task.sleep(for: retries.next)
            retries.failed()
        }
    }
}
