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
