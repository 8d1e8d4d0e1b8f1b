import BrushingEngine
import Testing

@Suite("Routines")
struct RoutineTests {
    @Test("The original's routine brushes four quarters of half a minute, flosses a minute, rinses half a minute")
    func original() {
        #expect(Routine.original.steps.map(\.seconds) == [30, 60, 30])
        #expect(Routine.original.steps.map(\.repetitions) == [4, 1, 1])
    }
}
