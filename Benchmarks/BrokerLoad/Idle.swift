import ArgumentParser
import Foundation

/// Connections that do nothing, held until standard input ends.
struct Idle: ParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Connections that do nothing.")

    @OptionGroup var target: Target
    @Option var connections = 5_000
    @Option(help: "What client identifiers begin with.") var id = "idle"

    func run() throws {
        let began = nanoseconds()
        let links = try target.connect(0..<connections, id: id)
        report(["connections": Double(links.count), "seconds": Double(nanoseconds() - began) / 1e9])
        waitForReader()
        withExtendedLifetime(links) {}
    }
}
