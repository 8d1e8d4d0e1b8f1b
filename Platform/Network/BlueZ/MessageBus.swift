import CSystemd
import NIOPosix

/// A connection to a message bus of this machine, by libsystemd's sd-bus: calls, their answers, and signals.
///
/// A thread waits for the connection's file; all else happens in the actor, which alone touches what is sd-bus's.
public actor MessageBus {
    /// A signal, which nobody asked for.
    public struct Signal: Sendable {
        /// The object that sent it.
        public var path: String
        /// Its interface.
        public var interface: String
        /// Its name.
        public var member: String
        /// Its arguments.
        public var arguments: [BusValue]
    }

    /// The signals of the matches that were added, in their order.
    public nonisolated let signals: AsyncStream<Signal>
    private let signal: AsyncStream<Signal>.Continuation
    private let connection: Connection
    private var bus: OpaquePointer { connection.bus }
    /// A counter whose file wakes the thread that waits.
    private nonisolated let waker: Int32
    private let thread = NIOThreadPool(numberOfThreads: 1)
    private var calls: [UInt64: CheckedContinuation<Result<[BusValue], BusError>, Never>] = [:]
    private var isClosed = false

    /// The time that a call is given, in seconds: connecting to a device over radio takes some.
    private static let patience = Duration.seconds(40)
    /// The most signals that wait to be read; the oldest go first.
    private static let mostSignals = 4_096

    /// Connects.
    ///
    /// - Parameter address: the address of the bus (D-Bus specification, "Server addresses"); nil for the system's, which
    ///   `DBUS_SYSTEM_BUS_ADDRESS` may name.
    public init(address: String? = nil) throws(BusError) {
        var made: OpaquePointer?
        if let address {
            var result = sd_bus_new(&made)
            if result >= 0 { result = sd_bus_set_address(made, address) }
            if result >= 0 { result = sd_bus_set_bus_client(made, 1) }
            if result >= 0 { result = sd_bus_start(made) }
            if result < 0 {
                sd_bus_unref(made)
                throw .unreachable(errno: -result)
            }
        } else {
            let result = sd_bus_open_system(&made)
            if result < 0 { throw .unreachable(errno: -result) }
        }
        guard let made else { throw .unreachable(errno: ENOMEM) }
        let waker = eventfd(0, Int32(EFD_CLOEXEC | EFD_NONBLOCK))
        guard waker >= 0 else {
            sd_bus_close(made)
            sd_bus_unref(made)
            throw .unreachable(errno: errno)
        }
        connection = Connection(bus: made, waker: waker)
        self.waker = waker
        (signals, signal) = AsyncStream.makeStream(of: Signal.self, bufferingPolicy: .bufferingNewest(Self.mostSignals))
    }

    /// The connection of sd-bus with the counter, closed at their end.
    private struct Connection: ~Copyable {
        let bus: OpaquePointer
        let waker: Int32

        deinit {
            sd_bus_close(bus)
            sd_bus_unref(bus)
            close(waker)
        }
    }

    /// Exchanges messages until it is cancelled or the bus is gone.
    public func run() async {
        thread.start()
        await withTaskCancellationHandler {
            while !Task.isCancelled, process() {
                let (file, events, timeout) = (sd_bus_get_fd(bus), sd_bus_get_events(bus), milliseconds())
                guard file >= 0, events >= 0, await wait(file, events, timeout) else { break }
            }
        } onCancel: {
            var one: UInt64 = 1
            _ = write(waker, &one, 8)
        }
        isClosed = true
        for call in calls.values { call.resume(returning: .failure(.closed)) }
        calls = [:]
        signal.finish()
        try? await thread.shutdownGracefully()
    }

    /// Calls a method, and waits for its answer.
    ///
    /// - Parameters:
    ///   - destination: the name of the program that is called, such as `org.bluez`.
    ///   - path: the path of its object.
    ///   - interface: the interface of the method.
    ///   - member: the method.
    ///   - arguments: its arguments.
    @discardableResult
    public func call(
        _ destination: String, path: String, interface: String, _ member: String, _ arguments: [BusArgument] = []
    ) async throws(BusError) -> [BusValue] {
        guard !isClosed else { throw .closed }
        var made: OpaquePointer?
        let result = sd_bus_message_new_method_call(bus, &made, destination, path, interface, member)
        guard result >= 0, let made else { throw .unreachable(errno: -result) }
        let message = BusMessage(taking: made)
        for argument in arguments { try message.append(argument) }
        var cookie: UInt64 = 0
        let sent = sd_bus_send(bus, message.pointer, &cookie)
        guard sent >= 0 else { throw .unreachable(errno: -sent) }
        wake()
        let number = cookie
        let timer = Task { [weak self] in
            guard (try? await Task.sleep(for: Self.patience)) != nil else { return }
            await self?.answer(number, .failure(.timedOut))
        }
        let answer = await withCheckedContinuation { calls[number] = $0 }
        timer.cancel()
        return try answer.get()
    }

    /// Asks the bus for signals.
    ///
    /// - Parameter rule: which (D-Bus specification, "Match rules").
    public func match(_ rule: String) async throws(BusError) {
        try await call(
            "org.freedesktop.DBus", path: "/org/freedesktop/DBus", interface: "org.freedesktop.DBus", "AddMatch",
            [.string(rule)])
    }

    private func answer(_ number: UInt64, _ result: Result<[BusValue], BusError>) {
        calls.removeValue(forKey: number)?.resume(returning: result)
    }

    /// Handles all that has come.
    ///
    /// - Returns: whether the connection is still there.
    private func process() -> Bool {
        while true {
            var made: OpaquePointer?
            let result = sd_bus_process(bus, &made)
            guard result >= 0 else { return false }
            guard let made else {
                if result == 0 { return true }
                continue
            }
            let message = BusMessage(taking: made)
            switch message.kind {
            case .reply: if let number = message.replyTo { answer(number, .success(message.values())) }
            case .error: if let number = message.replyTo { answer(number, .failure(message.error)) }
            case .signal:
                signal.yield(
                    Signal(
                        path: message.path, interface: message.interface, member: message.member,
                        arguments: message.values()))
            case .other: break
            }
        }
    }

    /// The time in milliseconds after which the connection wants to be looked at in any case; -1 for never.
    private func milliseconds() -> Int32 {
        var deadline: UInt64 = 0
        guard sd_bus_get_timeout(bus, &deadline) >= 0, deadline != .max else { return -1 }
        var now = timespec()
        clock_gettime(CLOCK_MONOTONIC, &now)
        let microseconds = UInt64(now.tv_sec) * 1_000_000 + UInt64(now.tv_nsec) / 1_000
        return deadline <= microseconds ? 0 : Int32(clamping: (deadline - microseconds) / 1_000 + 1)
    }

    /// Waits until the file can be read or written as wanted, or somebody wakes it.
    ///
    /// - Returns: whether it could wait.
    private nonisolated func wait(_ file: Int32, _ events: Int32, _ milliseconds: Int32) async -> Bool {
        let waker = self.waker
        return
            (try? await thread.runIfActive {
                var files = [
                    pollfd(fd: file, events: Int16(truncatingIfNeeded: events), revents: 0),
                    pollfd(fd: waker, events: Int16(POLLIN), revents: 0),
                ]
                let result = poll(&files, 2, milliseconds)
                if files[1].revents != 0 {
                    var count: UInt64 = 0
                    _ = read(waker, &count, 8)
                }
                return result >= 0 || errno == EINTR
            }) ?? false
    }

    /// Makes the thread look again at what there is to write.
    private func wake() {
        var one: UInt64 = 1
        _ = write(waker, &one, 8)
    }
}
