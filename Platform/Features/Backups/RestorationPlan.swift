import Foundation
import HubKit
import Storage

/// The moves by which a staged backup takes the hub's place, as they stand on the disk until they are done.
///
/// Where each file is shows how far they are: the old one is in its place or aside, the new one is waiting or in its place.
/// So a plan is carried out, or undone, from any step on.
struct RestorationPlan: Codable, Equatable {
    /// A file that the backup brings, or that only the hub before has.
    struct Move: Codable, Equatable {
        /// The path below the data folder.
        var path: String
        /// Whether there was one before.
        var isOld: Bool
        /// Whether the backup has one.
        var isNew: Bool
    }

    /// The name of the folder with what was there before.
    var aside: String
    /// The moves, in order.
    var moves: [Move]

    private static let database = ["tandem.sqlite", "tandem.sqlite-wal", "tandem.sqlite-shm", "tandem.sqlite-journal"]

    private static func file(_ folder: DataFolder) -> String { folder.path + "/tandem.restore-plan" }
    private static func waiting(_ folder: DataFolder) -> String { folder.path + "/tandem.restore-files" }

    // MARK: - Making one

    /// Checks a staged backup, unpacks its files beside the hub's, and writes the plan. Nothing of the hub's is touched.
    ///
    /// - Throws: `BackupError`, in words.
    static func make(
        from staged: String, in folder: DataFolder, aside: String, migrations: [Migration]
    ) throws(BackupError) -> RestorationPlan {
        _ = try BackupFile.check(staged, migrations: migrations)
        try checkPlaces(of: staged, in: folder)
        do {
            try? FileManager.default.removeItem(atPath: waiting(folder))
            try DurableFiles.makeFolder(waiting(folder))
            let names = try BackupFile.unpack(staged, to: waiting(folder))
            for parent in Set(names.map { ("\(waiting(folder))/\($0)" as NSString).deletingLastPathComponent }) {
                try DurableFiles.synchronize(parent)
            }
            try DurableFiles.synchronize(waiting(folder))
            func isThere(_ name: String) -> Bool { FileKind.isAnything(at: "\(folder.path)/\(name)") }
            // The database last: until then the hub before is whole but for its files.
            let moves =
                names.map { Move(path: $0, isOld: isThere($0), isNew: true) }
                + database.reversed().map { Move(path: $0, isOld: isThere($0), isNew: $0 == "tandem.sqlite") }
            let plan = RestorationPlan(aside: aside, moves: moves)
            guard let part = try? folder.part(for: file(folder)) else { throw BackupError.notWritable(folder.path) }
            try DurableFiles.write(try JSONEncoder().encode(plan), to: part)
            guard rename(part, file(folder)) == 0 else {
                unlink(part)
                throw BackupError.notWritable(file(folder))
            }
            try DurableFiles.synchronize(folder.path)
            return plan
        } catch {
            if (error as? CocoaError)?.code == .fileWriteOutOfSpace {
                throw .noRoom(folder.path, freeMegabytes: 0, wantedMegabytes: 0)
            }
            throw error as? BackupError ?? .other(staged, reason: "\(error)")
        }
    }

    /// Checks that each file of a backup has a place in the folder: no folder where it would be, and no file where its
    /// folder would be. What else is there, such as a link or a pipe, is moved aside like a file.
    static func checkPlaces(of backup: String, in folder: DataFolder) throws(BackupError) {
        for name in try BackupFile.names(in: backup) {
            guard DataFolder.isOtherFile(name) else { throw .damaged(backup) }
            if FileKind.itself("\(folder.path)/\(name)") == .folder { throw .inTheWay("\(folder.path)/\(name)") }
            var parent = (name as NSString).deletingLastPathComponent
            while !parent.isEmpty {
                let place = "\(folder.path)/\(parent)"
                guard !FileKind.isAnything(at: place) || FileKind(place) == .folder else { throw .inTheWay(place) }
                parent = (parent as NSString).deletingLastPathComponent
            }
        }
    }

    /// Whether a plan is on the disk.
    static func isBegun(in folder: DataFolder) -> Bool { FileKind.isAnything(at: file(folder)) }

