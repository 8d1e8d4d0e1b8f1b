import Foundation
import TestInstruments
import Testing

@testable import TLS

@Suite("The hub's name")
struct HubNameTests {
    private let data: TemporaryFolder

    init() throws { data = try TemporaryFolder() }

    private func keep(_ requested: String? = nil, hostName: String = "linden") throws(HubNameError) -> String {
        try HubName.keep(requested.flatMap { HubName($0) }, hostName: hostName, dataFolder: data.path).label
    }

    @Test("The first start takes the machine's name, and keeps it when the machine is called otherwise")
    func kept() throws {
        #expect(try keep(hostName: "linden") == "linden")
        #expect(try data.text("name") == "linden\n")
        #expect(try keep(hostName: "oak") == "linden")
        #expect(try data.mode("name") == 0o600)
    }

    @Test("A name asked for wins, and is kept from then on")
    func requested() throws {
        #expect(try keep(hostName: "linden") == "linden")
        #expect(try keep("oak") == "oak")
        #expect(try keep() == "oak")
    }

    @Test("A name that takes another's place is told with the old one, once; the first and the same are not")
    func renamed() throws {
        func told(_ requested: String?) throws -> [String] {
            var told: [String] = []
            _ = try HubName.keep(
                requested.flatMap { HubName($0) }, hostName: "linden", dataFolder: data.path,
                renamed: { told.append($0.label) })
            return told
        }
        for requested in ["linden", nil, "Linden.local"] { #expect(try told(requested) == []) }
        #expect(try told("test") == ["linden"])
        #expect(try data.text("name") == "test\n")
        for requested in ["test", nil] { #expect(try told(requested) == []) }
        #expect(try told("linden") == ["test"], "and the way back")
        try data.write("a b", to: "name")
        #expect(try told("linden") == [], "what was no name was no address")
    }

    @Test("A machine without a usable name is called tandem", arguments: ["", "...", "—", "例え"])
    func nameless(hostName: String) throws {
        #expect(try keep(hostName: hostName) == "tandem")
    }

    @Test("What a person wrote into the file counts, with blanks, capitals and .local")
    func writtenByHand() throws {
        try data.write("  Oak.local \r\n", to: "name")
        #expect(try keep() == "oak")
        #expect(try data.text("name") == "  Oak.local \r\n", "and is left as it is")
    }

    @Test(
        "A file with no name in it is an error that shows it; a name asked for mends it", arguments: ["", "a b", "-"])
    func garbage(text: String) throws {
        try data.write(text, to: "name")
        let error = #expect(throws: HubNameError.self) { try keep() }
        #expect(error == .notALabel(text, file: data.path + "/name"))
        #expect("\(try #require(error))".contains("--name"))
        #expect(try keep("oak") == "oak")
        #expect(try keep() == "oak")
    }

    @Test("A data folder that is not there is an error, not a trap")
    func noFolder() {
        let error = #expect(throws: HubNameError.self) {
            try HubName.keep(nil, hostName: "linden", dataFolder: data.path + "/nowhere")
        }
        #expect(
            error == .inaccessible(path: data.path + "/nowhere/name", reason: "No such file or directory"))
    }

    @Test("A name is read as a label, .local taken away")
    func read() {
        #expect(HubName("linden")?.local == "linden.local")
        #expect(HubName("Linden.LOCAL")?.label == "linden")
        for text in ["", ".local", "a.b", "a b", "-a", "a-", "ä", "a.local.local", String(repeating: "a", count: 64)] {
            #expect(HubName(text) == nil, "\(text)")
        }
    }

    @Test(
        "The nearest label to a machine's name",
        arguments: [
            ("linden", "linden"), ("Ines’s MacBook.fritz.box", "ines-s-macbook"), ("__pi__4__", "pi-4"),
            ("raspberry pi", "raspberry-pi"), ("-", "tandem"), ("a\0b", "a-b"), (".hidden", "tandem"),
            (String(repeating: "a", count: 70), String(repeating: "a", count: 63)),
            (String(repeating: "a", count: 62) + "-b", String(repeating: "a", count: 62)),
        ])
    func nearest(text: String, label: String) {
        #expect(HostLabel.nearest(to: text) == label)
        #expect(HostLabel.isLabel(label))
    }

    @Test("Whatever a machine is called, the nearest label is one, and is its own nearest")
    func nearestOfAnything() {
        let seed = UInt64.random(in: 0...UInt64.max)
        print("host label seed: \(seed)")
        var random = SeededGenerator(seed: seed)
        for _ in 0..<3_000 {
            let bytes = (0..<Int.random(in: 0...80, using: &random)).map { _ in
                UInt8.random(in: 0...255, using: &random)
            }
            let label = HostLabel.nearest(to: String(decoding: bytes, as: UTF8.self))
            #expect(HostLabel.isLabel(label), "\(bytes)")
            #expect(HostLabel.nearest(to: label) == label)
            #expect(HubName(label)?.label == label)
        }
    }
}
