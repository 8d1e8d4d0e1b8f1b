import GRDB
import HubInstruments
import MQTT
import NIOCore
import NIOPosix
import Storage
import Synchronization
import Testing

@testable import HubKit
@testable import Readings

@Suite("The batch writer")
struct BatchWriterTests {
    /// Notes in what order it is called.
    private final class Waiter: Acknowledger {
        var events: [String] = []
        let finished: EventLoopPromise<[String]>

        init(_ finished: EventLoopPromise<[String]>) { self.finished = finished }

        func sealed() -> ByteBuffer {
            events.append("sealed")
            return ByteBuffer(string: "acks")
        }

        func committed(_ acknowledgements: ByteBuffer) {
            finished.succeed(events + ["committed \(String(buffer: acknowledgements))"])
        }
        func failed() { finished.succeed(events + ["failed"]) }
    }

    private func record(
        _ hub: TestHub, _ body: @escaping @Sendable (BatchWriter, DeviceRecord) -> Void, device: DeviceRecord
    ) async throws -> [String] {
        let loop = MultiThreadedEventLoopGroup.singleton.next()
        return try await loop.flatSubmit {
            let promise = loop.makePromise(of: [String].self)
            do {
                let batchWriter = try BatchWriter(hub: hub.hub, loop: loop) { _ in }
                body(batchWriter, device)
                batchWriter.commit(for: Waiter(promise))
            } catch {
                promise.fail(error)
            }
            return promise.futureResult
        }.get()
    }

    @Test("An acknowledgement is handed over when the batch is sealed and sent when it is durable")
    func acknowledges() async throws {
        let hub = try TestHub()
        let device = try await hub.device()
        let events = try await record(
            hub,
            { batchWriter, device in
                guard
                    let series = batchWriter.series(device: device, quantity: ByteBuffer(string: "moisture"), unit: "%")
                else { return }
                batchWriter.add(41.5, at: nil, to: series, now: 100)
            }, device: device)
        #expect(events == ["sealed", "committed acks"])
        let stored = try await hub.hub.database.pool.read { db in
            try db.series(device: device.id, quantity: "moisture").flatMap { try db.latestReading(series: $0.id) }
        }
        #expect(stored?.value == 41.5)
    }

    @Test("A commit that fails sends no acknowledgement, and the next batch brings the series again")
    func fails() async throws {
        let hub = try TestHub()
        let device = try await hub.device()
        try await hub.hub.database.pool.write { db in
            try db.execute(sql: "CREATE TRIGGER refuse BEFORE INSERT ON reading BEGIN SELECT RAISE(ABORT, 'no'); END")
        }
        let loop = MultiThreadedEventLoopGroup.singleton.next()
        let batchWriter = try await loop.submit {
            NIOLoopBound(try BatchWriter(hub: hub.hub, loop: loop) { _ in }, eventLoop: loop)
        }.get()
        @Sendable func send() async throws -> [String] {
            try await loop.flatSubmit {
                let promise = loop.makePromise(of: [String].self)
                guard
                    let series = batchWriter.value.series(
                        device: device, quantity: ByteBuffer(string: "moisture"), unit: "%")
                else { return loop.makeSucceededFuture([]) }
                batchWriter.value.add(1, at: nil, to: series, now: 100)
                batchWriter.value.commit(for: Waiter(promise))
                return promise.futureResult
            }.get()
        }
        #expect(try await send() == ["sealed", "failed"])
        try await hub.hub.database.pool.write { db in try db.execute(sql: "DROP TRIGGER refuse") }
        #expect(try await send() == ["sealed", "committed acks"])
        #expect(try await hub.hub.database.pool.read { db in try db.readingCount() } == 1)
    }

    @Test("What a companion stores beside readings is not acknowledged either where the disk can only be read")
    func readOnly() async throws {
        let hub = try TestHub()
        let device = try await hub.device()
        try await hub.hub.database.pool.writeWithoutTransaction { db in try db.execute(sql: "PRAGMA query_only = 1") }
        let events = try await record(
            hub,
            { batchWriter, _ in
                batchWriter.perform { db in try db.execute(sql: "UPDATE device SET name = 'x'") }
            }, device: device)
        #expect(events == ["sealed", "failed"])
    }

