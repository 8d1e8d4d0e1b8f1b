import Foundation
import FuzzTargets
import Storage

@testable import Backups
@testable import HubKit
@testable import HubServer

extension FuzzTarget {
    static var backups: [FuzzTarget] {
        [
            FuzzTarget(
                "backup-files", dictionary: ["SQLite format 3\\x00", "CREATE TRIGGER", "backup_file", "../"],
                seeds: [seed()]
            ) { bytes throws(BrokenProperty) in try checkBackup(bytes) },
            FuzzTarget(
                "restoration-plans",
                dictionary: ["\\\"path\\\":\\\"", "../", "replaced-", "tandem.sqlite", "\\\\u0000"],
                seeds: [
                    Array(#"{"aside":"replaced-x","moves":[{"path":"songs/abc","isOld":true,"isNew":true}]}"#.utf8)
                ]
            ) { bytes throws(BrokenProperty) in try checkPlan(bytes) },
            FuzzTarget(
                "folder-marks", dictionary: ["\\\"process\\\":", "\\\"isOver\\\":false", "-1", "1e99"],
                seeds: [
                    Array(
                        #"{"host":"oak","boot":"b","namespace":"pid:[1]","process":7,"began":1,"token":"t","beat":1,"isOver":false}"#
                            .utf8)
                ]
            ) { bytes throws(BrokenProperty) in
                guard let mark = FolderMark(bytes: bytes) else { return }
                try require(mark.isAlive(seenBy: mark) != nil || mark.boot.isEmpty, "a mark is of its own machine")
            },
        ]
    }

    /// A backup of a hub that nobody has an account on.
    private static func seed() -> [UInt8] {
        let place = FileManager.default.temporaryDirectory.path + "/fuzz-\(getpid())-hub"
        defer { try? FileManager.default.removeItem(atPath: place) }
        guard let folder = try? DataFolder(path: place) else { return [] }
        try? HubDatabase(path: folder.databasePath).close()
        _ = try? BackupFile.make(of: folder, to: place + "/seed", now: 1)
        return FileManager.default.contents(atPath: place + "/seed").map { [UInt8]($0) } ?? []
    }

    /// What is looked at as a backup is one or an error; what it would write is below the folder.
    private static func checkBackup(_ bytes: [UInt8]) throws(BrokenProperty) {
        let path = FileManager.default.temporaryDirectory.path + "/fuzz-\(getpid()).backup"
        defer { unlink(path) }
        guard FileManager.default.createFile(atPath: path, contents: Data(bytes)) else { return }
        guard (try? BackupFile.check(path, migrations: [])) != nil else { return }
        for name in (try? BackupFile.names(in: path)) ?? [] {
            try require(DataFolder.isOtherFile(name), "a file of a backup is below the folder")
        }
    }

    private static func checkPlan(_ bytes: [UInt8]) throws(BrokenProperty) {
        guard let plan = RestorationPlan(bytes: bytes) else { return }
        try require(!plan.aside.contains("/"), "what was there before stays in the folder")
        for move in plan.moves {
            try require(!move.path.split(separator: "/").contains(".."), "a move leads nowhere else")
            try require(!move.path.hasPrefix("/"), "a move is below the folder")
        }
    }
}
