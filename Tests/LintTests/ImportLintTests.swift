import Foundation
import TestInstruments
import Testing

/// The import lint, `scripts/lint-imports.sh`, run on copies of this package's own modules.
@Suite("The import lint")
struct ImportLintTests {
    @Test("passes the tree as it is")
    func cleanTree() throws {
        let result = try run(
            "scripts/lint-imports.sh", ["--describe", Package.description.file.path, Package.root.path])
        #expect(result.status == 0, "\(result.output)")
    }

    @Test("names the file, the module and the forbidden import", arguments: Package.modules)
    func forbiddenImport(into module: Package.Module) throws {
        let forbidden = module.forbiddenImport
        let copy = try Package.copy(of: module)
        defer { copy.remove() }
        #expect(try copy.lint().status == 0)

        let file = try copy.add("import \(forbidden)\n", to: module)
        let result = try copy.lint()
        #expect(result.status == 1)
        #expect(result.output.contains("\(file):1: \(module.name) may not import \(forbidden)"), "\(result.output)")
    }

    @Test(
        "sees an import however it is written",
        arguments: [
            "@preconcurrency import Foundation",
            "@testable import Foundation",
            "@_spi(Private) import Foundation",
            "public import Foundation",
            "@_exported public import Foundation",
            "import struct Foundation.Data",
            "\timport Foundation",
            "/* why */ import Foundation",
            "import Swift; import Foundation",
            "#if canImport(Foundation)\nimport Foundation\n#endif",
            "import Foundation // only here",
        ])
    func spelling(_ source: String) throws {
        let result = try lintOfWire(with: source)
        #expect(result.status == 1)
        #expect(result.output.contains("Wire may not import Foundation"), "\(result.output)")
    }

    @Test(
        "leaves alone what only looks like an import",
        arguments: [
            "// import Foundation",
            "/*\nimport Foundation\n*/",
            "let help = \"\"\"\n    import Foundation\n    \"\"\"",
            "let text = \"import Foundation\"",
            "let importance = 1",
        ])
    func lookalike(_ source: String) throws {
        let result = try lintOfWire(with: source)
        #expect(result.status == 0, "\(result.output)")
    }

    /// What the lint says of a copy of Wire with some source before its first file.
    private func lintOfWire(with source: String) throws -> CommandResult {
        let wire = try #require(Package.modules.first { $0.name == "Wire" })
        let copy = try Package.copy(of: wire)
        defer { copy.remove() }
        try copy.add(source + "\n", to: wire)
        return try copy.lint()
    }

    @Test("refuses a module that has no row in the table")
    func unknownModule() throws {
        let wire = try #require(Package.modules.first { $0.name == "Wire" })
        let stranger = Package.Module(name: "Stranger", path: wire.path, sources: wire.sources)
        let copy = try Package.copy(of: stranger)
        defer { copy.remove() }
        let result = try copy.lint()
        #expect(result.status == 1)
        #expect(result.output.contains("the module Stranger has no row"), "\(result.output)")
    }

    @Test("refuses a companion that imports its sibling")
    func sibling() throws {
        let hub = Package.Module(name: "PlantsHub", path: "Companions/Plants/Hub", sources: ["Hub.swift"])
        let other = Package.Module(name: "DrumsEngine", path: "Companions/Drums/Engine", sources: ["Engine.swift"])
        let copy = try Package.copy(of: hub, other, empty: true)
        defer { copy.remove() }
        let file = try copy.add("import PlantsEngine\nimport DrumsEngine\n", to: hub)
        let result = try copy.lint()
        #expect(result.output.contains("\(file):2: PlantsHub may not import DrumsEngine"), "\(result.output)")
        #expect(!result.output.contains("PlantsEngine"))
    }
}
