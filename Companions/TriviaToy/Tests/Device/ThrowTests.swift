import Testing
import TriviaToyDevice
import TriviaToyEngine
import TriviaToyVirtualBoard

@Suite("Throws, and what is none")
struct ThrowTests {
    /// What the detector says of a motion, through the accelerometer's model at 200 Hz.
    static func causes(_ segments: [MotionSegment], seed: UInt32, original: Bool = false) throws -> [PlayCause] {
        var board = VirtualBoard(pages: 3, seed: seed)
        let driver = MPU6050()
        try driver.begin(&board)
        var detector = ThrowDetector()
        detector.usesOriginalRule = original
        board.bus.play([.rest(500)])
        var causes: [PlayCause] = []
        func listen(_ milliseconds: UInt32) throws {
            let end = board.milliseconds + milliseconds
            while board.milliseconds < end {
                if let cause = detector.take(try driver.sample(&board.bus), at: board.milliseconds) {
                    causes.append(cause)
                }
                board.advance(microseconds: 5_000)
            }
        }
        try listen(500)
        board.bus.play(segments)
        try listen(board.bus.motionTime + 1_000)
        return causes
    }

    @Test("A throw, with spin or without, high or low, is one throw", arguments: UInt32(1)...2)
    func thrown(seed: UInt32) throws {
        for flight: UInt32 in [250, 400, 600, 1_000, 1_800] {
            #expect(
                try Self.causes(MotionScript.thrown(flight: flight), seed: seed) == [.thrown],
                "seed \(seed), \(flight) ms")
        }
        #expect(try Self.causes(MotionScript.spun, seed: seed) == [.thrown], "seed \(seed)")
    }

    @Test("A fall from a table with two bounces is one fall", arguments: UInt32(1)...2)
    func dropped(seed: UInt32) throws {
        #expect(try Self.causes(MotionScript.dropped, seed: seed) == [.dropped], "seed \(seed)")
    }

    @Test("A shake of a second and a half is one shake", arguments: UInt32(1)...2)
    func shaken(seed: UInt32) throws {
        #expect(try Self.causes(MotionScript.shaken, seed: seed) == [.shaken], "seed \(seed)")
    }

    @Test("Walking, running, driving, putting down and handing over are nothing", arguments: UInt32(1)...2)
    func nothing(seed: UInt32) throws {
        for motion in [
            MotionScript.walked, MotionScript.run, MotionScript.driven, MotionScript.putDown, MotionScript.handedOver,
        ] {
            let causes = try Self.causes(motion, seed: seed)
            #expect(causes.isEmpty, "seed \(seed), \(motion[0]): \(causes)")
        }
    }

    @Test("Two throws two seconds apart are two")
    func two() throws {
        let motion = MotionScript.thrown() + [.rest(1_000)] + MotionScript.thrown()
        #expect(try Self.causes(motion, seed: 1) == [.thrown, .thrown])
    }

    @Test("The original's rule takes any two samples half a second apart that differ by 15,000 counts")
    func original() {
        var detector = ThrowDetector()
        detector.usesOriginalRule = true
        func take(_ z: Int32, _ at: UInt32) -> PlayCause? { detector.take(Acceleration(x: 0, y: 0, z: z), at: at) }
        #expect(take(1_000, 0) == nil)
        #expect(take(-1_000, 200) == nil, "not looked at")
        #expect(take(80, 500) == .jolted)
        #expect(take(990, 1_000) == nil, "910 is not more than 915")
        #expect(take(9_000, 1_500) == .jolted, "clipped to 2 g, as the original's range")
    }

    @Test(
        "The factory's trim follows the register map's formula",
        arguments: [(1, 1_392), (16, 2_290), (31, 3_768)] as [(UInt8, Int32)])
    func trim(code: UInt8, counts: Int32) {
        #expect(abs(MPU6050.factoryTrim(code) - counts) <= 3)
        #expect(MPU6050.factoryTrim(0) == 0)
    }
}
