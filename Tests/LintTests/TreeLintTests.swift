import Foundation
import TestInstruments
import Testing

/// The lint of names, sizes and links, `scripts/lint-tree.sh`, run on a small tree of its own.
@Suite("The tree lint")
struct TreeLintTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        try write("Package.swift", "// nothing\n")
        try write(
            "Companions/Kettle/Web/companion.json",
            "{\n    \"slug\": \"kettle\",\n    \"title\": \"Tea kettle\",\n    \"paint\": \"teal\"\n}\n")
        try write(
            "Companions/Kettle/Hub/Kettle.swift",
            "static let slug = \"kettle\"\nstatic let title = \"Tea kettle\"\n")
        try write("Platform/HubKit/HubApplication.swift", "/// Kettles boil, and the settled are left alone.\n")
        try write("Web/main.js", "// the shell\n")
    }

    private func write(_ path: String, _ text: String) throws {
        let file = URL(filePath: folder.path).appending(path: path)
        try FileManager.default.createDirectory(
            at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(text.utf8).write(to: file)
    }

    @Test("passes the tree as it is, and a small one")
    func clean() throws {
        for tree in [Package.root.path, folder.path] {
            let result = try run("scripts/lint-tree.sh", [tree])
            #expect(result.status == 0, "\(result.output)")
        }
    }

    @Test(
        "keeps companions out of what is all companions’: by slug and title, in words, code and styles",
        arguments: [
            ("Platform/HubKit/HubApplication.swift", "/// Such as `/api/kettle/{id}`.\n"),
            ("Platform/Storage/Schema.swift", "let name = \"kettle-001\"\n"),
            ("Web/pages/sign-in-layout.js", "const DOORS = [\"kettle\"];\n"),
            ("Web/styles/tokens.css", "[data-companion=kettle] { color: red }\n"),
            ("Web/pages/today.js", "// A tea kettle is on.\n"),
        ])
    func names(path: String, text: String) throws {
        try write(path, text)
        let result = try run("scripts/lint-tree.sh", [folder.path])
        #expect(result.status == 1)
        #expect(result.output.contains("\(path):1:"), "\(result.output)")
        #expect(result.output.contains("names a companion"), "\(result.output)")
    }

    @Test(
        "keeps Foundation from starting programs, which crashes where many files are open",
        arguments: ["let shell = Process", "let shell = Foundation.Process"])
    func programs(text: String) throws {
        try write("Platform/HubKit/Shell.swift", "\(text)()\n")
        let result = try run("scripts/lint-tree.sh", [folder.path])
        #expect(result.status == 1)
        #expect(result.output.contains("Platform/HubKit/Shell.swift:1:"), "\(result.output)")
        try write("Platform/HubKit/Shell.swift", "let hub = HubProcess()\n")
        #expect(try run("scripts/lint-tree.sh", [folder.path]).status == 0)
    }

    @Test("lets a companion name itself, and the executable all of them")
    func elsewhere() throws {
        try write("Companions/Kettle/Web/screens.js", "export default { icon: \"kettle\" };\n")
        try write("Apps/tandem/Registry.swift", "// kettle\n")
        #expect(try run("scripts/lint-tree.sh", [folder.path]).status == 0)
    }

    @Test("sees that the page and the hub call a companion the same", arguments: ["slug", "title"])
    func agreement(word: String) throws {
        try write(
            "Companions/Kettle/Hub/Kettle.swift",
            "static let \(word == "slug" ? "title = \"Tea kettle\"" : "slug = \"kettle\"")\nstatic let \(word) = \"other\"\n"
        )
        let result = try run("scripts/lint-tree.sh", [folder.path])
        #expect(result.status == 1)
        #expect(result.output.contains("another \(word)"), "\(result.output)")
    }

    @Test("sees a package whose version floats, because only another package wants it")
    func floating() throws {
        try write("Package.resolved", "{\n  \"location\" : \"https://example.org/kettles/steam.git\",\n}\n")
        let result = try run("scripts/lint-tree.sh", [folder.path])
        #expect(result.status == 1)
        #expect(result.output.contains("Package.swift: steam: is wanted by a package"), "\(result.output)")
        try write("Package.swift", ".package(url: \"https://example.org/kettles/steam\", exact: \"1.0.0\"),\n")
        #expect(try run("scripts/lint-tree.sh", [folder.path]).status == 0)
    }

    @Test("still sees drawers, long files, and links and names of places that lead to nothing")
    func others() throws {
        try write("Platform/Embedded/Wire/Helpers.swift", "\n")
        try write("Web/long.js", String(repeating: "\n", count: 501))
        try write("README.md", "[nothing](nothing.md), and `Platform/Wire` and `Platform/Embedded/Wire`\n")
        let output = try run("scripts/lint-tree.sh", [folder.path]).output
        for words in ["a drawer", "501 lines", "links to nothing.md", "`Platform/Wire`: there is nothing"] {
            #expect(output.contains(words), "\(output)")
        }
    }
}
