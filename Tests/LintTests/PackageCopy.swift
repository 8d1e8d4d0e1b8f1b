import Foundation
import TestInstruments
import Testing

/// This package as SwiftPM describes it, and copies of single modules for the lint to judge.
enum Package {
    struct Module: Decodable, Sendable, CustomTestStringConvertible {
        var name: String
        var path: String
        var sources: [String]

        var testDescription: String { name }

        /// Something that the module table denies to this module and to each of its kind.
        var forbiddenImport: String {
            switch name {
            case "tandem", "MQTT", "MQTTServer": "XCTest"
            case _ where name.hasSuffix("Tests"): "AsyncHTTPClient"
            case _ where name.hasSuffix("Hub"), "HubKit", "ClientKit", "Accounts", "Readings", "Devices",
                "HomeAssistant", "Bluetooth", "Outbound", "Passkeys", "Push", "Reminders", "Backups", "Archive",
                "Firmware":
                "HubServer"
            case "HubServer", "HubInstruments": "MQTTServer"
            case "Localization", "Storage", "TLS", "Diagnosis", "TestInstruments", "fuzz", "HubFuzzTargets",
                "reading-store",
                "broker-load":
                "Hummingbird"
            default: "Foundation"
            }
        }
    }

    static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    /// What `swift package describe` prints, once a run, in a file that the lint can read.
    static let description: (file: URL, modules: [Module]) = {
        struct Description: Decodable {
            var targets: [Module]
        }
        do {
            // The lock belongs to the `swift test` that runs this, and describing writes nothing.
            let output = try run(
                "/usr/bin/env", ["swift", "package", "--ignore-lock", "describe", "--type", "json"], outputOnly: true)
            let file = FileManager.default.temporaryDirectory.appending(path: "describe-\(UUID().uuidString).json")
            try Data(output.output.utf8).write(to: file)
            atexit { try? FileManager.default.removeItem(at: Package.description.file) }
            return (file, try JSONDecoder().decode(Description.self, from: Data(output.output.utf8)).targets)
        } catch {
            fatalError("swift package describe: \(error)")
        }
    }()

    /// Those in Swift; one in C has nothing to import.
    static var modules: [Module] {
        description.modules.filter { !$0.sources.isEmpty && $0.sources.allSatisfy { $0.hasSuffix(".swift") } }
    }

    /// A folder with modules.json and the sources of the given modules alone.
    static func copy(of modules: Module..., empty: Bool = false) throws -> Copy {
        let copy = Copy(folder: FileManager.default.temporaryDirectory.appending(path: "lint-\(UUID().uuidString)"))
        for module in modules {
            let sources = copy.folder.appending(path: module.path)
            try FileManager.default.createDirectory(at: sources, withIntermediateDirectories: true)
            for source in module.sources {
                let file = sources.appending(path: source)
                try FileManager.default.createDirectory(
                    at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
                if empty {
                    try Data().write(to: file)
                } else {
                    try FileManager.default.copyItem(
                        at: root.appending(path: module.path).appending(path: source), to: file)
                }
            }
        }
        // Whose name a module begins with tells its companion, so the names are there even where the folders are empty.
        for companion in try FileManager.default.contentsOfDirectory(atPath: root.appending(path: "Companions").path) {
            try FileManager.default.createDirectory(
                at: copy.folder.appending(path: "Companions/\(companion)"), withIntermediateDirectories: true)
        }
        try FileManager.default.copyItem(
            at: root.appending(path: "modules.json"), to: copy.folder.appending(path: "modules.json"))
        try copy.describe(modules)
        return copy
    }

    /// A copy of some modules in a folder of its own.
    struct Copy {
        var folder: URL
        private var describeFile: URL { folder.appending(path: "describe.json") }

        init(folder: URL) { self.folder = folder }

        func describe(_ modules: [Module]) throws {
            let targets = modules.map {
                ["name": $0.name, "path": $0.path, "type": "library", "sources": $0.sources] as [String: any Sendable]
            }
            try JSONSerialization.data(withJSONObject: ["targets": targets]).write(to: describeFile)
        }

        /// Puts a line at the head of the module's first file and returns the path that the lint should name.
        @discardableResult
        func add(_ source: String, to module: Module) throws -> String {
            let path = "\(module.path)/\(module.sources[0])"
            let file = folder.appending(path: path)
            try Data((source + String(contentsOf: file, encoding: .utf8)).utf8).write(to: file)
            return path
        }

        func lint() throws -> CommandResult {
            try run("scripts/lint-imports.sh", ["--describe", describeFile.path, folder.path])
        }

        func remove() { try? FileManager.default.removeItem(at: folder) }
    }
}

/// Runs a command in this checkout and waits for it; what it prints to both streams is stored.
func run(_ command: String, _ arguments: [String], outputOnly: Bool = false) throws -> CommandResult {
    try CommandResult.of(
        command.hasPrefix("/") ? command : Package.root.appending(path: command).path, arguments,
        in: Package.root.path, outputOnly: outputOnly)
}
