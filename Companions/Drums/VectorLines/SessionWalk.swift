import DrumsEngine
import VectorLines
import Wire

/// Plays a session at random: inputs that make sense and inputs that do not, with clocks that stand still and jump. After
/// each, what is kept is played again and must have come to the same.
struct SessionWalk {
    private var random: DrumChoice
    private var now: Int64 = 0
    private var differences = 0

    init(seed: UInt32) { random = DrumChoice(seed: seed) }

    mutating func run(_ setup: SessionSetup, _ count: Int, _ text: inout TextWriter) {
        do throws(SessionCodecError) {
            var session = try DrumSession(setup: setup)
            _ = session.handle(.start(wall: 1_795_244_400_000), atMicroseconds: now)
            for _ in 0..<count {
                step(&session)
                try compare(session)
            }
            _ = session.handle(.finish, atMicroseconds: now)
            try compare(session)
            text.write(differences == 0 ? "same: " : "differs: ")
            text.write(session.result)
            text.write(" events ", Int64(session.events.count))
        } catch {
            text.write(error)
        }
    }

    private mutating func below(_ bound: Int) -> Int {
        Int((UInt64(random.next()) * UInt64(bound)) >> 32)
    }

    private mutating func step(_ session: inout DrumSession) {
        let steps: [Int64] = [0, 1, 16_000, 100_000, 200_000, 500_000, 900_000, 3_000_000]
        now += steps[below(steps.count)]
        if below(400) == 0 { now += 2_000_000_000 }
        // Some come with the time at which they happened.
        let at = below(4) == 0 ? now - 12_000 : now
        switch below(20) {
        case 0: _ = session.handle(.pause, atMicroseconds: at)
        case 1, 2: _ = session.handle(.resume, atMicroseconds: at)
        case 3: _ = session.handle(.linkLost, atMicroseconds: at)
        case 4, 5:
            _ = session.handle(
                .linkBack(LinkKind(rawValue: UInt8(below(7))) ?? .screen, latencyTenths: UInt16(below(3) * 100)),
                atMicroseconds: at)
        case 6:
            let away: Int64 = below(40) == 0 ? 1_800_001 : Int64(below(100_000)) - 1_000
            let wall = session.wallMilliseconds(ofEvent: session.events.count - 1) + away
            now = Int64(below(3)) * 1_000_000
            _ = session.handle(.opened(wall: wall), atMicroseconds: now)
        case 7, 8: hit(&session, at, isAsked: false)
        case 9...13: hit(&session, at, isAsked: true)
        default: _ = session.handle(.tick, atMicroseconds: at)
        }
        let view = session.view
        if view.isCueDue, !view.isCueShown, let step = view.cueStep, below(8) > 0 {
            _ = session.handle(.cueShown(step: step), atMicroseconds: now)
        }
    }

    private mutating func hit(_ session: inout DrumSession, _ at: Int64, isAsked: Bool) {
        let any = Drum(rawValue: UInt8(below(4))) ?? .red
        let drum = isAsked ? session.view.cueDrum ?? any : any
        guard session.view.link.hasOwnClock else {
            let link: LinkKind = below(2) == 0 ? .screen : .keyboard
            _ = session.handle(.strike(drum, velocity: UInt8(below(128)), link: link), atMicroseconds: at)
            return
        }
        var text = TextWriter()
        if below(3) == 0 { text.write("1 ") }
        text.write(Int64(drum.rawValue))
        text.write(" ", Int64(below(900)))
        text.write(below(2) == 0 ? " -1.00" : " 3.20")
        let cut = below(text.bytes.count)
        for part in [text.bytes[..<cut], text.bytes[cut...], [0x45, 0x4E, 0x44, 0x00]] {
            _ = session.handle(.message(Array(part)), atMicroseconds: at)
        }
    }

    private mutating func compare(_ session: DrumSession) throws(SessionCodecError) {
        let bytes = session.encoded()
        var again = try DrumSession.decoded(bytes)
        if again.encoded() != bytes { differences += 1 }
        // Up to now, which the bytes do not know.
        again.look(as: session)
        if again.result != session.result || again.view != session.view { differences += 1 }
    }
}

extension DrumSession {
    /// The session that was played up to an event.
    package func beginning(events count: Int) -> DrumSession? {
        do throws(SessionCodecError) {
            var part = try DrumSession(setup: setup, recordedVersion: recordedVersion)
            for event in events.prefix(count) {
                part.replay(event, claim: event.input == .finish ? claim : nil)
            }
            part.endReplay()
            return part
        } catch {
            return nil
        }
    }
}
