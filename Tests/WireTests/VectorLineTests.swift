import Testing
import VectorLines
import Wire

@Suite("A line of a vector file")
struct VectorLineTests {
    private enum Colour: UInt8 { case red = 1, blue }

    @Test("Words are read as what the command asks for, or as nothing")
    func words() {
        let line = VectorLine(Array("paint\t2\t300\t-1\t0aFF\tx".utf8))
        #expect(line.command == Array("paint".utf8))
        #expect(line.choice(1) == Colour.blue)
        #expect((line.choice(2) as Colour?) == nil)
        #expect((line.choice(3) as Colour?) == nil)
        #expect(line.integer(2, as: Int16.self) == 300)
        #expect(line.integer(2, as: UInt8.self) == nil)
        #expect(line.integer(3, as: Int8.self) == -1)
        #expect(line.integer(5, as: Int.self) == nil)
        #expect(line.hex(4) == [0x0A, 0xFF])
        #expect(line.count(3) == nil)
        #expect(line.text(9) == [])
    }
}
