import GRDB
import HubInstruments
import MQTT
import NIOCore
import NIOPosix
import Storage
import Testing

@testable import HubKit
@testable import Readings

@Suite("Readings of many series at once, and few now and then")
struct WideLoadTests {
    /// A batch writer on its loop, and what it says.
    private final class RecorderFixture {
        let hub: TestHub
        let loop: any EventLoop
        let device: DeviceRecord
        private(set) var batchWriter: BatchWriter?
        private(set) var announced: [CommittedReading] = []
        var whenAnnounced: () -> Void = {}

        init(_ hub: TestHub, _ device: DeviceRecord, loop: any EventLoop) throws {
            (self.hub, self.device, self.loop) = (hub, device, loop)
            batchWriter = try BatchWriter(hub: hub.hub, loop: loop) { [weak self] in
                self?.announced += $0
                self?.whenAnnounced()
            }
        }

        var commits: Int { hub.hub.counts.figures.commits }

        /// Readings of 128 series in turn.
        func add(_ count: Int, at: Int64 = 0, value: Double? = nil, series: Int = 128) {
            for index in 0..<count {
                let name = ByteBuffer(string: "q\(index % series)")
                guard let series = batchWriter?.series(device: device, quantity: name, unit: nil) else { continue }
                batchWriter?.add(value ?? Double(index), at: at + Int64(index / 128), to: series, now: 0)
            }
        }

        func commit(_ committed: @escaping () -> Void, failed: @escaping () -> Void = {}) {
            batchWriter?.commit(for: Waiter(committed, failed))
        }

        /// Commits readings that cannot be moved to their rows, and calls `failed` once that was tried, with how many readings
        /// and entries of the journal there were; from then on they can.
        func addWhileNothingMoves(
            _ count: Int, _ promise: EventLoopPromise<some Any>, _ failed: @escaping (_ left: [Int]) -> Void
        ) {
            func execute(_ sql: String) {
                do { try hub.hub.database.pool.write { db in try db.execute(sql: sql) } } catch { promise.fail(error) }
            }
            func look() {
                guard hub.hub.counts.figures.failedCommits > 0 else {
                    return _ = loop.assumeIsolated().scheduleTask(in: .milliseconds(5)) { look() }
                }
                let left = [self.count(of: "reading"), self.count(of: "reading_journal")]
                execute("DROP TRIGGER refuse")
                failed(left)
            }
            execute("CREATE TRIGGER refuse BEFORE INSERT ON rollup BEGIN SELECT RAISE(ABORT, 'no'); END")
            add(count)
            commit {}
            look()
        }

        func count(of table: String) -> Int {
            (try? hub.hub.database.pool.read { db in try Int.fetchOne(db, sql: "SELECT count(*) FROM \(table)") }) ?? -1
        }

        var values: [Double] {
            (try? hub.hub.database.pool.read { db in try Double.fetchAll(db, sql: "SELECT value FROM reading") }) ?? []
        }
    }

    private final class Waiter: Acknowledger {
        private let whenCommitted, whenFailed: () -> Void

        init(_ committed: @escaping () -> Void, _ failed: @escaping () -> Void) {
            (whenCommitted, whenFailed) = (committed, failed)
        }

        func sealed() -> ByteBuffer { ByteBuffer() }
        func committed(_ acknowledgements: ByteBuffer) { whenCommitted() }
        func failed() { whenFailed() }
    }

    /// Plays `body` on the loop until it fulfils its promise.
    private func play<Value: Sendable>(
        configure: (inout HubSettings) -> Void = { _ in },
        _ body: @escaping @Sendable (RecorderFixture, EventLoopPromise<Value>) -> Void
    ) async throws -> Value {
        let hub = try TestHub(configure: configure)
        let device = try await hub.device()
        let loop = MultiThreadedEventLoopGroup.singleton.next()
        return try await loop.flatSubmit {
            let promise = loop.makePromise(of: Value.self)
            do {
                let fixture = try RecorderFixture(hub, device, loop: loop)
                body(fixture, promise)
                promise.futureResult.assumeIsolated().whenComplete { _ in withExtendedLifetime(fixture) {} }
            } catch {
                promise.fail(error)
            }
            return promise.futureResult
        }.get()
    }

