import Foundation
import FuzzTargets
import HubFuzzTargets
import Testing

private let targets = FuzzTarget.readers + FuzzTarget.hub

/// What `make fuzz` found once, and what it begins with.
@Suite("Inputs that were found by fuzzing")
struct CorpusTests {
    /// Tests/Fuzz/Corpora of this checkout: a folder for each target.
    private static let corpora = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().appendingPathComponent("Corpora")

    struct Case: CustomTestStringConvertible, Sendable {
        var target: FuzzTarget
        var name: String
        var bytes: [UInt8]
        var testDescription: String { "\(target.name): \(name)" }
    }

    static var cases: [Case] {
        targets.flatMap { target in
            let folder = corpora.appendingPathComponent(target.name)
            let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
            return names.sorted().compactMap { name in
                FileManager.default.contents(atPath: folder.appendingPathComponent(name).path)
                    .map { Case(target: target, name: name, bytes: Array($0)) }
            }
        }
    }

    @Test("Each target's properties hold for its seeds", arguments: targets.map(\.name))
    func seeds(name: String) throws {
        let target = try #require(targets.first { $0.name == name })
        #expect(!target.seeds.isEmpty)
        for seed in target.seeds + [[]] { try target.check(seed) }
    }

    @Test("Each finding that was mended stays mended", arguments: cases)
    func findings(found: Case) throws { try found.target.check(found.bytes) }

    @Test("Every folder of the corpora belongs to a target")
    func folders() throws {
        let folders = try FileManager.default.contentsOfDirectory(atPath: Self.corpora.path).filter {
            $0 != "README.md"
        }
        #expect(Set(folders).subtracting(targets.map(\.name)) == [])
    }
}
