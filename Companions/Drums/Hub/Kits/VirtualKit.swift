import DrumsDevice
import DrumsEngine
import Foundation
import HubKit

/// The mishaps that befall a kit by itself.
struct KitMishaps: Sendable, Equatable {
    /// The time between losses of its radio, milliseconds on average; 0 is never.
    var lostEvery: Int64 = 0
    /// The time that the radio stays lost, milliseconds.
    var lostFor: Int64 = 3_000
    /// The time between resets, milliseconds on average; 0 is never.
    var resetEvery: Int64 = 0
}

/// A kit that is not there, played by nobody: the firmware itself on a board in memory, in front of a `VirtualDrummer`.
///
/// Time is milliseconds since it was switched on, and is moved by whoever owns it. Pure, and the same for a seed.
struct VirtualKit: Sendable {
    /// An event that comes out of the kit.
    enum Event: Equatable, Sendable {
        /// A notification as the radio sends it: at most 19 characters and a NUL.
        case notification([UInt8])
        /// The radio goes out of reach.
        case lost
        /// The radio comes back into reach.
        case back
        /// The kit was switched off and on: its cue is forgotten, its radio starts anew.
        case reset
    }

    private(set) var now: Int64 = 0
    /// Whether its radio is lost.
    private(set) var isLost = false
    private var kit: KitModel
    private var drummer: VirtualDrummer
    private let mishaps: KitMishaps
    private var random: SeededRandom
    /// The drum that the drummer sees lit.
    private var seen: Drum?
    private var strikes: [VirtualDrummer.Strike] = []
    /// The time at which each pad's line falls again.
    private var falls: [(drum: Drum, at: Int64)] = []
    /// The time until which the firmware has something to do by itself.
    private var busyUntil: Int64 = 0
    private var nextLoss: Int64?
    private var nextReturn: Int64?
    private var nextReset: Int64?

    private static let pulse: Int64 = 4

    /// Switches on a kit.
    ///
    /// - Parameter ticks: what the kit's clock reads when it is switched on, in milliseconds.
    init(_ traits: DrummerTraits = DrummerTraits(), mishaps: KitMishaps = KitMishaps(), seed: UInt64, ticks: UInt32 = 0)
    {
        let sensor = AccelerometerModel(seed: UInt32(truncatingIfNeeded: seed))
        kit = KitModel(board: BoardModel(milliseconds: ticks, accelerometer: sensor))
        drummer = VirtualDrummer(traits, seed: seed)
        self.mishaps = mishaps
        random = SeededRandom(seed: seed, stream: 2)
        kit.begin()
        nextLoss = moment(every: mishaps.lostEvery)
        nextReset = moment(every: mishaps.resetEvery)
    }

    /// Whether the person has nothing in mind, and the firmware nothing to tell.
    var isIdle: Bool { strikes.isEmpty && busyUntil <= now }

    /// The time of the next thing that happens by itself, if nothing comes from outside before.
    var nextMoment: Int64? {
        let force: Int64? = busyUntil > now ? busyUntil : nil
        return [strikes.first?.at, force, nextLoss, nextReturn, nextReset].compactMap { $0 }.min()
    }

    /// Runs the kit on to a time.
    mutating func advance(to time: Int64) -> [Event] {
        var events: [Event] = []
        while now < time {
            let isBusy = !strikes.isEmpty || !falls.isEmpty || busyUntil > now
            let mishap = [nextLoss, nextReturn, nextReset].compactMap { $0 }.min() ?? .max
            let next = isBusy ? now + 1 : max(now + 1, min(time, mishap))
            kit.board.milliseconds &+= UInt32(truncatingIfNeeded: next - now)
            now = next
            happen(&events)
            turn(&events)
        }
        return events
    }

    /// Hands the kit bytes that a page writes, now.
    mutating func take(_ bytes: [UInt8]) -> [Event] {
        guard !isLost else { return [] }
        var events: [Event] = []
        kit.board.toKit += bytes
        while !kit.board.toKit.isEmpty { turn(&events) }
        return events
    }

    /// Switches the kit off and on.
    mutating func reset() -> [Event] {
        kit = KitModel(board: BoardModel(milliseconds: 0, accelerometer: kit.board.accelerometer))
        kit.board.accelerometer.powerOn()
        kit.begin()
        (seen, strikes, falls, busyUntil) = (nil, [], [], 0)
        return isLost ? [] : [.reset]
    }

    /// Takes the radio out of reach, until `comeBack`.
    mutating func lose() -> [Event] {
        guard !isLost else { return [] }
        isLost = true
        return [.lost]
    }

    mutating func comeBack() -> [Event] {
        guard isLost else { return [] }
        isLost = false
        return [.back]
    }

    // MARK: -

    /// Lets happen what falls due by itself.
    private mutating func happen(_ events: inout [Event]) {
        for fall in falls where fall.at <= now { kit.pads[Int(fall.drum.rawValue)].isHigh = false }
        falls.removeAll { $0.at <= now }
        while let strike = strikes.first, strike.at <= now {
            strikes.removeFirst()
            kit.pads[Int(strike.drum.rawValue)].isHigh = true
            if strike.drum == .red {
                kit.board.accelerometer.strike(thousandths: strike.thousandths, at: kit.board.milliseconds)
            }
            falls.append((strike.drum, now + Self.pulse))
            busyUntil = now + Int64(KitTiming.forceWindow)
        }
        if let loss = nextLoss, loss <= now {
            events += lose()
            nextLoss = nil
            nextReturn = now + mishaps.lostFor
        }
        if let back = nextReturn, back <= now {
            events += comeBack()
            nextReturn = nil
            nextLoss = moment(every: mishaps.lostEvery)
        }
        if let reset = nextReset, reset <= now {
            events += self.reset()
            nextReset = moment(every: mishaps.resetEvery)
        }
    }

    private mutating func turn(_ events: inout [Event]) {
        kit.poll()
        let notifications = kit.board.notifications()
        if !isLost { events += notifications.map { .notification($0) } }
        let lit = Drum.allCases.first { kit.lights[Int($0.rawValue)].isHigh }
        guard lit != seen else { return }
        seen = lit
        // What the hand was about to do before the light changed, it does no longer.
        strikes = lit.map { drummer.sees($0, at: now) } ?? []
    }

    private mutating func moment(every: Int64) -> Int64? {
        guard every > 0 else { return nil }
        // Exponential: mishaps know nothing of the ones before.
        return now + max(1, Int64(-log(1 - random.unit()) * Double(every)))
    }
}
