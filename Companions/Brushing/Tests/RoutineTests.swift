import BrushingEngine
import Testing

@Suite("Routines")
struct RoutineTests {
    @Test("The original's routine brushes four quarters of half a minute, flosses a minute, rinses half a minute")
    func original() {
        #expect(Routine.original.steps.map(\.seconds) == [30, 60, 30])
        #expect(Routine.original.steps.map(\.repetitions) == [4, 1, 1])
    }

    @Test("A preset brushes for as long as it says", arguments: 1...3)
    func presets(minutes: Int) throws {
        let routine = try #require(Routine.preset(minutes: minutes))
        #expect(throws: Never.self) { try routine.check() }
        #expect(routine.steps[0].plannedMilliseconds == Int64(minutes) * 60_000)
        #expect(routine.plannedMilliseconds == Int64(minutes) * 60_000, "and nothing else")
    }

    @Test("The quarters come with the clock, or as Great Teeth has them: the lower left before the lower right")
    func quarters() throws {
        func places(_ routine: Routine) -> [Int] { routine.segments.filter { $0.kind == .brush }.map(\.place) }
        #expect(places(.original) == [0, 1, 2, 3])
        #expect(places(.original.ordered(.rows)) == [0, 1, 3, 2])
        for (repetitions, expected) in [
            (1, [0]), (2, [0, 1]), (3, [0, 1, 2]), (8, [0, 1, 2, 3, 6, 7, 4, 5]),
        ] {
            let routine = Routine(steps: [
                RoutineStep(kind: .brush, repetitions: repetitions, seconds: 30, quarters: .rows)
            ])
            #expect(places(routine) == expected)
        }
    }

    @Test("Bytes of before have the order of before; those of another order are read as they were written")
    func quarterBytes() throws {
        #expect(try Routine(bytes: [1, 0, 4, 30, 0, 1]).quarters == .around)
        for isOn in [true, false] {
            let routine = Routine(steps: [
                RoutineStep(kind: .brush, repetitions: 4, seconds: 30, isOn: isOn, quarters: .rows),
                RoutineStep(kind: .floss, repetitions: 1, seconds: 30),
            ])
            #expect(routine.bytes == [2, 0, 4, 30, 0, isOn ? 0x81 : 0x80, 1, 1, 30, 0, 1])
            #expect(try Routine(bytes: routine.bytes) == routine)
        }
        for flags: UInt8 in [2, 3, 0x82, 255] {
            #expect(throws: RoutineError.malformed) { try Routine(bytes: [1, 0, 4, 30, 0, flags]) }
        }
        #expect(throws: RoutineError.malformed) { try Routine(bytes: [1, 1, 4, 30, 0, 0x81]) }
    }

    @Test("Numbers beyond all bounds are a fault, and nothing traps on the way")
    func bounds() {
        for repetitions in [Int.min, -1, 0, 9, .max] {
            let routine = Routine(steps: [RoutineStep(kind: .brush, repetitions: repetitions, seconds: 30)])
            #expect(throws: RoutineError.repetitions) { try routine.check() }
            _ = routine.bytes
            _ = routine.plannedMilliseconds
        }
        for seconds in [Int.min, -1, 0, 4, 601, .max] {
            let routine = Routine(steps: [RoutineStep(kind: .rinse, repetitions: 8, seconds: seconds)])
            #expect(throws: seconds < 1 ? RoutineError.negativeDuration : .duration) { try routine.check() }
            _ = routine.bytes
            _ = routine.plannedMilliseconds
        }
    }
}
