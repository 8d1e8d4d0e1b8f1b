import ClientKit
import DeviceParts
import HubKit
import Synchronization
import TriviaToyDevice
import TriviaToyEngine
import TriviaToyVirtualBoard

/// A player that runs a virtual toy as time passes: the firmware turns on its board, what its Wi-Fi module connects to
/// is a hub, and what its speech module says is published beside what the firmware does.
struct ToyPlayer: Sendable {
    /// An input that comes to the toy from outside.
    enum Input: Sendable {
        /// A deed of a hand, or of the house.
        case step(Timeline.Step)
        /// Bytes at its console.
        case typed([UInt8])
        /// Bytes over a connection; the connections are numbered.
        case received([UInt8], connection: Int)
        case closed(connection: Int)
    }

    /// An output of the toy.
    enum Output: Sendable {
        /// A connection with the hub that was made, or lost.
        case link(isOnline: Bool)
        /// The beginning of something that the toy says.
        case said(String)
        /// Bytes at its console.
        case console([UInt8])
        /// The content of its memory, a moment after that has changed.
        case memory([UInt8])
    }

    /// A place that the toy dials, and where that is.
    struct Place: Sendable {
        /// The place's name as the firmware says it.
        var name: String
        var host: String
        var port: Int
    }

    /// The inbox of inputs to the toy, which any task may add to.
    final class Inbox: Sendable {
        private let inputs = Mutex<[Input]>([])

        init() {}

        func add(_ input: Input) { inputs.withLock { $0.append(input) } }

        fileprivate func take() -> [Input] {
            inputs.withLock { inputs in
                defer { inputs = [] }
                return inputs
            }
        }
    }

    /// The toy, as it is switched on.
    var toy: VirtualToy
    /// A throw each so many milliseconds; nil for none.
    var throwEvery: Int64?
    /// The places, on this machine or in its network, that the toy dials by other names.
    var places: [Place] = []
    /// The inbox of inputs to the toy.
    let inbox = Inbox()

    /// The time from one turn of the toy to the next.
    private static let turn = Duration.milliseconds(10)
    /// The most that is caught up with at once, milliseconds: a machine that slept makes no toy of a day.
    private static let longestTurn: Int64 = 250
    /// The number of turns for which a memory must have been left alone before it is handed out.
    private static let settling = 50

    init(toy: VirtualToy, throwEvery: Int64? = nil, places: [Place] = []) {
        self.toy = toy
        self.throwEvery = throwEvery
        self.places = places
    }

    /// Plays the toy until it is cancelled. It is called once.
    func run(_ tell: @escaping @Sendable (Output) async throws -> Void) async throws {
        try await withThrowingDiscardingTaskGroup { group in
            defer { group.cancelAll() }
            var life = Life(toy)
            let start = ContinuousClock.now
            var (turned, nextThrow) = (Int64(0), throwEvery ?? .max)
            while !Task.isCancelled {
                let now = (ContinuousClock.now - start).milliseconds
                for input in inbox.take() { life.take(input) }
                if now >= nextThrow {
                    nextThrow = now + (throwEvery ?? 0)
                    life.take(.step(.move(MotionScript.thrown())))
                }
                life.turn(UInt32(min(now - turned, Self.longestTurn)))
                turned = now
                for dialled in life.takeCalls() {
                    let inbox = inbox
                    let call = dialled.led(by: places)
                    group.addTask { await call.run(inbox) }
                }
                for output in life.takeOutputs(settling: Self.settling) { try await tell(output) }
                try? await Task.sleep(for: Self.turn)
            }
            // What was just written is not forgotten with the end.
            for output in life.takeOutputs(settling: 0) { try await tell(output) }
        }
    }
}

/// A connection that the toy's Wi-Fi module has opened.
private struct Call: Sendable {
    var number: Int
    var host: String
    var port: Int
    var output: AsyncStream<[UInt8]>

    /// The same call, to where its place is.
    func led(by places: [ToyPlayer.Place]) -> Call {
        guard let place = places.first(where: { $0.name == host }) else { return self }
        return Call(number: number, host: place.host, port: place.port, output: output)
    }

    func run(_ inbox: ToyPlayer.Inbox) async {
        // Whatever ends it, the toy finds the connection closed, and calls again when it sees fit.
        try? await ByteLink.open(.host(host, port: port)) { link, incoming in
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask {
                    for await bytes in output { try await link.send(bytes) }
                    await link.close()
                }
                while let bytes = try await incoming.next() { inbox.add(.received(bytes, connection: number)) }
                group.cancelAll()
            }
        }
        inbox.add(.closed(connection: number))
    }
}

