import DeviceParts
import TriviaToyDevice

/// The firmware on a virtual board, with a script of events.
public struct VirtualToy: Sendable {
    /// The firmware with its board.
    public var toy: TriviaToy<VirtualBoard>
    /// The events that are still to happen, in order of time.
    public private(set) var timeline: Timeline

    /// A toy that is switched on.
    public init(board: VirtualBoard = VirtualBoard(), timeline: Timeline = Timeline()) {
        toy = TriviaToy(board: board)
        self.timeline = timeline
        toy.begin()
    }

    /// Turns the firmware for a number of milliseconds of board time.
    /// - Parameter served: called each millisecond, to play the network's other end.
    public mutating func run(milliseconds: UInt32, serve: (inout ESP8266Model) -> Void = { _ in }) {
        let end = toy.board.microseconds + UInt64(milliseconds) * 1_000
        while toy.board.microseconds < end {
            while let step = timeline.next(at: toy.board.milliseconds) { perform(step) }
            toy.poll()
            serve(&toy.board.wifi)
            toy.board.advance(microseconds: 1_000)
        }
    }

    /// Adds an event to the script.
    public mutating func schedule(_ step: Timeline.Step, at milliseconds: UInt32) {
        timeline.add(step, at: milliseconds)
    }

    /// Performs an event now.
    public mutating func perform(_ step: Timeline.Step) {
        switch step {
        case .move(let segments): toy.board.bus.play(segments)
        case .hold(let button, let time): toy.board.hold(button, milliseconds: time)
        case .battery(let voltage): toy.board.battery.voltage = voltage
        case .accelerometer(let faults): toy.board.bus.faults = faults
        case .voice(let faults): toy.board.voice.faults = faults
        case .wifi(let faults): toy.board.wifi.faults = faults
        case .memory(let faults): toy.board.memory.faults = faults
        case .accessPoint(let isGone): toy.board.wifi.setAccessPoint(isGone: isGone)
        case .garbleSpeech(let toToy, let toModule):
            toy.board.voice.line.garbledToToy = toToy
            toy.board.voice.line.garbledToModule = toModule
        case .garbleRadio(let toToy, let toModule):
            toy.board.wifi.line.garbledToToy = toToy
            toy.board.wifi.line.garbledToModule = toModule
        case .brownOut:
            // The modules restart; the processor goes on.
            toy.board.bus.powerOn()
            toy.board.voice.powerOn(at: toy.board.microseconds)
            toy.board.wifi.powerOn()
        case .powerCut: powerCycle()
        case .closeConnection: toy.board.wifi.closeFromPeer()
        }
    }

    /// Turns the power off and on: the firmware starts with the content of the memory.
    public mutating func powerCycle() {
        var board = toy.board
        board.powerCycle()
        toy = TriviaToy(board: board)
        toy.begin()
    }
}

/// A script of events, in board time.
public struct Timeline: Sendable {
    /// An event of the script.
    public enum Step: Sendable {
        case move([MotionSegment])
        case hold(ToyButton, milliseconds: UInt32)
        case battery(millivolts: UInt16)
        case accelerometer(MPU6050Model.Faults)
        case voice(EMIC2Model.Faults)
        case wifi(ESP8266Model.Faults)
        case memory(FlashModel.Faults)
        case accessPoint(isGone: Bool)
        case garbleSpeech(toToy: Int, toModule: Int)
        case garbleRadio(toToy: Int, toModule: Int)
        case brownOut
        case powerCut
        case closeConnection
    }

    private var entries: [(at: UInt32, step: Step)] = []

    /// An empty script.
    public init() {}

    /// Adds a step at a time of the board's clock, milliseconds.
    public mutating func add(_ step: Step, at milliseconds: UInt32) {
        let place = entries.firstIndex { $0.at > milliseconds } ?? entries.count
        entries.insert((milliseconds, step), at: place)
    }

    mutating func next(at now: UInt32) -> Step? {
        guard let first = entries.first, first.at <= now else { return nil }
        return entries.removeFirst().step
    }
}