    @Test("Readings of one millisecond without a time of their own are all stored, in order")
    func increasing() async throws {
        let hub = try TestHub()
        let device = try await hub.device()
        _ = try await record(
            hub,
            { batchWriter, device in
                guard let series = batchWriter.series(device: device, quantity: ByteBuffer(string: "light"), unit: nil)
                else { return }
                for value in 0..<100 { batchWriter.add(Double(value), at: nil, to: series, now: 1000) }
            }, device: device)
        let values = try await hub.hub.database.pool.read { db in
            var values: [Double] = []
            if let series = try db.series(device: device.id, quantity: "light") {
                try db.forEachReading(series: series.id) { values.append($0.value) }
            }
            return values
        }
        #expect(values == (0..<100).map(Double.init))
    }

    @Test("When the hub's clock was a year ahead and is right again, readings have the time it shows, and none is lost")
    func clockJumps() async throws {
        let hub = try TestHub()
        let device = try await hub.device()
        let year: Int64 = 31_536_000_000
        _ = try await record(
            hub,
            { batchWriter, device in
                guard let series = batchWriter.series(device: device, quantity: ByteBuffer(string: "light"), unit: nil)
                else { return }
                for (value, now) in [(1.0, 2 * year), (2.0, year), (3.0, year + 1), (4.0, 2 * year + 10)] {
                    batchWriter.add(value, at: nil, to: series, now: now)
                }
            }, device: device)
        let readings = try await hub.hub.database.pool.read { db in
            var readings: [Reading] = []
            if let series = try db.series(device: device.id, quantity: "light") {
                try db.forEachReading(series: series.id) { readings.append($0) }
            }
            return readings
        }
        #expect(readings.map(\.value) == [2, 3, 1, 4])
        #expect(readings.map(\.at) == [year, year + 1, 2 * year, 2 * year + 10])
    }

    @Test("A reading years ahead of the clock is stored, and hides none of the present from pages and companions")
    func ahead() async throws {
        let hub = try TestHub()
        let device = try await hub.device()
        let now = hub.hub.clock.now()
        let loop = MultiThreadedEventLoopGroup.singleton.next()
        let sent: [(quantity: String, at: Int64, value: Double)] = [
            ("light", now, 1), ("light", now + 31_536_000_000, 2), ("sap", now + 63_072_000_000, 3),
        ]
        let announced = try await loop.flatSubmit { () -> EventLoopFuture<[Double]> in
            let promise = loop.makePromise(of: [Double].self)
            do {
                let batchWriter = try BatchWriter(hub: hub.hub, loop: loop) { promise.succeed($0.map(\.value)) }
                for one in sent {
                    let series = batchWriter.series(
                        device: device, quantity: ByteBuffer(string: one.quantity), unit: nil)
                    guard let series else { continue }
                    batchWriter.add(one.value, at: one.at, to: series, now: now)
                }
                batchWriter.commit(for: Waiter(loop.makePromise()))
            } catch {
                promise.fail(error)
            }
            return promise.futureResult
        }.get()
        #expect(announced == [1])
        #expect(try await hub.hub.database.pool.read { db in try db.readingCount() } == 3)
    }

    @Test("A clock that is corrected by minutes leaves readings in their order")
    func clockCorrected() async throws {
        let hub = try TestHub()
        let device = try await hub.device()
        _ = try await record(
            hub,
            { batchWriter, device in
                guard let series = batchWriter.series(device: device, quantity: ByteBuffer(string: "light"), unit: nil)
                else { return }
                for (value, now) in [(1.0, Int64(900_000)), (2.0, 300_000), (3.0, 300_001)] {
                    batchWriter.add(value, at: nil, to: series, now: now)
                }
            }, device: device)
        let times = try await hub.hub.database.pool.read { db in
            var times: [Int64] = []
            if let series = try db.series(device: device.id, quantity: "light") {
                try db.forEachReading(series: series.id) { times.append($0.at) }
            }
            return times
        }
        #expect(times == [900_000, 900_001, 900_002])
    }

    @Test("A sensor that sends a million readings in one second has each of them, in their order")
    func flood() {
        let series = Series(id: 1, household: "house", device: "device", quantity: "light", assigned: 0)
        let times = (0..<1_000_000).map { _ in series.assignTime(now: 1_800_000_000_000) }
        #expect(times == Array(1_800_000_000_000..<1_800_001_000_000))
    }