/// The toy between two turns, without any waiting.
private struct Life {
    private var virtual: VirtualToy
    private var outputs: [ToyPlayer.Output] = []
    private var calls: [Call] = []
    private var connection: (number: Int, output: AsyncStream<[UInt8]>.Continuation)?
    private var connections = 0
    private var reported = 0
    private var isOnline = false
    private var sequence: UInt32 = 0
    private var piece: UInt8 = 0
    private var writes: Int
    private var turnsSinceWrite: Int?

    init(_ toy: VirtualToy) {
        virtual = toy
        writes = toy.toy.board.memory.writes
        // What is stored beside the firmware's own doing, such as what was set up, is handed out too.
        turnsSinceWrite = 0
    }

    mutating func take(_ input: ToyPlayer.Input) {
        switch input {
        case .step(let step): virtual.perform(step)
        case .typed(let bytes): virtual.toy.board.type(bytes)
        case .received(let bytes, let number):
            if number == connection?.number { virtual.toy.board.wifi.deliver(bytes) }
        case .closed(let number):
            guard number == connection?.number else { return }
            hangUp()
            virtual.toy.board.wifi.closeFromPeer()
        }
    }

    mutating func turn(_ milliseconds: UInt32) {
        virtual.run(milliseconds: milliseconds)
        for event in virtual.toy.board.wifi.takeEvents() {
            switch event {
            case .opened(let host, let port): call(host, port)
            case .sent(let bytes): connection?.output.yield(bytes)
            case .closed: hangUp()
            }
        }
        let console = virtual.toy.board.takeConsoleOutput()
        if !console.isEmpty { outputs.append(.console(console)) }
        if virtual.toy.machine.isConnected != isOnline {
            isOnline.toggle()
            outputs.append(.link(isOnline: isOnline))
        }
        report()
        if virtual.toy.board.memory.writes != writes {
            writes = virtual.toy.board.memory.writes
            turnsSinceWrite = 0
        } else if let turns = turnsSinceWrite {
            turnsSinceWrite = turns + 1
        }
    }

    mutating func takeCalls() -> [Call] {
        defer { calls = [] }
        return calls
    }

    mutating func takeOutputs(settling: Int) -> [ToyPlayer.Output] {
        defer { outputs = [] }
        guard let turns = turnsSinceWrite, turns >= settling else { return outputs }
        turnsSinceWrite = nil
        return outputs + [.memory(virtual.toy.board.memory.bytes)]
    }

    private mutating func call(_ host: String, _ port: UInt16) {
        hangUp()
        connections += 1
        let (stream, continuation) = AsyncStream.makeStream(of: [UInt8].self)
        connection = (connections, continuation)
        calls.append(Call(number: connections, host: host, port: Int(port), output: stream))
    }

    private mutating func hangUp() {
        connection?.output.finish()
        connection = nil
    }

    /// Tells what the speech module was told to say since the last turn.
    private mutating func report() {
        let spoken = virtual.toy.board.voice.spoken
        while reported < spoken.count {
            let utterance = spoken[reported]
            reported += 1
            let play = virtual.toy.journal.state.sequence
            piece = play == sequence ? piece &+ 1 : 0
            sequence = play
            outputs.append(.said(utterance.words))
            // The original's server is not told.
            guard isOnline, let settings = virtual.toy.journal.settings, settings.user == 0 else { continue }
            let report = SpokenReport(
                fact: virtual.toy.current?.id ?? 0, voice: UInt8(clamping: utterance.voice),
                volume: Int8(clamping: utterance.volume), wordsPerMinute: UInt16(clamping: utterance.wordsPerMinute),
                language: FactLanguage(rawValue: UInt8(clamping: utterance.language)) ?? .english, piece: piece)
            var message: [UInt8] = []
            guard (try? report.encode(text: Array(utterance.words.utf8).span, into: &message)) != nil else { continue }
            // The firmware sends whole packets, so that another one fits between two of them.
            connection?.output.yield(Self.publish(message, ToyTopic.said, settings))
        }
    }

    /// The packet PUBLISH with QoS 0 (MQTT 3.1.1, clause 3.3): what was said is over when it could be sent again.
    private static func publish(_ message: [UInt8], _ topic: StaticString, _ settings: LinkSettings) -> [UInt8] {
        let name = "tandem/".utf8 + (0..<settings.device.count).map { settings.device[$0] } + "/\(topic)".utf8
        let count = 2 + name.count + message.count
        let length = count < 128 ? [UInt8(count)] : [UInt8(count & 0x7F | 0x80), UInt8(count >> 7)]
        return [0x30] + length + [0, UInt8(name.count)] + name + message
    }
}

extension Duration {
    /// The number of whole milliseconds.
    fileprivate var milliseconds: Int64 {
        components.seconds * 1_000 + components.attoseconds / 1_000_000_000_000_000
    }
}
