import Foundation

/// A file of examples that every build of an engine is run through: lines `> input`, each answered by the line
/// `< expected` after it; `#` begins a comment. `scripts/run-vectors.mjs` reads the same files for WebAssembly.
public struct VectorFile: Sendable, CustomStringConvertible {
    /// One input and what is answered to it.
    public struct Example: Sendable {
        /// Where the answer stands in the file, from 1.
        public let line: Int
        public let input: [UInt8]
        public let expected: [UInt8]
    }

    /// What the file is called.
    public let name: String
    /// In the order of the file.
    public let examples: [Example]

    public var description: String { name }

    /// The vector files of a companion, from the bundle of its tests, by name; none where they are not, so ask for those
    /// that must be there. What a released version answered, every later one answers: files are added, never changed.
    public static func files(in bundle: Bundle) -> [VectorFile] {
        // The bundle of a test target has a link to the folder.
        let folder = bundle.resourceURL?.appendingPathComponent("Vectors")
        let files = folder.flatMap {
            try? FileManager.default.contentsOfDirectory(
                at: $0.resolvingSymlinksInPath(), includingPropertiesForKeys: nil)
        }
        return (files ?? []).filter { $0.pathExtension == "txt" }
            .sorted { $0.lastPathComponent < $1.lastPathComponent }
            .compactMap { url in
                (try? Data(contentsOf: url)).map { VectorFile(name: url.lastPathComponent, bytes: Array($0)) }
            }
    }

    init(name: String, bytes: [UInt8]) {
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

    /// Runs an engine through the file.
    ///
    /// - Parameter answer: the engine's, which remembers what came before.
    /// - Returns: what is answered otherwise, and where.
    public func wrongAnswers(_ answer: ([UInt8]) -> [UInt8]) -> [String] {
        examples.compactMap { example in
            let said = answer(example.input)
            guard said != example.expected else { return nil }
            return "\(name):\(example.line): \(String(decoding: said, as: UTF8.self))"
        }
    }

    /// Lines as they stand in vector files, each with up to four places changed.
    ///
    /// - Parameter loops: how commands begin that are left out: a loop goes round as often as it says, and that is
    ///   what it is for.
    public static func damagedLines(of files: [VectorFile], loops: [String], seed: UInt64, count: Int) -> [[UInt8]] {
        print("fuzz seed \(seed)")
        var random = SeededGenerator(seed: seed)
        let loops = loops.map { Array($0.utf8) }
        let inputs = files.flatMap { $0.examples.map(\.input) }
            .filter { input in input.count < 400 && !loops.contains { input.starts(with: $0) } }
        let special = Array("-0129aft\t\0\u{ff}".utf8)
        return (0..<count).map { _ in
            var line = inputs.randomElement(using: &random) ?? []
            for _ in 0..<Int.random(in: 0...4, using: &random) where !line.isEmpty {
                let place = Int.random(in: 0..<line.count, using: &random)
                if Bool.random(using: &random) { line.remove(at: place) }
                line.insert(special.randomElement(using: &random) ?? 0, at: min(place, line.count))
            }
            return line
        }
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