    @Test("A wide batch is acknowledged with what the journal has of it, and told of when it is in its rows")
    func wide() async throws {
        let seen: [Int] = try await play { fixture, promise in
            var seen: [Int] = []
            fixture.whenAnnounced = {
                promise.succeed(
                    seen + [
                        fixture.count(of: "reading"), fixture.count(of: "reading_journal"), fixture.announced.count,
                    ])
            }
            fixture.add(512)
            fixture.commit {
                seen = [fixture.count(of: "reading"), fixture.count(of: "reading_journal"), fixture.announced.count]
            }
        }
        #expect(seen == [0, 1, 0, 512, 0, 128])
    }

    @Test("A household's batches go straight into their rows", arguments: [(255, 128), (512, 4), (512, 64)])
    func narrow(count: Int, series: Int) async throws {
        let seen: [Int] = try await play { fixture, promise in
            fixture.add(count, series: series)
            fixture.commit { promise.succeed([fixture.count(of: "rollup") / 3, fixture.count(of: "reading_journal")]) }
        }
        #expect(seen == [series, 0])
    }

    // On a busy machine what waits is moved, and announced, in several parts.
    @Test(
        "What comes while readings wait goes behind them, so that the first of one time stands", .timeLimit(.minutes(1))
    )
    func order() async throws {
        let values: [Double] = try await play { fixture, promise in
            fixture.add(512, value: 1)
            fixture.commit {
                fixture.whenAnnounced = {
                    if fixture.values.count >= 512 { promise.succeed(fixture.values) }
                }
                fixture.add(1, value: 2)
                fixture.commit {}
            }
        }
        #expect(values == Array(repeating: 1, count: 512))
    }

    @Test(
        "Where what waits cannot be moved it waits on, and is there once the disk is well again",
        .timeLimit(.minutes(1)))
    func failingMove() async throws {
        let values: [Int] = try await play { fixture, promise in
            fixture.addWhileNothingMoves(512, promise) { left in
                fixture.whenAnnounced = {
                    let stored = fixture.count(of: "reading")
                    if stored >= 513 { promise.succeed(left + [stored]) }
                }
                fixture.add(1, at: 99)
                fixture.commit {}
            }
        }
        #expect(values == [0, 1, 513])
    }

    @Test("What could not be moved is tried again though nobody brings more", .timeLimit(.minutes(1)))
    func failingMoveAlone() async throws {
        let values: [Int] = try await play { fixture, promise in
            fixture.addWhileNothingMoves(512, promise) { _ in
                fixture.whenAnnounced = {
                    promise.succeed([fixture.count(of: "reading"), fixture.count(of: "reading_journal")])
                }
            }
        }
        #expect(values == [512, 0])
    }

    @Test(
        "Wide is what has 256 readings or more, and fewer than eight a series",
        arguments: [(255, 255, false), (256, 32, false), (256, 33, true), (2_048, 256, false), (2_048, 1_000, true)])
    func plans(readings: Int, series: Int, isWide: Bool) {
        var pace = JournalPace()
        let plan = pace.plan(readings: readings, series: series, now: .now())
        #expect(plan.isWide == isWide)
        #expect(plan.most > readings)
        #expect(plan.isUrgent == !isWide)
    }

    @Test("A short run is begun after a while, once")
    func patience() {
        var pace = JournalPace()
        let later = NIODeadline.now() + .seconds(1)
        #expect(pace.plan(readings: 1_000, series: 1_000, now: later).isUrgent)
        #expect(!pace.plan(readings: 1_000, series: 1_000, now: later + .milliseconds(10)).isUrgent)
    }

    @Test("With an interval between commits, few readings gather in it, while the first and many at once do not wait")
    func gathers() async throws {
        let commits: Int = try await play(configure: { $0.commitIntervalMilliseconds = 3_600_000 }) {
            fixture, promise in
            fixture.add(1)
            fixture.commit {
                fixture.add(1, at: 1)
                fixture.commit {}
                fixture.loop.assumeIsolated().execute {
                    fixture.loop.assumeIsolated().execute {
                        fixture.add(64, at: 2)
                        fixture.commit { promise.succeed(fixture.commits) }
                    }
                }
            }
        }
        #expect(commits == 2)
    }

    @Test("What gathers is committed at the end of the interval")
    func endOfInterval() async throws {
        let count: Int = try await play(configure: { $0.commitIntervalMilliseconds = 20 }) { fixture, promise in
            fixture.add(1)
            fixture.commit {
                fixture.add(1, at: 1)
                fixture.commit { promise.succeed(fixture.count(of: "reading")) }
            }
        }
        #expect(count == 2)
    }
}
