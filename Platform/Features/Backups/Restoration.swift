import Foundation
import HubKit
import Storage

/// The restoration of a backup: it is checked and staged in the data folder, and taken over when no hub runs there,
/// before the database is opened. Existing files are moved aside, never deleted.
///
/// Everything that can fail for the backup's sake is done before the first file of the hub's is moved. What is moved then
/// stands in a plan on the disk: a process that is killed meanwhile is finished by the next start, and one that fails puts
/// back what it moved.
public enum Restoration {
    private static func staged(_ folder: DataFolder) -> String { folder.path + "/tandem.restore" }

    /// Checks a backup and stages it in a hub's folder, whether that hub runs or not. Nothing else is changed.
    ///
    /// - Parameters:
    ///   - file: the path of the backup.
    ///   - folder: the hub's data folder.
    ///   - migrations: the companions' migrations, to check that this version understands it.
    /// - Throws: `BackupError`, in words.
    public static func stage(
        _ file: String, in folder: DataFolder, migrations: [Migration]
    ) throws(BackupError) -> BackupFile {
        let backup = try BackupFile.check(file, migrations: migrations)
        try RestorationPlan.checkPlaces(of: file, in: folder)
        guard !RestorationPlan.isBegun(in: folder) else {
            throw .other(
                file, reason: "another restore in \(folder.path) is not finished. Start the hub, then try again.")
        }
        let part: String
        do {
            part = try folder.part(for: staged(folder))
        } catch {
            throw .notWritable(folder.path)
        }
        do {
            // What a link leads to, and not the link: the backup is the owner’s, and stays as it is.
            try DurableFiles.copy(file, to: part)
            discardStaged(folder)
            guard rename(part, staged(folder)) == 0 else { throw BackupError.notWritable(staged(folder)) }
            try DurableFiles.synchronize(folder.path)
        } catch {
            try? FileManager.default.removeItem(atPath: part)
            throw error as? BackupError ?? .notWritable(folder.path)
        }
        return backup
    }

    /// Takes over a staged backup, if there is one. The caller holds the folder's lock, and has not opened the
    /// database.
    ///
    /// - Parameters:
    ///   - folder: the hub's data folder.
    ///   - now: the current time, in UTC milliseconds.
    ///   - migrations: the companions' migrations.
    /// - Returns: the folder with the replaced files; nil if nothing was staged.
    /// - Throws: `BackupError`. Except after ``BackupError/halfDone(aside:reason:)`` the hub is what it was, and nothing is
    ///   staged any more but after ``BackupError/kept(_:reason:)``.
    public static func takeOver(
        in folder: DataFolder, now: Int64, migrations: [Migration] = Registry.migrations
    ) throws(BackupError) -> String? {
        let plan: RestorationPlan
        if let begun = RestorationPlan.read(in: folder) {
            plan = begun
        } else {
            guard FileKind.isAnything(at: staged(folder)) else { return nil }
            do throws(BackupError) {
                guard FileKind.itself(staged(folder)) == .file else { throw .notAFile(staged(folder)) }
                plan = try RestorationPlan.make(
                    from: staged(folder), in: folder, aside: free(name: "replaced-\(name(of: now))", folder),
                    migrations: migrations)
            } catch {
                RestorationPlan.discard(in: folder)
                // Nobody has another of it, where the owner has tidied up.
                if error.isPassing { throw .kept(staged(folder), reason: "\(error)") }
                discardStaged(folder)
                throw error
            }
        }
        do {
            try plan.carryOut(staged: staged(folder), in: folder)
        } catch {
            let reason = "\(error as? BackupError ?? .notWritable(folder.path))"
            do {
                try plan.undo(staged: staged(folder), in: folder)
                RestorationPlan.discard(in: folder)
                discardStaged(folder)
            } catch {
                throw .halfDone(aside: "\(folder.path)/\(plan.aside)", reason: reason)
            }
            throw .putBack(reason: reason)
        }
        RestorationPlan.discard(in: folder)
        return "\(folder.path)/\(plan.aside)"
    }

    /// The path of the backup that the next start takes over; nil if none waits.
    ///
    /// - Parameter folder: the path of the hub's data folder.
    public static func waiting(in folder: String) -> String? {
        let path = folder + "/tandem.restore"
        return FileKind.isAnything(at: path) ? path : nil
    }

    /// Whether a process before was cut off while it took a backup over, so that the next one goes on with it.
    public static func isBegun(in folder: DataFolder) -> Bool { RestorationPlan.isBegun(in: folder) }

    /// Removes what is staged. What is no file, and so no backup of anybody's, gets another name.
    private static func discardStaged(_ folder: DataFolder) {
        for ending in ["", "-journal", "-wal", "-shm"] where FileKind.isAnything(at: staged(folder) + ending) {
            if unlink(staged(folder) + ending) != 0 { rename(staged(folder) + ending, staged(folder) + ".refused") }
        }
    }

    /// A name that nothing in the folder has: what was moved aside a minute ago stays.
    private static func free(name: String, _ folder: DataFolder) -> String {
        var free = name
        var number = 2
        while FileKind.isAnything(at: "\(folder.path)/\(free)") {
            free = "\(name)-\(number)"
            number += 1
        }
        return free
    }

    /// A time as part of a file name, such as `2026-11-24T0300Z`.
    package static func name(of time: Int64) -> String {
        let (day, minute) = LocalCalendar(timeZone: .gmt).moment(of: time)
        func two(_ number: Int32) -> String { number < 10 ? "0\(number)" : "\(number)" }
        return "\(CivilDate(day: day))T\(two(minute / 60))\(two(minute % 60))Z"
    }
}
