import Crypto
import Foundation
import HTTPTypes
import Hummingbird
import NIOCore

/// The screens as `make web` assembled them, held in memory: a page and its parts are always of one build.
public struct WebFolder: Sendable {
    private struct File: Sendable {
        var bytes: ByteBuffer
        var type: String
        var tag: String
    }

    /// `manifest.json`: the build and the hash of each file.
    private struct Manifest: Decodable {
        var build: String
        var files: [String: String]
    }

    /// The build's name, a hash of all files, which stands in their paths.
    public let build: String
    private let files: [String: File]
    private let index: File

    static let policy =
        "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; img-src 'self' data: blob:; "
        + "connect-src 'self'; object-src 'none'; base-uri 'none'; frame-ancestors 'none'; form-action 'self'"

    /// - Throws: `WebFolderError` where a file is missing or is not what the manifest says.
    public init(path: String) throws {
        let root = URL(fileURLWithPath: path, isDirectory: true)
        guard let data = try? Data(contentsOf: root.appendingPathComponent("manifest.json")),
            let manifest = try? JSONDecoder().decode(Manifest.self, from: data)
        else { throw WebFolderError(path: path, reason: "has no manifest.json") }
        var files: [String: File] = [:]
        for (name, hash) in manifest.files {
            guard let data = try? Data(contentsOf: root.appendingPathComponent(name)) else {
                throw WebFolderError(path: path, reason: "lacks \(name)")
            }
            let digest = Data(SHA256.hash(data: data)).base64EncodedString()
            guard hash == "sha256-" + digest else {
                throw WebFolderError(path: path, reason: "has another \(name) than its manifest says")
            }
            files["/" + name] = File(bytes: ByteBuffer(bytes: data), type: Self.type(of: name), tag: "\"\(digest)\"")
        }
        guard let index = files["/index.html"] else { throw WebFolderError(path: path, reason: "lacks index.html") }
        build = manifest.build
        self.files = files
        self.index = index
    }

    /// The first that holds a manifest: the folder named, one beside the executable, or the checkout's own.
    public static func find(named: String?) -> String? {
        if let named { return named }
        let program = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
        var candidates = [program.appendingPathComponent("web"), program.appendingPathComponent("../share/tandem/web")]
        // In a checkout the executable lies some folders below it.
        var folder = program
        for _ in 0..<5 {
            candidates.append(folder.appendingPathComponent("web-build"))
            folder.deleteLastPathComponent()
        }
        candidates.append(URL(fileURLWithPath: "web-build"))
        return candidates.map(\.standardizedFileURL.path).first {
            FileManager.default.fileExists(atPath: $0 + "/manifest.json")
        }
    }

    /// The answer to a path of the page's: a file, or the page itself for any place in it.
    func reply(_ path: String, ifNoneMatch: String?) throws -> Reply {
        if path.hasPrefix("/api/") || path == "/api" { throw Problem.notFound("route") }
        let isPlace = !path.split(separator: "/").contains { $0.contains(".") } && !path.hasPrefix("/app/")
        guard let file = isPlace ? index : files[path] else { throw Problem.notFound("file") }
        var headers: HTTPFields = [
            // Below /app/<build>/ a name never changes its content.
            .cacheControl: path.hasPrefix("/app/\(build)/") ? "public, max-age=31536000, immutable" : "no-cache",
            .eTag: file.tag, .contentSecurityPolicy: Self.policy, .referrerPolicy: "no-referrer",
        ]
        if ifNoneMatch == file.tag {
            headers[.xContentTypeOptions] = "nosniff"
            return Reply(status: .notModified, body: nil, type: "", headers: headers)
        }
        return .bytes(file.bytes, type: file.type, headers: headers)
    }

    private static func type(of name: String) -> String {
        switch name.split(separator: ".").last {
        case "html": "text/html; charset=utf-8"
        case "js": "text/javascript; charset=utf-8"
        case "css": "text/css; charset=utf-8"
        case "svg": "image/svg+xml"
        case "json", "webmanifest": "application/json"
        case "wasm": "application/wasm"
        case "png": "image/png"
        default: "application/octet-stream"
        }
    }
}

/// Why the screens cannot be served.
public struct WebFolderError: Error, CustomStringConvertible {
    var path: String
    var reason: String
    public var description: String { "The web folder \(path) \(reason). Run `make web`, or name another with --web." }
}
