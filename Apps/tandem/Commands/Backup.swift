import ArgumentParser
import Backups
import Diagnosis
import Foundation
import HubKit
import HubServer
import Storage

/// `tandem backup`
struct Backup: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "backup",
        abstract: "Makes a backup of everything: database, keys, recordings. The hub may be running.",
        discussion: """
            One file, which is read again and compared before it gets its name. With --check a backup is only read. Exits with 1
            also when the backup was made, but a restore would refuse it, since somebody has changed the hub’s database by hand.

            Example:
              tandem backup /mnt/usb/tandem.backup --data /var/lib/tandem
              tandem backup --check /mnt/usb/tandem.backup
            """)

    @Argument(help: ArgumentHelp("Where to write it, or with --check what to read.", valueName: "file"))
    var file: String

    @Flag(help: "Reads a backup, and says whether it is whole.")
    var check = false

    @OptionGroup var data: DataOption

    func run() throws {
        let backup: BackupFile
        if check {
            backup = try BackupFile.check(file, migrations: Registry.migrations)
        } else {
            try data.check()
            let now = HubClock.system.now()
            backup = try BackupFile.make(
                of: DataFolder(path: data.folder), to: file, now: now, migrations: Registry.migrations)
            if let refusal = backup.refusal { throw refusal }
        }
        let bytes = (try? FileManager.default.attributesOfItem(atPath: file)[.size] as? Int) ?? 0
        let made = Date(milliseconds: backup.madeAt).formatted(.iso8601)
        print("\(file) is whole: made \(made), \(backup.rows) rows in \(backup.tables) tables, \(bytes) bytes.")
    }
}

/// `tandem restore`
struct Restore: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "restore",
        abstract: "Makes a hub what a backup holds. What was there before is moved aside.",
        discussion: """
            The backup is checked first; one that is refused changes nothing. Where the hub is running, it takes the backup over
            when it starts the next time.

            Example:
              tandem restore /mnt/usb/tandem.backup --data /var/lib/tandem
            """)

    @Argument(help: ArgumentHelp("A file that `tandem backup` or the hub has made.", valueName: "file"))
    var file: String

    @OptionGroup var data: DataOption

    func run() throws {
        try DataFolder.checkOwner(of: data.folder)
        umask(0o077)
        // A folder is made only for a backup that is one.
        if !FileManager.default.fileExists(atPath: data.folder) {
            _ = try BackupFile.check(file, migrations: Registry.migrations)
        }
        let folder = try DataFolder(path: data.folder)
        // One that was cut off comes first: it stands half in the folder.
        if Restoration.isBegun(in: folder), let lock = try? folder.lock() {
            _ = try withExtendedLifetime(lock) { try Restoration.takeOver(in: folder, now: HubClock.system.now()) }
        }
        let backup = try Restoration.stage(file, in: folder, migrations: Registry.migrations)
        let made = Date(milliseconds: backup.madeAt).formatted(.iso8601)
        do {
            let lock = try folder.lock(isWatched: !DiskKindCheck(folder: data.folder).isOwn())
            let aside = try withExtendedLifetime(lock) {
                try Restoration.takeOver(in: folder, now: HubClock.system.now())
            }
            print("\(data.folder) is as it was on \(made).")
            if let aside { print("What was there before is in \(aside). Remove it when you do not want it any more.") }
        } catch DataFolderError.inUse {
            print("The backup of \(made) is whole, and lies ready in \(data.folder).")
            print("A hub is running there: stop it and start it again, and it goes on with the backup.")
        }
    }
}
