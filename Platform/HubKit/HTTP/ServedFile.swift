import Foundation
import HTTPTypes
import Hummingbird
import NIOCore
import NIOPosix

extension APIRequest {
    /// Answers with a file, or with the range of it that was asked for (RFC 9110, 14): one range, as players of sound
    /// ask; who asks for several gets all of it. So does who goes on with another file than the one that is there now
    /// (If-Range, RFC 9110, 13.1.5). Size, tag and bytes are those of one file, whatever gets its name meanwhile.
    ///
    /// - Throws: `missing` where there is no such file, a 416 problem for a range beyond its end.
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
    /// Bytes.
    let size: Int
    /// Its entity tag (RFC 9110, 8.8.3): another file of that name has another, and so has one that was written again.
    let tag: String

    /// Nil where there is none.
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

/// A range as a request names it: `bytes=0-499`, `bytes=500-` or, for the last so many, `bytes=-500`.
struct ByteRange: Equatable {
    private var first: Int?
    private var last: Int?

    /// Nil for several ranges, and for what is none: both count as not asked for (RFC 9110, 14.2).
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

    /// What of a file of so many bytes is meant; nil where there is nothing.
    func of(_ size: Int) -> Range<Int>? {
        guard let first else {
            let count = min(last ?? 0, size)
            return count > 0 ? size - count..<size : nil
        }
        guard first < size else { return nil }
        return first..<(last.map { min($0, size - 1) + 1 } ?? size)
    }
}

/// A file that stays open, whatever becomes of its name.
package final class OpenedFile: Sendable {
    fileprivate let descriptor: Int32

    /// - Parameter descriptor: is closed with this.
    package init(descriptor: Int32) { self.descriptor = descriptor }

    deinit { close(descriptor) }
}

/// A part of a file, read as the other end takes it.
package struct FilePart: Sendable {
    private let file: OpenedFile
    private let range: Range<Int>
    /// How much of it is in memory at once, bytes.
    private let chunk: Int

    /// - Parameter chunk: how much of it is in memory at once for each that asks, bytes.
    package init(_ file: OpenedFile, range: Range<Int>, chunk: Int) {
        (self.file, self.range, self.chunk) = (file, range, chunk)
    }

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