    /// The plan that a process before has left; nil if there is none.
    static func read(in folder: DataFolder) -> RestorationPlan? {
        guard FileKind(file(folder)) == .file, let content = FileManager.default.contents(atPath: file(folder)) else {
            return nil
        }
        return RestorationPlan(bytes: [UInt8](content))
    }

    /// Reads a plan; nil if it is none, or leads out of the data folder.
    init?(bytes: [UInt8]) {
        guard let plan = try? JSONDecoder().decode(RestorationPlan.self, from: Data(bytes)), plan.isSound else {
            return nil
        }
        self = plan
    }

    init(aside: String, moves: [Move]) { (self.aside, self.moves) = (aside, moves) }

    /// Whether all paths are below the data folder.
    private var isSound: Bool {
        !aside.contains("/") && aside.hasPrefix("replaced-")
            && moves.allSatisfy { DataFolder.isOtherFile($0.path) || Self.database.contains($0.path) }
    }

    /// Removes the plan and what was unpacked for it.
    static func discard(in folder: DataFolder) {
        unlink(file(folder))
        try? DurableFiles.synchronize(folder.path)
        try? FileManager.default.removeItem(atPath: waiting(folder))
    }

    // MARK: - Carrying it out

    private struct Places {
        var own, old, new: String

        init(_ move: Move, _ plan: RestorationPlan, staged: String, _ folder: DataFolder) {
            own = "\(folder.path)/\(move.path)"
            old = "\(folder.path)/\(plan.aside)/\(move.path)"
            new = move.path == "tandem.sqlite" ? staged : "\(RestorationPlan.waiting(folder))/\(move.path)"
        }
    }

    /// Makes the moves that are not made yet.
    func carryOut(staged: String, in folder: DataFolder) throws {
        try DurableFiles.makeFolder("\(folder.path)/\(aside)")
        if FileKind.isAnything(at: staged) { try BackupFile.removeAdditions(staged) }
        for move in moves {
            let places = Places(move, self, staged: staged, folder)
            if move.isOld, !FileKind.isAnything(at: places.old) { try Self.move(places.own, to: places.old) }
            if move.isNew, FileKind.isAnything(at: places.new) { try Self.move(places.new, to: places.own) }
        }
        for name in Set(moves.map { ($0.path as NSString).deletingLastPathComponent }) {
            for place in ["\(folder.path)/\(name)", "\(folder.path)/\(aside)/\(name)"]
            where FileKind(place) == .folder {
                try DurableFiles.synchronize(place)
            }
        }
        unlink(Self.file(folder))
        guard !Self.isBegun(in: folder) else { throw BackupError.notWritable(Self.file(folder)) }
        try DurableFiles.synchronize(folder.path)
    }

    /// Takes back the moves that are made: what was there before is in its place again.
    func undo(staged: String, in folder: DataFolder) throws {
        for move in moves.reversed() {
            let places = Places(move, self, staged: staged, folder)
            if move.isNew, !FileKind.isAnything(at: places.new), FileKind.isAnything(at: places.own) {
                try Self.move(places.own, to: places.new)
            }
            if move.isOld, FileKind.isAnything(at: places.old) { try Self.move(places.old, to: places.own) }
        }
        try DurableFiles.synchronize(folder.path)
        Self.removeEmpty("\(folder.path)/\(aside)")
    }

    /// Moves whatever is at a path, creating the folders on its way.
    private static func move(_ from: String, to: String) throws {
        try DurableFiles.makeFolder((to as NSString).deletingLastPathComponent)
        guard rename(from, to) == 0 else {
            throw errno == EXDEV
                ? BackupError.other(
                    from, reason: "it is on another disk than \(to), so that one cannot take the other’s place at once."
                )
                : BackupError.notWritable(to)
        }
    }

    /// Removes folders in which nothing is.
    private static func removeEmpty(_ folder: String) {
        for name in (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        where FileKind.itself("\(folder)/\(name)") == .folder {
            removeEmpty("\(folder)/\(name)")
        }
        rmdir(folder)
    }
}