    @Test("An acknowledgement with nothing to store waits for the commit before it [MQTT-4.6.0-2]")
    func order() async throws {
        let hub = try TestHub()
        let device = try await hub.device()
        let loop = MultiThreadedEventLoopGroup.singleton.next()
        let order = try await loop.flatSubmit {
            let promise = loop.makePromise(of: [String].self)
            do {
                let batchWriter = try BatchWriter(hub: hub.hub, loop: loop) { _ in }
                let log = Order(promise, count: 3)
                if let series = batchWriter.series(device: device, quantity: ByteBuffer(string: "light"), unit: nil) {
                    batchWriter.add(1, at: nil, to: series, now: 1)
                }
                batchWriter.commit(for: Ordered("first", log) { batchWriter.commit(for: Ordered("second", log) {}) })
                batchWriter.commit(for: Ordered("third", log) {})
            } catch {
                promise.fail(error)
            }
            return promise.futureResult
        }.get()
        #expect(order == ["first", "third", "second"])
    }

    /// Notes who was acknowledged, in order.
    private final class Order {
        private var names: [String] = []
        private let finished: EventLoopPromise<[String]>
        private let count: Int

        init(_ finished: EventLoopPromise<[String]>, count: Int) {
            self.finished = finished
            self.count = count
        }

        func note(_ name: String) {
            names.append(name)
            if names.count == count { finished.succeed(names) }
        }
    }

    /// Asks for something more as soon as its batch is sealed, while that is being written.
    private final class Ordered: Acknowledger {
        private let name: String
        private let log: Order
        private let whenSealed: () -> Void

        init(_ name: String, _ log: Order, whenSealed: @escaping () -> Void) {
            self.name = name
            self.log = log
            self.whenSealed = whenSealed
        }

        func sealed() -> ByteBuffer {
            whenSealed()
            return ByteBuffer()
        }
        func committed(_ acknowledgements: ByteBuffer) { log.note(name) }
        func failed() { log.note(name + " failed") }
    }

    @Test("A device has a limited number of series")
    func seriesLimit() async throws {
        let hub = try TestHub { $0.seriesPerDevice = 3 }
        let device = try await hub.device()
        let loop = MultiThreadedEventLoopGroup.singleton.next()
        let made = try await loop.submit {
            let batchWriter = try BatchWriter(hub: hub.hub, loop: loop) { _ in }
            return (0..<5).map {
                batchWriter.series(device: device, quantity: ByteBuffer(string: "q\($0)"), unit: nil) != nil
            }
        }.get()
        #expect(made == [true, true, true, false, false])
    }

    @Test("Pages are told what was stored: not a second value for a time that has one, and the time that was given")
    func announcesWhatWentIn() async throws {
        let hub = try TestHub()
        let device = try await hub.device()
        let loop = MultiThreadedEventLoopGroup.singleton.next()
        let told = try await loop.flatSubmit {
            let promise = loop.makePromise(of: [Double].self)
            do {
                let batchWriter = try BatchWriter(hub: hub.hub, loop: loop) { readings in
                    promise.succeed(readings.map(\.value))
                }
                if let series = batchWriter.series(device: device, quantity: ByteBuffer(string: "light"), unit: nil) {
                    batchWriter.add(1, at: 500, to: series, now: 1)
                    batchWriter.add(2, at: 500, to: series, now: 1)
                }
                batchWriter.perform { _ in }
            } catch {
                promise.fail(error)
            }
            return promise.futureResult
        }.get()
        #expect(told == [1])
    }

    @Test("Work that the disk does not take leaves its message unacknowledged, and work that fails otherwise does not")
    func fullDisk() async throws {
        let hub = try TestHub()
        let device = try await hub.device()
        for (code, expected) in [(ResultCode.SQLITE_FULL, "failed"), (.SQLITE_CONSTRAINT, "committed acks")] {
            let events = try await record(
                hub, { batchWriter, _ in batchWriter.perform { _ in throw DatabaseError(resultCode: code) } },
                device: device)
            #expect(events == ["sealed", expected])
        }
    }

    @Test("Work that throws is undone alone; the batch around it stands")
    func workIsolated() async throws {
        let hub = try TestHub()
        let device = try await hub.device()
        struct Stop: Error {}
        _ = try await record(
            hub,
            { batchWriter, device in
                guard let series = batchWriter.series(device: device, quantity: ByteBuffer(string: "light"), unit: nil)
                else { return }
                batchWriter.add(1, at: nil, to: series, now: 1)
                batchWriter.perform { db in
                    try db.execute(sql: "DELETE FROM device")
                    throw Stop()
                }.whenFailure { _ in }
            }, device: device)
        let (readings, devices) = try await hub.hub.database.pool.read { db in
            (try db.readingCount(), try DeviceRecord.fetchCount(db))
        }
        #expect(readings == 1)
        #expect(devices == 1)
    }
}
