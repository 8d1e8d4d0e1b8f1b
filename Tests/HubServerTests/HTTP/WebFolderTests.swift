import Crypto
import Foundation
import HTTPTypes
import Hummingbird
import NIOCore
import TestInstruments
import Testing

@testable import HubKit
@testable import HubServer

@Suite("The screens")
struct WebFolderTests {
    private let place: TemporaryFolder

    init() throws { place = try TemporaryFolder() }

    /// A folder with a page, and a file that is larger than what is read at once.
    private func folder() throws -> String {
        let files = ["index.html": Data("<p>page</p>".utf8), "app.js": Data((0..<100_000).map { UInt8($0 % 251) })]
        var hashes: [String: String] = [:]
        let path = place.path + "/web"
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        for (name, data) in files {
            try data.write(to: URL(filePath: "\(path)/\(name)"))
            hashes[name] = "sha256-" + Data(SHA256.hash(data: data)).base64EncodedString()
        }
        let manifest = try JSONSerialization.data(withJSONObject: ["build": "b1", "files": hashes])
        try manifest.write(to: URL(filePath: path + "/manifest.json"))
        return path
    }

    private final class Collected: ResponseBodyWriter {
        var bytes: [UInt8] = []
        func write(_ buffer: ByteBuffer) async throws { bytes += Array(buffer: buffer) }
        func finish(_ trailingHeaders: HTTPFields?) async throws {}
    }

    private func body(_ response: AnyAPIResponse) async throws -> [UInt8] {
        let collected = Collected()
        try await response.httpResponse.body.write(collected)
        return collected.bytes
    }

    @Test("A page and its parts stay what they were when the hub started, also when their folder is replaced or gone")
    func replaced() async throws {
        let path = try folder()
        let web = try WebFolder(path: path, packing: place.path)
        try Data("<p>other</p>".utf8).write(to: URL(filePath: path + "/index.html"))
        #expect(try await body(web.response("/")) == Array("<p>page</p>".utf8))
        try FileManager.default.removeItem(atPath: path)
        #expect(try await body(web.response("/app.js")) == (0..<100_000).map { UInt8($0 % 251) })
        #expect(try FileManager.default.contentsOfDirectory(atPath: place.path) == [], "its copy has no name")
    }

    @Test("Where nothing can be written, the screens are there all the same")
    func readOnly() async throws {
        let web = try WebFolder(path: try folder(), packing: place.path + "/none")
        #expect(try await body(web.response("/")) == Array("<p>page</p>".utf8))
    }
}
