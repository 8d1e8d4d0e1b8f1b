import Foundation
import Hummingbird
import NIOCore
import NIOPosix

/// The body of a request that was written to a file as it arrived, without being in memory as a whole.
public struct SavedBody: Sendable {
    /// The size of the file, in bytes.
    public var bytes: Int

    /// The number of bytes at the beginning that are checked before the rest is written.
    public static let beginning = 64
}

extension APIRequest {
    /// Writes the body to a file. When this returns, the file is complete and on the disk; when it throws, there is no
    /// file.
    ///
    /// A body that is announced as too large is refused before it is read.
    ///
    /// - Parameters:
    ///   - path: the path of a new file in an existing folder.
    ///   - limitBytes: the largest body that is taken, in bytes.
    ///   - problem: the error for a larger body, with status 413.
    ///   - look: checks the first ``SavedBody/beginning`` bytes, or all if there are fewer. An error that it throws is
    ///     the response.
    /// - Throws: a 411 problem without a Content-Length, a 400 problem if the connection breaks off, a 503 problem if
    ///   the disk cannot be written.
    public func save(
        to path: String, upTo limitBytes: Int, otherwise problem: @autoclosure () -> Problem,
        look: @Sendable ([UInt8]) throws -> Void
    ) async throws -> SavedBody {
        // Without it, a body that broke off could not be distinguished from one that ended.
        guard let promised = httpRequest.headers[.contentLength].flatMap({ Int($0) }), promised >= 0 else {
            throw Problem(.lengthRequired, "How long?", "Send the file with a Content-Length.")
        }
        var parts = httpRequest.body.makeAsyncIterator()
        // What is not read then is thrown away by `HTTP1AnswerHandler`, while the client takes the answer.
        guard promised <= limitBytes else { throw problem() }
        return try await keep(&parts, at: path, bytes: promised, look)
    }

    private func keep(
        _ parts: inout RequestBody.AsyncIterator, at path: String, bytes promised: Int,
        _ look: @Sendable ([UInt8]) throws -> Void
    ) async throws -> SavedBody {
        let file = try await NewFile(path, in: hub.settings.dataFolder)
        do {
            var count = 0
            var beginning: [UInt8]? = []
            while let part = try await parts.part() {
                count += part.readableBytes
                if let seen = beginning {
                    beginning = seen + Array(buffer: part).prefix(SavedBody.beginning - seen.count)
                    if beginning?.count == SavedBody.beginning {
                        try look(beginning ?? [])
                        beginning = nil
                    }
                }
                // More than was promised is no body of this request's.
                guard count <= promised else { break }
                try await file.write(part)
            }
            if let beginning { try look(beginning) }
            guard promised == count else {
                throw Problem(.badRequest, "Broke off", "Not all of the file has come. Send it again.")
            }
            try await file.settle()
            return SavedBody(bytes: count)
        } catch {
            await file.discard()
            throw error
        }
    }
}

/// A file that is written under a temporary name, on threads that may wait for the disk.
private struct NewFile: Sendable {
    private let path: String
    private let descriptor: Int32
    /// The path while it is not complete.
    private let part: String

    init(_ path: String, in dataFolder: String) async throws {
        self.path = path
        (part, descriptor) = try await Self.onDisk {
            guard let part = try? DataFolder(path: dataFolder).part(for: path) else { throw Self.failure() }
            let descriptor = open(part, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
            guard descriptor >= 0 else { throw Self.failure() }
            return (part, descriptor)
        }
    }

    func write(_ part: ByteBuffer) async throws {
        let descriptor = descriptor
        try await Self.onDisk {
            var left = part.readableBytesView
            while !left.isEmpty {
                let count = left.withUnsafeBytes { Foundation.write(descriptor, $0.baseAddress, $0.count) }
                guard count > 0 else {
                    if count < 0, errno == EINTR { continue }
                    throw Self.failure()
                }
                left = left.dropFirst(count)
            }
        }
    }

    /// Moves the file to its final name and waits until it is on the disk.
    func settle() async throws {
        let (path, part, descriptor) = (path, part, descriptor)
        try await Self.onDisk {
            guard fsync(descriptor) == 0, rename(part, path) == 0 else { throw Self.failure() }
            let folder = open((path as NSString).deletingLastPathComponent, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
            guard folder >= 0 else { throw Self.failure() }
            defer { close(folder) }
            guard fsync(folder) == 0 else { throw Self.failure() }
            close(descriptor)
        }
    }

    func discard() async {
        let (path, part, descriptor) = (path, part, descriptor)
        try? await Self.onDisk {
            close(descriptor)
            unlink(part)
            unlink(path)
        }
    }

    private static func onDisk<Result: Sendable>(_ work: @escaping @Sendable () throws -> Result) async throws -> Result
    {
        try await NIOThreadPool.singleton.runIfActive(work)
    }

    private static func failure() -> Problem {
        let isFull = errno == ENOSPC || errno == EDQUOT
        return Problem(
            .serviceUnavailable, "Not stored",
            isFull
                ? "The hub’s disk is full. Nothing was changed; free some space, then try again."
                : "The hub could not write to its data folder. Nothing was changed; look at its disk.")
    }
}
