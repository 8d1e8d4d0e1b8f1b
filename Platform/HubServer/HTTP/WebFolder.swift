import Crypto
import Foundation
import HTTPTypes
import HubKit
import Hummingbird

/// The screens as `make web` assembled them. A page and its parts are always of one build, even while an upgrade
/// replaces the folder: all forms of all files, some three megabytes, are copied at the start into one file without a
/// name, which disappears with the process. The system caches what is requested, the hub nothing.
public struct WebFolder: Sendable {
    private struct Form: Sendable {
        /// The range in the pack.
        var range: Range<Int>
        /// The hash, a different one for each form (RFC 9110, 8.8.3.3).
        var tag: String
    }

    private struct File: Sendable {
        var type: String
        var plain: Form
        /// The forms that were compressed beforehand, by content coding.
        var compressed: [String: Form] = [:]
    }

    /// The contents of `manifest.json`: the build and the hash of each file, and of its compressed forms by content
    /// coding.
    private struct Manifest: Decodable {
        var build: String
        var files: [String: String]
        var compressed: [String: [String: String]]?
    }

    /// The file extensions of compressed forms by content coding, the preferred one first.
    private static let codings = [(name: "br", ending: ".br"), (name: "gzip", ending: ".gz")]

    /// The name of the build, a hash of all files.
    public let build: String
    private let files: [String: File]
    private let index: File
    private let packed: OpenedFile

    /// The part of a file that is in memory at once for each browser, in bytes.
    private static let chunkBytes = 32_768

    static let policy =
        "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; img-src 'self' data: blob:; media-src 'self' blob:; "
        + "connect-src 'self'; worker-src 'self'; manifest-src 'self'; object-src 'none'; base-uri 'none'; frame-ancestors 'none'; form-action 'self'"

    /// The browser features that a page may use, and a page embedded in it may not: instruments are connected by
    /// Bluetooth and MIDI, devices are set up at a serial line, and messages are recorded.
    static let permissions =
        "midi=(self), serial=(self), microphone=(self), accelerometer=(self), gyroscope=(self), magnetometer=(self), "
        + "geolocation=(), payment=(), usb=(), hid=()"

    /// Loads the screens.
    ///
    /// - Parameters:
    ///   - path: the folder.
    ///   - packing: the folder for the copy; if it cannot be written, the copy is in memory.
    /// - Throws: `WebFolderError` if a file is missing or differs from the manifest.
    public init(path: String, packing: String = FileManager.default.temporaryDirectory.path) throws {
        // By paths: the URLs of three hundred files take as long as their bytes.
        func contents(_ name: String) -> Data? { FileManager.default.contents(atPath: "\(path)/\(name)") }
        guard let data = contents("manifest.json"),
            let manifest = try? JSONDecoder().decode(Manifest.self, from: data)
        else { throw WebFolderError(path: path, reason: "has no manifest.json") }
        // What lies at two addresses is held once.
        var forms: [String: Form] = [:]
        var pack = try FilePack(in: packing)
        func form(_ name: String, hash: String) throws -> Form {
            guard let data = contents(name) else {
                throw WebFolderError(path: path, reason: "lacks \(name)")
            }
            let digest = Data(SHA256.hash(data: data)).base64EncodedString()
            guard hash == "sha256-" + digest else {
                throw WebFolderError(path: path, reason: "has another \(name) than its manifest says")
            }
            if let known = forms[hash] { return known }
            let form = Form(range: try pack.add(data), tag: "\"\(digest)\"")
            forms[hash] = form
            return form
        }
        var files: [String: File] = [:]
        for (name, hash) in manifest.files {
            var file = File(type: Self.type(of: name), plain: try form(name, hash: hash))
            for (coding, ending) in Self.codings {
                guard let hash = manifest.compressed?[name]?[coding] else { continue }
                file.compressed[coding] = try form(name + ending, hash: hash)
            }
            files["/" + name] = file
        }
        guard let index = files["/index.html"] else { throw WebFolderError(path: path, reason: "lacks index.html") }
        build = manifest.build
        self.files = files
        self.index = index
        packed = pack.file
    }

    /// The first folder with a manifest: the one named, one beside the executable, or the checkout's own.
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

    /// The response to a path of the page: a file, or the page itself for any place in it.
    ///
    /// - Parameters:
    ///   - path: the path.
    ///   - asked: the header fields of the request: which forms the browser has, and which codings it supports.
    ///   - isIsolated: whether the page may be isolated from those of other sites, which a browser does for an origin that it
    ///     takes for trustworthy alone.
    func response(_ path: String, to asked: HTTPFields = [:], isIsolated: Bool = true) throws -> AnyAPIResponse {
        if path.hasPrefix("/api/") || path == "/api" {
            throw Problem.notFound("There is no route here. It may have been removed.")
        }
        let isPlace = !path.split(separator: "/").contains { $0.contains(".") } && !path.hasPrefix("/app/")
        guard let file = isPlace ? index : files[path] else {
            throw Problem.notFound("There is no file here. It may have been removed.")
        }
        let coding = Self.codings.first {
            file.compressed[$0.name] != nil && asked.accepts(coding: $0.name)
        }
        let form = coding.flatMap { file.compressed[$0.name] } ?? file.plain
        var headers: HTTPFields = [
            // Below /app/ a name never changes its content.
            .cacheControl: path.hasPrefix("/app/") ? "public, max-age=31536000, immutable" : "no-cache",
            .eTag: form.tag, .contentSecurityPolicy: Self.policy, .permissionsPolicy: Self.permissions,
        ]
        if isIsolated {
            // Then a page may ask the browser how much memory it takes (HTML, 7.1.4).
            headers[.crossOriginOpenerPolicy] = "same-origin"
            headers[.crossOriginEmbedderPolicy] = "require-corp"
        }
        if !file.compressed.isEmpty { headers[.vary] = "Accept-Encoding" }
        if asked.holds(tag: form.tag) {
            return AnyAPIResponse(status: .notModified, body: nil, type: "", headers: headers)
        }
        if let coding, form.tag != file.plain.tag { headers[.contentEncoding] = coding.name }
        var response = AnyAPIResponse(status: .ok, body: nil, type: file.type, headers: headers)
        response.stream = FilePart(packed, range: form.range, chunk: Self.chunkBytes)
        return response
    }

    private static func type(of name: String) -> String {
        switch name.split(separator: ".").last {
        case "html": "text/html; charset=utf-8"
        case "js": "text/javascript; charset=utf-8"
        case "css": "text/css; charset=utf-8"
        case "svg": "image/svg+xml"
        case "json": "application/json"
        case "webmanifest": "application/manifest+json"
        case "wasm": "application/wasm"
        case "png": "image/png"
        default: "application/octet-stream"
        }
    }
}

/// The reason why the screens cannot be served.
public struct WebFolderError: Error, CustomStringConvertible {
    var path: String
    var reason: String
    public var description: String { "The web folder \(path) \(reason). Run `make web`, or name another with --web." }
}

extension HTTPField.Name {
    // The literals are valid field names, so that the initialiser answers.
    fileprivate static let permissionsPolicy = HTTPField.Name("Permissions-Policy")!
    fileprivate static let crossOriginOpenerPolicy = HTTPField.Name("Cross-Origin-Opener-Policy")!
    fileprivate static let crossOriginEmbedderPolicy = HTTPField.Name("Cross-Origin-Embedder-Policy")!
}
