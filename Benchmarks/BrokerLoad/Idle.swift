import ArgumentParser
import Foundation

/// Connections that do nothing, held until standard input ends.
struct Idle: ParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Connections that do nothing.")

    @OptionGroup var target: Target
    @Option var connections = 5_000

    func run() throws {
        let began = nanoseconds()
        let links = try target.connect(0..<connections, id: "idle")
        report(["connections": Double(links.count), "seconds": Double(nanoseconds() - began) / 1e9])
        waitForReader()
        withExtendedLifetime(links) {}
    }
}
