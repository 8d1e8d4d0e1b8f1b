import Foundation
import TestInstruments
import Testing

/// The lint of doc comments, `scripts/lint-comments.py`, run on a folder of its own.
@Suite("The comment lint")
struct CommentLintTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        try write("scripts/lint-comments.txt", "Kettle\n")
    }

    private func write(_ path: String, _ text: String) throws {
        let file = URL(filePath: folder.path).appending(path: path)
        try FileManager.default.createDirectory(
            at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(text.utf8).write(to: file)
    }

    private func lint(_ source: String) throws -> CommandResult {
        try write("Kettle/Kettle.swift", source)
        return try run("scripts/lint-comments.py", [folder.path])
    }

    @Test("passes the tree as it is")
    func clean() throws {
        let result = try run("scripts/lint-comments.py", [])
        #expect(result.status == 0, "\(result.output)")
    }

    @Test(
        "refuses a comment that does not begin with what the thing is",
        arguments: [
            "What boils.", "Of the kettle.", "How hot it is.", "Whoever drinks.", "Where it stands.", "Nothing.",
            "Those that boil.", "Somebody’s tea.", "It boils.", "One that boils.",
        ])
    func riddle(_ comment: String) throws {
        let result = try lint("/// \(comment)\npublic struct Kettle {\n}\n")
        #expect(result.status == 1)
        #expect(result.output.contains("Kettle/Kettle.swift:1: begins with “"), "\(result.output)")
    }

    @Test("refuses it for what is private too, and for one that begins with a list of parameters")
    func beginnings() throws {
        let result = try lint(
            """
            /// The kettle.
            struct Kettle {
                /// Of the water, in degrees.
                private var heat = 0

                /// - Parameter heat: in degrees.
                init(heat: Int) {}
            }
            """)
        #expect(result.output.contains("Kettle.swift:3: begins with “Of”"), "\(result.output)")
        #expect(result.output.contains("Kettle.swift:6: begins with a list"), "\(result.output)")
    }

    @Test(
        "wants a comment for everything that other modules see, however it is written",
        arguments: [
            "public struct Kettle {}", "package enum Kettle {}", "open class Kettle {}", "public final class Kettle {}",
            "public protocol Kettle {}", "public actor Kettle {}", "public typealias Kettle = Int",
            "extension Kettle {\n    public init() {}\n}",
            "extension Kettle {\n    @discardableResult\n    public func a() {}\n}",
            "extension Kettle {\n    @inline(always) public static func a() {}\n}",
            "extension Kettle {\n    public private(set) var heat = 0\n}",
            "extension Kettle {\n    package mutating func boil() {}\n}",
            "extension Kettle {\n    @Option(\n        help: \"(hot\")\n    public var heat = 0\n}",
            "/// A kettle.\npublic protocol Kettle {\n    var heat: Int { get }\n}",
            "/// A kettle.\npackage protocol Kettle: Sendable {\n    static func boil()\n}",
        ])
    func missing(_ source: String) throws {
        let result = try lint(source + "\n")
        #expect(result.status == 1)
        #expect(result.output.contains("has no comment"), "\(result.output)")
    }

    @Test("leaves alone what is right, what is not seen elsewhere, and what the standard library explains")
    func right() throws {
        let result = try lint(
            """
            import Foundation

            /// The kettle of a household; whoever is thirsty may use it.
            /// It has a lid.
            public struct Kettle: CustomStringConvertible, Hashable, Codable {
                /// The heat, in degrees.
                @Option(
                    help: "in degrees")
                public var heat = 0
                var lid = true
                // Of copper.
                let help = \"\"\"
                    /// Of the kettle.
                    public func boil()
                    \"\"\"

                public var description: String { "\\(heat)" }
                public static func == (left: Kettle, right: Kettle) -> Bool { true }
                public func hash(into hasher: inout Hasher) {}
                public init(from decoder: any Decoder) throws {}
                public func encode(to encoder: any Encoder) throws {}
            }

            /// A hob.
            public protocol Hob {
                /// Whether a kettle stands on it.
                var isTaken: Bool { get }
            }

            extension Hob {
                var isFree: Bool { !isTaken }
            }
            """)
        #expect(result.status == 0, "\(result.output)")
    }

    @Test("looks at no folder that is not in the list, and misses one that is not there")
    func folders() throws {
        try write("Hob/Hob.swift", "/// Of the kitchen.\npublic struct Hob {}\n")
        #expect(try lint("/// The kettle.\npublic struct Kettle {}\n").status == 0)
        try write("scripts/lint-comments.txt", "Kettle\nOven\n")
        let result = try run("scripts/lint-comments.py", [folder.path])
        #expect(result.status == 1)
        #expect(result.output.contains("Oven: there is no Swift in it"), "\(result.output)")
    }
}
