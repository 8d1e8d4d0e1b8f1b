import ArgumentParser
import Foundation

/// Connections that do nothing, held until standard input ends.
struct Idle: ParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Connections that do nothing.")

    @OptionGroup var target: Target
    @Option var connections = 5_000
    @Option(help: "What client identifiers begin with.") var id = "idle"

    func run() throws {
        var links: [Link] = []
        let began = nanoseconds()
        for number in 0..<connections { links.append(try target.connect(number, id: id)) }
        report(["connections": Double(links.count), "seconds": Double(nanoseconds() - began) / 1e9])
        waitForReader()
        withExtendedLifetime(links) {}
    }
}
