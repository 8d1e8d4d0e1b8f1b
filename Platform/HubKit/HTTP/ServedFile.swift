import Foundation
import HTTPTypes
import Hummingbird
import NIOCore
import NIOPosix

extension APIRequest {
    /// A response with a file or, if the request asks for a range, with that part of it (RFC 9110, 14): one range, as
    /// media players ask for; several ranges get the whole file. So does a range of another version of the file
    /// (If-Range, RFC 9110, 13.1.5). Size, tag and bytes are those of one file, even if it is replaced meanwhile.
    ///
    /// - Parameters:
    ///   - path: the file's path.
    ///   - media: the file's media type.
    ///   - missing: the error if there is no such file.
    /// - Throws: `missing`, or a 416 problem for a range beyond the end.
    public func file<Media: FileMedia>(_ path: String, _ media: Media, otherwise missing: Problem) async throws
        -> APIResponse<RangedFile<Media>>
    {
        let served = try await NIOThreadPool.singleton.runIfActive { ServedFile(path: path) }
        guard let served else { throw missing }
        let size = served.size
        var response = AnyAPIResponse(
            status: .ok, body: nil, type: media.mediaType, headers: [.acceptRanges: "bytes", .eTag: served.tag])
        var range = 0..<size
        // A date is none of ours: no answer has one. Nor is a weak tag.
        let isSame = httpRequest.headers[.ifRange].map { $0 == served.tag } ?? true
        if isSame, let asked = httpRequest.headers[.range].flatMap({ ByteRange($0) }) {
            guard let part = asked.of(size) else {
                throw Problem(
                    .rangeNotSatisfiable, "Beyond the end", "The file has \(size) bytes, and none where you asked.")
            }
            range = part
            response.status = .partialContent
            response.headers[.contentRange] = "bytes \(range.lowerBound)-\(range.upperBound - 1)/\(size)"
        }
        response.stream = FilePart(served.file, range: range, chunk: 131_072)
        return APIResponse(response)
    }
}

/// A file as it was when it was opened.
private struct ServedFile: Sendable {
    let file: OpenedFile
    /// The size of the file, in bytes.
    let size: Int
    /// The entity tag (RFC 9110, 8.8.3), which changes when the file is written or replaced.
    let tag: String

    /// Opens the file; nil if there is no regular file at the path.
    init?(path: String) {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        file = OpenedFile(descriptor: descriptor)
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
        size = Int(status.st_size)
        #if canImport(Darwin)
            let written = status.st_mtimespec
        #else
            let written = status.st_mtim
        #endif
        tag = "\"\(status.st_ino)-\(size)-\(written.tv_sec)-\(written.tv_nsec)\""
    }
}

/// A byte range as a request gives it: `bytes=0-499`, `bytes=500-` or, for the last so many, `bytes=-500`.
struct ByteRange: Equatable {
    private var first: Int?
    private var last: Int?

    /// Reads a `Range` header; nil for several ranges and for anything else, which are ignored (RFC 9110, 14.2).
    init?(_ field: String) {
        let text = field.trimmingCharacters(in: .whitespaces)
        guard text.hasPrefix("bytes="), !text.contains(",") else { return nil }
        let ends = text.dropFirst(6).split(separator: "-", maxSplits: 1, omittingEmptySubsequences: false)
        guard ends.count == 2, ends.allSatisfy({ $0.utf8.allSatisfy { (0x30...0x39).contains($0) } }) else {
            return nil
        }
        first = Int(ends[0])
        last = Int(ends[1])
        guard (first != nil) == !ends[0].isEmpty, (last != nil) == !ends[1].isEmpty, first != nil || last != nil else {
            return nil
        }
        if let first, let last, last < first { return nil }
    }

    /// The part of a file of `size` bytes that the range selects; nil if that is empty.
    func of(_ size: Int) -> Range<Int>? {
        guard let first else {
            let count = min(last ?? 0, size)
            return count > 0 ? size - count..<size : nil
        }
        guard first < size else { return nil }
        return first..<(last.map { min($0, size - 1) + 1 } ?? size)
    }
}

/// An open file, which stays readable when its name is removed or replaced.
package final class OpenedFile: Sendable {
    fileprivate let descriptor: Int32

    /// Takes over an open file.
    ///
    /// - Parameter descriptor: the file descriptor, which is closed when the object goes.
    package init(descriptor: Int32) { self.descriptor = descriptor }

    deinit { close(descriptor) }
}

/// A part of a file, read from the disk at the rate at which the client reads it.
package struct FilePart: Sendable {
    private let file: OpenedFile
    private let range: Range<Int>
    /// The size of one read, in bytes.
    private let chunk: Int

    /// Selects a part of a file.
    ///
    /// - Parameter chunk: the size of one read, in bytes: each client that is being sent the file takes as much memory.
    package init(_ file: OpenedFile, range: Range<Int>, chunk: Int) {
        (self.file, self.range, self.chunk) = (file, range, chunk)
    }

    /// The body for the HTTP server.
    package var body: ResponseBody {
        ResponseBody(contentLength: range.count) { [self] writer in
            var offset = range.lowerBound
            while offset < range.upperBound {
                let (start, count) = (offset, min(chunk, range.upperBound - offset))
                let part = try await NIOThreadPool.singleton.runIfActive {
                    var buffer = ByteBuffer()
                    let read = buffer.writeWithUnsafeMutableBytes(minimumWritableBytes: count) {
                        max(pread(file.descriptor, $0.baseAddress, count, off_t(start)), 0)
                    }
                    // Shorter than it was when the head of the answer was written: only ending the connection says so.
                    guard read > 0 else { throw CocoaError(.fileReadCorruptFile) }
                    return buffer
                }
                offset += part.readableBytes
                try await writer.write(part)
            }
            try await writer.finish(nil)
        }
    }
}
