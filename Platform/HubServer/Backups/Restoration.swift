import Foundation
import HubKit
import Storage

/// The restoration of a backup: it is checked and staged in the data folder, and taken over when no hub runs there,
/// before the database is opened. Existing files are moved aside, never deleted.
public enum Restoration {
    private static func staged(_ folder: DataFolder) -> String { folder.path + "/tandem.restore" }

    /// Checks a backup and stages it in a hub's folder, whether that hub runs or not. Nothing else is changed.
    ///
    /// - Parameters:
    ///   - file: the path of the backup.
    ///   - folder: the hub's data folder.
    ///   - migrations: the companions' migrations, to check that this version understands it.
    /// - Throws: `BackupError`, in words.
    public static func stage(_ file: String, in folder: DataFolder, migrations: [Migration]) throws -> BackupFile {
        let backup = try BackupFile.check(file)
        switch try HubDatabase.schemaAge(path: file, migrations: migrations) {
        case .known: break
        case .newer: throw BackupError.newer(file)
        case .unreleased: throw BackupError.unreleased(file)
        }
        let part = staged(folder) + ".part"
        try? FileManager.default.removeItem(atPath: part)
        do {
            try FileManager.default.copyItem(atPath: file, toPath: part)
            chmod(part, 0o600)
            try DurableFiles.synchronize(part)
        } catch {
            try? FileManager.default.removeItem(atPath: part)
            if (error as? CocoaError)?.code == .fileWriteOutOfSpace {
                throw BackupError.noRoom(part, freeMegabytes: 0, wantedMegabytes: 0)
            }
            throw BackupError.notWritable(part)
        }
        guard rename(part, staged(folder)) == 0 else { throw BackupError.notWritable(staged(folder)) }
        try DurableFiles.synchronize(folder.path)
        return backup
    }

    /// Takes over a staged backup, if there is one. The caller holds the folder's lock, and has not opened the
    /// database.
    ///
    /// A process that is killed meanwhile repeats it: the staged file is the last to get its name.
    ///
    /// - Returns: the folder with the replaced files; nil if nothing was staged.
    public static func takeOver(in folder: DataFolder, now: Int64) throws -> String? {
        guard FileManager.default.fileExists(atPath: staged(folder)) else { return nil }
        let aside = "\(folder.path)/replaced-\(name(of: now))"
        try DurableFiles.makeFolder(aside)
        for name in ["tandem.sqlite", "tandem.sqlite-wal", "tandem.sqlite-shm"] {
            try DurableFiles.move("\(folder.path)/\(name)", to: "\(aside)/\(name)")
        }
        try BackupFile.unpack(staged(folder), into: folder.path, aside: aside)
        guard rename(staged(folder), folder.databasePath) == 0 else {
            throw BackupError.notWritable(folder.databasePath)
        }
        try DurableFiles.synchronize(folder.path)
        return aside
    }

    /// A time as part of a file name, such as `2026-11-24T0300Z`.
    static func name(of time: Int64) -> String {
        let (day, minute) = LocalCalendar(timeZone: .gmt).moment(of: time)
        func two(_ number: Int32) -> String { number < 10 ? "0\(number)" : "\(number)" }
        return "\(CivilDate(day: day))T\(two(minute / 60))\(two(minute % 60))Z"
    }
}
