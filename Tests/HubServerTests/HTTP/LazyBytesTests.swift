import Foundation
import HubInstruments
import NIOCore
import Synchronization
import Testing

@testable import HubKit
@testable import HubServer

@Suite("Bytes that are written once")
struct LazyBytesTests {
    private struct Failure: Error {}

    private final class Writer: Sendable {
        let times = Mutex(0)
        let isBroken = Mutex(false)
    }

    @Test("However many ask at once, it is written once")
    func once() async throws {
        let writer = Writer()
        let document = LazyBytes {
            writer.times.withLock { $0 += 1 }
            return ByteBuffer(string: "all routes")
        }
        let answers = try await withThrowingTaskGroup(of: ByteBuffer.self) { group in
            for _ in 0..<50 { group.addTask { try document.bytes } }
            return try await group.reduce(into: Set<ByteBuffer>()) { $0.insert($1) }
        }
        #expect(answers == [ByteBuffer(string: "all routes")])
        #expect(writer.times.withLock { $0 } == 1)
    }

    @Test("What could not be written is tried again for the next who asks")
    func again() throws {
        let writer = Writer()
        writer.isBroken.withLock { $0 = true }
        let document = LazyBytes {
            if writer.isBroken.withLock({ $0 }) { throw Failure() }
            return ByteBuffer(string: "all routes")
        }
        #expect(throws: Failure.self) { try document.bytes }
        writer.isBroken.withLock { $0 = false }
        #expect(try document.bytes == ByteBuffer(string: "all routes"))
    }
}
