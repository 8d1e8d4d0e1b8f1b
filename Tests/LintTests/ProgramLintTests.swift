import Foundation
import TestInstruments
import Testing

/// The lint of what scripts call and set-ups install, `scripts/lint-programs.py`, run on a small tree with this package's own
/// `scripts/setup.sh`.
@Suite("The lint of programs")
struct ProgramLintTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        try FileManager.default.createDirectory(
            atPath: "\(folder.path)/scripts", withIntermediateDirectories: true)
        try folder.write(
            try String(contentsOf: Package.root.appending(path: "scripts/setup.sh"), encoding: .utf8),
            to: "scripts/setup.sh")
        try folder.write("run:\n\t@scripts/setup.sh run\n\t@scripts/page.sh $(ARGS)\n", to: "Makefile")
    }

    private func lint() throws -> CommandResult { try run("scripts/lint-programs.py", [folder.path]) }

    /// What the lint says of a `make run` that comes to a script.
    private func lint(_ script: String) throws -> CommandResult {
        try folder.write("#!/usr/bin/env bash\n\(script)\n", to: "scripts/page.sh")
        return try lint()
    }

    @Test("passes the tree as it is")
    func cleanTree() throws {
        let result = try run("scripts/lint-programs.py", [])
        #expect(result.status == 0, "\(result.output)")
    }

    @Test(
        "names what is called once its package is taken from the list",
        arguments: [
            ("jq", "calls jq", "x=$(jq . <<<\"$y\")"),
            ("brotli", "calls brotli", "find . -print0 | xargs -0 -n 16 -P \"$(nproc)\" brotli --best"),
            ("binaryen", "calls wasm-opt", "wasm-opt -Oz a.wasm -o b.wasm"),
            ("binutils", "calls strip", "strip -o a b"),
            ("librsvg2-bin", "calls rsvg-convert", "draw() { rsvg-convert --width 4; }"),
            (
                "libjs-chart.js", "reads /usr/share/javascript/chart.js/chart.min.js",
                "chart=/usr/share/javascript/chart.js/chart.min.js"
            ),
        ])
    func brokenList(package: String, words: String, script: String) throws {
        #expect(try lint(script).status == 0)
        let list = try folder.text("scripts/setup.sh").split(separator: "\n", omittingEmptySubsequences: false)
        try folder.write(
            list.filter { !$0.contains("need \(package) ") }.joined(separator: "\n"), to: "scripts/setup.sh")
        let result = try lint()
        #expect(result.status == 1)
        #expect(result.output.contains("scripts/page.sh:2: \(words), and no set-up of `make run`"), "\(result.output)")
    }

    @Test(
        "sees a call however it is written",
        arguments: [
            "kettle --boil",
            "/bin/kettle",
            "if ! kettle; then exit 1; fi",
            "water=$(kettle)",
            "cat <(kettle) >/dev/null",
            "boil() { kettle; }",
            "sudo env HOT=1 kettle",
            "timeout -k 5 10 kettle",
            "unshare --mount --propagation private kettle",
            "bash -c 'cd / && exec kettle'",
            "trap 'kettle --off' EXIT",
            "boil=(kettle --boil); \"${boil[@]}\" now",
            "as_root=(sudo); \"${as_root[@]}\" kettle",
            "command -v kettle >/dev/null || exit 1; kettle",
        ])
    func spelling(_ script: String) throws {
        let result = try lint(script)
        #expect(result.status == 1)
        #expect(result.output.contains("scripts/page.sh:2: calls kettle"), "\(result.output)")
    }

    @Test(
        "leaves alone what only looks like a call, what the script has itself, and what it asks for first",
        arguments: [
            "# kettle",
            "echo kettle",
            "cat <<'END'\nkettle\nEND",
            "awk 'kettle { print }' a.txt",
            "kettle() { true; }; kettle",
            "if command -v kettle >/dev/null; then kettle; fi",
            "\"$kettle\" boil",
        ])
    func lookalike(_ script: String) throws {
        let result = try lint(script)
        #expect(result.status == 0, "\(result.output)")
    }

    @Test("follows to scripts, to what they run in Python and Node, and to what these want")
    func others() throws {
        try folder.write("#!/usr/bin/env node\nimport t from \"kettle\";\n", to: "scripts/pour.mjs")
        try folder.write(
            "import json, leaves, pot\nimport subprocess\nsubprocess.run([\"kettle\", \"on\"])\n", to: "scripts/boil.py"
        )
        try folder.write("import subprocess\n", to: "scripts/pot.py")
        try folder.write("scripts/pour.mjs\npython3 \"$scripts/boil.py\"\n", to: "scripts/tea.sh")
        let output = try lint("here=$(dirname \"$0\")\n\"$here/tea.sh\"").output
        for line in [
            "scripts/pour.mjs:1: calls node", "scripts/pour.mjs:2: imports kettle", "scripts/tea.sh:2: calls python3",
            "scripts/boil.py:1: imports leaves", "scripts/boil.py:3: calls kettle",
        ] { #expect(output.contains(line), "\(output)") }
        #expect(!output.contains("pot") && !output.contains("json"), "\(output)")
    }

    @Test("knows the functions of a script that is read in")
    func readIn() throws {
        try folder.write("pour() { kettle; }\n", to: "scripts/steps.sh")
        let output = try lint(". \"$(dirname \"$0\")/steps.sh\"; pour").output
        #expect(output.contains("scripts/steps.sh:1: calls kettle") && !output.contains("calls pour"), "\(output)")
    }

    @Test("knows that a target without a set-up has what a bare Debian has")
    func without() throws {
        try folder.write("run:\n\t@sed -n 1p a.txt | jq .\n", to: "Makefile")
        let output = try lint().output
        #expect(output.contains("Makefile:2: calls jq") && !output.contains("sed"), "\(output)")
    }
}
