import Testing

@testable import HubKit
@testable import HubServer

@Suite("QR codes")
struct QRCodeTests {
    @Test("A code has its three finder patterns and the size of a version (ISO/IEC 18004, 6.3)")
    func finders() throws {
        let code = try #require(QRCode("https://linden.local:8443"))
        #expect((code.size - 17) % 4 == 0)
        #expect(code.modules.count == code.size * code.size)
        let far = code.size - 7
        for (top, left) in [(0, 0), (0, far), (far, 0)] {
            for row in 0..<7 {
                for column in 0..<7 {
                    let ring = min(row, column, 6 - row, 6 - column)
                    #expect(code.modules[(top + row) * code.size + left + column] == (ring != 1))
                }
            }
        }
    }

    @Test("The path draws each dark module once and no light one")
    func path() throws {
        let code = try #require(QRCode("TANDEM"))
        var drawn = [Bool](repeating: false, count: code.modules.count)
        for run in code.path.split(separator: "M") {
            let numbers = run.split { !$0.isNumber }.compactMap { Int($0) }
            for column in numbers[0]..<numbers[0] + numbers[2] { drawn[numbers[1] * code.size + column] = true }
        }
        #expect(drawn == code.modules)
    }

    @Test("The terminal's lines are as wide as the code with its quiet zone")
    func terminal() throws {
        let code = try #require(QRCode("TANDEM"))
        #expect(code.terminalLines.count == (code.size + 9) / 2)
        #expect(code.terminalLines.allSatisfy { $0.filter { " ▄▀█".contains($0) }.count == code.size + 8 })
    }

    @Test("An empty text and one that no code holds have none")
    func none() {
        #expect(QRCode("") == nil)
        #expect(QRCode(String(repeating: "x", count: 3_000)) == nil)
    }
}
