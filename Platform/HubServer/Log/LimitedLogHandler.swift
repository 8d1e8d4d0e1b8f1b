import Foundation
import HubKit
import Logging
import Synchronization

/// A log handler that passes lines on to another, but limits repetitions: an attacker must not fill the log, nor hide
/// in it. Omitted lines are summarised in one when their minute is over. See `LogLimiter` for the rule.
public struct LimitedLogHandler: LogHandler {
    private let limiter: SharedLogLimiter
    private var handler: any LogHandler

    /// Wraps a log handler.
    ///
    /// - Parameters:
    ///   - handler: the handler that writes.
    ///   - limiter: the limiter of all handlers of the process.
    public init(_ handler: any LogHandler, limiter: SharedLogLimiter) {
        self.handler = handler
        self.limiter = limiter
    }

    /// The log level of the wrapped handler.
    public var logLevel: Logger.Level {
        get { handler.logLevel }
        set { handler.logLevel = newValue }
    }

    /// The metadata of the wrapped handler.
    public var metadata: Logger.Metadata {
        get { handler.metadata }
        set { handler.metadata = newValue }
    }

    /// The metadata provider of the wrapped handler.
    public var metadataProvider: Logger.MetadataProvider? {
        get { handler.metadataProvider }
        set { handler.metadataProvider = newValue }
    }

    /// A metadata value of the wrapped handler.
    public subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { handler[metadataKey: key] }
        set { handler[metadataKey: key] = newValue }
    }

    /// Writes or counts a line.
    public func log(event: LogEvent) {
        let handler = handler
        let isWritten = limiter.take(event) { omission in
            handler.log(
                event: LogEvent(
                    level: omission.cause.level, message: "\(omission.words)", metadata: nil, source: nil,
                    file: omission.cause.file, function: "", line: omission.cause.line))
        }
        if isWritten { handler.log(event: event) }
    }
}

/// The counts of log lines by cause, for all loggers of the process.
public final class SharedLogLimiter: Sendable {
    private let state: Mutex<LogLimiter>
    private let now: @Sendable () -> Int64
    private let schedule: @Sendable (_ seconds: Int64, _ work: @escaping @Sendable () -> Void) -> Void

    /// Creates a limiter that uses the system's clock.
    public convenience init() {
        self.init(limits: .init(), now: { Int64(ProcessInfo.processInfo.systemUptime) }) { seconds, work in
            DispatchQueue.global(qos: .utility).asyncAfter(deadline: .now() + .seconds(Int(seconds)), execute: work)
        }
    }

    /// Creates a limiter.
    ///
    /// - Parameters:
    ///   - now: the seconds of a monotonic clock.
    ///   - schedule: runs the work after some seconds.
    init(
        limits: LogLimiter.Limits, now: @escaping @Sendable () -> Int64,
        schedule: @escaping @Sendable (_ seconds: Int64, _ work: @escaping @Sendable () -> Void) -> Void
    ) {
        state = Mutex(LogLimiter(limits: limits))
        self.now = now
        self.schedule = schedule
    }

    /// Whether a line should be written.
    ///
    /// - Parameter tell: writes the summary of omitted lines, later, on any thread.
    func take(_ event: LogEvent, tell: @escaping @Sendable (LogLimiter.Omission) -> Void) -> Bool {
        let cause = LogLimiter.Cause(file: event.file, line: event.line, level: event.level)
        let time = now()
        let (taken, seconds) = state.withLock { state in
            let address = event.metadata?["address"].map { "\($0)" }
            return (
                state.take(cause, address: address, now: time) { event.message.description }, state.seconds
            )
        }
        if taken.isFirstOmitted {
            // A second more, since the interval began earlier than its first omission, and seconds are whole ones.
            schedule(seconds + 1) { self.omissions().forEach(tell) }
        }
        return taken.isWritten
    }

    private func omissions() -> [LogLimiter.Omission] {
        let time = now()
        return state.withLock { $0.omissions(now: time) }
    }
}
