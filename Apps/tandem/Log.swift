import Foundation
import HubKit
import HubServer
import Logging

/// The hub's log: a line an event on standard error, for people and for journald, and not the same line for ever.
enum Log {
    static func start(_ level: Logger.Level) -> Logger {
        let limiter = SharedLogLimiter()
        LoggingSystem.bootstrap { label in
            var handler = StreamLogHandler.standardError(label: label)
            handler.logLevel = level
            return LimitedLogHandler(handler, limiter: limiter)
        }
        return Logger(label: "tandem")
    }

    /// For commands that say what they did themselves.
    static let quiet = Logger(label: "tandem", factory: { _ in SwiftLogNoOpLogHandler() })
}
