import DeviceHAL
import DrumsEngine

/// The kit's firmware: lights the drum that is asked for, and reports which drums were struck, how fast and how hard.
///
/// The protocol on its serial line, to a Bluetooth or Wi-Fi module, is that of the original (BeeBop, 2016): one ASCII
/// digit to the kit, `0` to `3` for a drum and `4` for stop; from the kit, for each cue that is answered, the wrong
/// drums in the order they were struck, the right one, its reaction time in milliseconds and its force, with spaces
/// between, in pieces of at most 19 characters with a NUL after each, and then `END`. The module sends each piece as
/// one notification.
///
/// ```swift
/// var kit = DrumKit(pads: pads, lights: lights, board: board)
/// kit.begin()
/// while true { kit.poll() }
/// ```
///
/// It needs no heap. A kit that was reset has forgotten its cue: its link is seen to break, and the page cues anew.
public struct DrumKit<Pad: Pin, Light: Pin, Board: Ticks & I2CBus & UART> {
    /// The piezo inputs by drum number; high is struck.
    public var pads: InlineArray<4, Pad>
    /// The ring of light of each drum, by its number.
    public var lights: InlineArray<4, Light>
    /// The clock, the accelerometer's bus, and the line to the radio.
    public var board: Board

    private var filter = StrikeFilter()
    private var sensor = StrikeSensor()
    private var writer = NotificationWriter()
    /// A bit for each pad whose line was high at the last turn.
    private var high: UInt8 = 0
    private var cue: Cue?
    private var wrong = WrongStrikes()
    private var answer: Answer?

    private struct Cue {
        var drum: Drum
        var at: UInt32
        /// Whether the cue is older than the longest reaction. The ticks wrap around after 49 days, so this is
        /// remembered.
        var isLongAgo = false
    }

    /// The strike of the right drum, whose force is being measured.
    private struct Answer {
        var drum: Drum
        var reaction: UInt32
        var at: UInt32
    }

    /// A kit that is about to be switched on.
    public init(pads: InlineArray<4, Pad>, lights: InlineArray<4, Light>, board: Board) {
        self.pads = pads
        self.lights = lights
        self.board = board
    }

    /// Puts the lights out and wakes the accelerometer. A line that is high already is not a strike.
    public mutating func begin() {
        for drum in 0..<4 {
            lights[drum].drive(high: false)
            if pads[drum].isHigh { high |= 1 << UInt8(drum) }
        }
        sensor.wake(&board)
    }

    /// Runs one turn: takes commands, looks at the pads, measures. To be called at least once a millisecond.
    public mutating func poll() {
        var taken = 0
        // Noise on the line must not keep the kit from its pads.
        while taken < KitTiming.bytesATurn, let byte = board.receive() {
            obey(byte)
            taken += 1
        }
        let now = board.milliseconds
        filter.pass(now)
        if let cue, now &- cue.at >= KitTiming.longestReaction { self.cue?.isLongAgo = true }
        look(now)
        measure(now)
    }

    // MARK: - Commands

    private mutating func obey(_ byte: UInt8) {
        if let drum = Drum(rawValue: byte &- UInt8(ascii: "0")) {
            stop()
            lights[Int(drum.rawValue)].drive(high: true)
            cue = Cue(drum: drum, at: board.milliseconds)
            sensor.expect(board.milliseconds)
        } else if byte == UInt8(ascii: "4") {
            stop()
        }
    }

    /// Forgets the cue. An answer that has begun is reported first.
    private mutating func stop() {
        if answer != nil { send() }
        if let cue { lights[Int(cue.drum.rawValue)].drive(high: false) }
        cue = nil
        wrong.clear()
    }

    // MARK: - Strikes

    private mutating func look(_ now: UInt32) {
        var risen: UInt8 = 0
        for drum in 0..<4 {
            let bit: UInt8 = 1 << UInt8(drum)
            if pads[drum].isHigh {
                if high & bit == 0 { risen |= bit }
                high |= bit
            } else {
                high &= ~bit
            }
        }
        guard risen != 0 else { return }
        // Where the shock reaches two pads within one turn, it is the drum that was asked for.
        if let drum = cue?.drum, risen & 1 << drum.rawValue != 0 {
            strike(drum, now)
            risen &= ~(1 << drum.rawValue)
        }
        for number: UInt8 in 0..<4 where risen & 1 << number != 0 {
            if let drum = Drum(rawValue: number) { strike(drum, now) }
        }
    }

    private mutating func strike(_ drum: Drum, _ now: UInt32) {
        guard filter.accepts(drum, now), let cue else { return }
        guard drum == cue.drum else { return wrong.append(drum) }
        lights[Int(drum.rawValue)].drive(high: false)
        answer = Answer(
            drum: drum, reaction: cue.isLongAgo ? KitTiming.longestReaction : now &- cue.at, at: now)
        self.cue = nil
        if drum == StrikeSensor.drum { sensor.begin() } else { send() }
    }

    // MARK: - The accelerometer

    private mutating func measure(_ now: UInt32) {
        if let answer {
            sensor.sample(&board, now)
            if !sensor.isMeasuring || now &- answer.at >= KitTiming.forceWindow { send() }
        } else if cue?.drum == StrikeSensor.drum, filter.isQuiet {
            sensor.rest(&board, now)
        }
    }

    // MARK: - Telling

    private mutating func send() {
        guard let answer else { return }
        self.answer = nil
        for place in 0..<wrong.count {
            writer.put(UInt8(ascii: "0") + wrong[place], to: &board)
            writer.put(UInt8(ascii: " "), to: &board)
        }
        wrong.clear()
        writer.put(UInt8(ascii: "0") + answer.drum.rawValue, to: &board)
        writer.put(UInt8(ascii: " "), to: &board)
        writer.put(decimal: answer.reaction, places: 0, to: &board)
        writer.put(UInt8(ascii: " "), to: &board)
        if answer.drum == StrikeSensor.drum, let force = sensor.end() {
            writer.put(decimal: force, places: 2, to: &board)
        } else {
            writer.put("-1.00", to: &board)
        }
        writer.endOfNotification(to: &board)
        writer.put("END", to: &board)
        writer.endOfNotification(to: &board)
    }
}

extension DrumKit: Sendable where Pad: Sendable, Light: Sendable, Board: Sendable {}

/// The kit's times, milliseconds, and limits.
public enum KitTiming {
    /// The time for which a strike on another drum is the same shock (as in the original).
    public static var otherDrum: UInt32 { 5 }
    /// The time for which a strike on the same drum is the same one, ringing (as in the original).
    public static var sameDrum: UInt32 { 200 }
    /// The time after the strike within which the peak of the force comes.
    public static var forceWindow: UInt32 { 20 }
    /// The longest reaction, which a slower one is reported as: the longest that the engine reads.
    public static var longestReaction: UInt32 { 600_000 }
    /// The number of wrong drums of a cue that are reported; further ones are not counted, so that a message keeps
    /// below 512 bytes.
    public static var wrongStrikes: Int { 200 }
    /// The number of bytes taken from the line in one turn.
    static var bytesATurn: Int { 32 }
}

/// The wrong drums of the cue that stands, in the order they were struck.
struct WrongStrikes: Sendable {
    private var drums = InlineArray<200, UInt8>(repeating: 0)
    private(set) var count = 0

    subscript(place: Int) -> UInt8 { drums[place] }

    mutating func append(_ drum: Drum) {
        guard count < KitTiming.wrongStrikes else { return }
        drums[count] = drum.rawValue
        count += 1
    }

    mutating func clear() { count = 0 }
}
