import Logging
import Synchronization

/// A log that a test can read.
public final class RecordedLog: Sendable {
    private let lines = Mutex<[String]>([])

    public init() {}

    /// What was logged so far, a line each: the message, then its metadata.
    public var text: String { lines.withLock { $0.joined(separator: "\n") } }

    /// Logs into this, from debug on.
    public var logger: Logger {
        var logger = Logger(label: "test") { _ in Handler(log: self) }
        logger.logLevel = .debug
        return logger
    }

    private struct Handler: LogHandler {
        let log: RecordedLog
        var metadata: Logger.Metadata = [:]
        var logLevel = Logger.Level.debug

        subscript(metadataKey key: String) -> Logger.Metadata.Value? {
            get { metadata[key] }
            set { metadata[key] = newValue }
        }

        func log(event: LogEvent) {
            let words = (event.metadata ?? [:]).sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
            let line = ([event.message.description] + words).joined(separator: " ")
            log.lines.withLock { $0.append(line) }
        }
    }
}
