import Foundation
import PlantsEngine
import Testing

/// The lines of a vector file: `> input`, then `< expected`; `#` begins a comment.
struct VectorFile: Sendable, CustomTestStringConvertible {
    struct Example: Sendable {
        var line: Int
        var input: [UInt8]
        var expected: [UInt8]
    }

    let name: String
    let examples: [Example]

    var testDescription: String { name }

    static let all: [VectorFile] = {
        let folder = Bundle.module.resourceURL?.appendingPathComponent("Vectors").resolvingSymlinksInPath()
        let files = folder.flatMap {
            try? FileManager.default.contentsOfDirectory(at: $0, includingPropertiesForKeys: nil)
        }
        return (files ?? []).filter { $0.pathExtension == "txt" }
            .sorted { $0.lastPathComponent < $1.lastPathComponent }
            .compactMap { url in
                (try? Data(contentsOf: url)).map { VectorFile(name: url.lastPathComponent, bytes: Array($0)) }
            }
    }()

    private init(name: String, bytes: [UInt8]) {
        var examples: [Example] = []
        var input: [UInt8] = []
        for (number, line) in bytes.split(separator: 0x0A, omittingEmptySubsequences: false).enumerated() {
            switch line.first {
            case UInt8(ascii: ">"): input = Self.unescaped(line.dropFirst(2))
            case UInt8(ascii: "<"):
                examples.append(
                    Example(line: number + 1, input: input, expected: Self.unescaped(line.dropFirst(2))))
            default: continue
            }
        }
        self.name = name
        self.examples = examples
    }

    /// `\t`, `\n`, `\\` and `\xNN` stand for bytes.
    private static func unescaped(_ text: ArraySlice<UInt8>) -> [UInt8] {
        var bytes: [UInt8] = []
        var rest = text[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "\\"), let kind = rest.popFirst() else {
                bytes.append(byte)
                continue
            }
            switch kind {
            case UInt8(ascii: "t"): bytes.append(0x09)
            case UInt8(ascii: "n"): bytes.append(0x0A)
            case UInt8(ascii: "x"):
                bytes.append(UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16) ?? 0)
                rest = rest.dropFirst(2)
            default: bytes.append(kind)
            }
        }
        return bytes
    }
}

@Suite("The vector files, which WebAssembly runs too")
struct VectorTests {
    @Test("The files are there")
    func present() {
        #expect(
            VectorFile.all.map(\.name) == [
                "curves.txt", "numbers.txt", "readings.txt", "rules.txt", "transactions.txt",
            ])
        #expect(VectorFile.all.map(\.examples.count).reduce(0, +) > 200)
    }

    @Test("Every line is answered as the file says", arguments: VectorFile.all)
    func answers(file: VectorFile) {
        var engine = EngineVector()
        for example in file.examples {
            let answer = String(decoding: engine.answer(example.input), as: UTF8.self)
            #expect(answer == String(decoding: example.expected, as: UTF8.self), "\(file.name):\(example.line)")
        }
    }
}
