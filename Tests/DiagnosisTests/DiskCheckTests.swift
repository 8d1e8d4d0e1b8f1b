import Foundation
import TestInstruments
import Testing

@testable import Diagnosis

@Suite("The disk of the data folder")
struct DiskCheckTests {
    @Test("A mount is read as proc(5) writes it, with its optional fields and octal escapes")
    func mounts() {
        // The first line is the example of proc(5), /proc/pid/mountinfo.
        let table = """
            36 35 98:0 /mnt1 /mnt2 rw,noatime master:1 - ext3 /dev/root rw,errors=continue
            40 35 0:44 / /media/my\\040disk rw - nfs4 nas:/volume\\0401 rw
            41 35 0:45 / /srv rw shared:2 master:3 - fuse.sshfs pi@oak:/srv rw
            not a line
            """
        #expect(
            Mount.read(table: table) == [
                Mount(folder: "/mnt2", type: "ext3", source: "/dev/root"),
                Mount(folder: "/media/my disk", type: "nfs4", source: "nas:/volume 1"),
                Mount(folder: "/srv", type: "fuse.sshfs", source: "pi@oak:/srv"),
            ])
    }

    @Test("A table of any bytes is read to its end")
    func anyTable() {
        var random = SeededGenerator(seed: 29)
        for _ in 0..<2_000 {
            let pieces = ["-", " ", "\\", "\\040", "\\777", "\\08", "/", "36", "ext4", "\n", "é", "\\\u{0301}"]
            let table = (0..<Int.random(in: 0...30, using: &random)).map { _ in
                pieces[Int.random(in: 0..<pieces.count, using: &random)]
            }.joined()
            _ = Mount.read(table: table)
            _ = ListeningSocket.read(table: table)
            _ = AnswerHead(Array(table.utf8))
        }
    }

    @Test(
        "The deepest mount holds a path, a folder's name is no prefix of another's, and the last one hides the others")
    func holding() {
        let mounts = [
            Mount(folder: "/", type: "ext4", source: "a"), Mount(folder: "/srv", type: "nfs", source: "b"),
            Mount(folder: "/srv/tandem", type: "xfs", source: "c"), Mount(folder: "/", type: "btrfs", source: "d"),
        ]
        #expect(Mount.holding("/srv/tandem/data", of: mounts)?.source == "c")
        #expect(Mount.holding("/srv/tandem", of: mounts)?.source == "c")
        #expect(Mount.holding("/srv/tandems", of: mounts)?.source == "b")
        #expect(Mount.holding("/srv2", of: mounts)?.source == "d")
        #expect(Mount.holding("/srv", of: []) == nil)
    }

    @Test(
        "A disk of another machine is a fault, by the name of its type",
        arguments: ["nfs", "nfs4", "cifs", "smb3", "9p", "fuse.sshfs", "fuse.rclone", "ceph", "davfs"])
    func networkDisk(type: String) {
        let finding = DiskKindCheck(folder: "/data").finding(
            mount: Mount(folder: "/", type: type, source: "nas:/home"))
        #expect(finding.grade == .fault)
        #expect(finding.sentence == "/data is on a network disk (\(type), nas:/home).")
        #expect(finding.advice?.contains("--data") == true)
    }

    /// The numbers are those of statfs(2) and linux/magic.h.
    @Test(
        "A disk of another machine is told by its number too, where the table of mounts does not show it",
        arguments: [
            (0x6969, "nfs"), (0xFF53_4D42, "cifs"), (0xFE53_4D42, "smb3"), (0x0102_1997, "9p"), (0x00C3_6400, "ceph"),
        ]
            as [(UInt32, String)])
    func number(number: UInt32, type: String) {
        #expect(DiskKindCheck.network(number: number) == type)
        // ext4, FUSE and tmpfs.
        for other in [0xEF53, 0x6573_5546, 0x0102_1994] as [UInt32] {
            #expect(DiskKindCheck.network(number: other) == nil)
        }
    }

    @Test(
        "A disk of this machine is well, also one behind FUSE",
        arguments: ["ext4", "btrfs", "overlay", "xfs", "zfs", "fuseblk", "fuse.mergerfs", "vfat"])
    func ownDisk(type: String) {
        let mount = Mount(folder: "/", type: type, source: "/dev/sda1")
        #expect(DiskKindCheck(folder: "/data").finding(mount: mount).grade == .well)
    }

    @Test("Memory is told as what is gone at the next start")
    func memory() {
        let finding = DiskKindCheck(folder: "/data").finding(
            mount: Mount(folder: "/data", type: "tmpfs", source: "tmpfs"))
        #expect(finding.grade == .warning)
        #expect(finding.words.contains("in memory"))
    }

    @Test("This machine's own disk is looked at through a folder that is not made yet")
    func realDisk() throws {
        let folder = try TemporaryFolder()
        #expect(DiskKindCheck(folder: folder.path + "/not/made").run().check == "disk-kind")
        #expect(DiskSpaceCheck(folder: folder.path + "/not/made").run().sentence.contains("MB free"))
    }

    @Test(
        "Less than 200 MB is a fault, less than 1 GB a warning",
        arguments: [
            (0, Finding.Grade.fault), ((200 << 20) - 1, .fault), (200 << 20, .warning), ((1 << 30) - 1, .warning),
            (1 << 30, .well),
        ])
    func space(bytes: Int, grade: Finding.Grade) {
        #expect(DiskSpaceCheck(folder: "/data").finding(.init(freeBytes: bytes)).grade == grade)
    }

    @Test("A disk without room for files, one that cannot be written and one that cannot be seen are faults")
    func otherDisks() {
        let check = DiskSpaceCheck(folder: "/data")
        #expect(check.finding(.init(freeBytes: 1 << 40, freeFiles: 99)).grade == .fault)
        #expect(check.finding(.init(freeBytes: 1 << 40, freeFiles: 100)).grade == .well)
        #expect(check.finding(.init(freeBytes: 1 << 40, isReadOnly: true)).words.contains("remount,rw"))
        #expect(check.finding(nil).grade == .fault)
    }

    @Test("A file of another user is named with the command that gives it back, and root may have anybody's")
    func owners() {
        let check = FileOwnerCheck(folder: "/data")
        let owners: [String: UInt32] = ["/data": 1_000, "/data/tandem.sqlite": 1_000, "/data/tandem.sqlite-wal": 0]
        let finding = check.finding(owners: owners, user: 1_000)
        #expect(finding.grade == .fault)
        #expect(finding.sentence.hasPrefix("/data/tandem.sqlite-wal belongs to another user"))
        #expect(finding.advice == "Give it back, as root: chown -R 1000 /data")
        #expect(check.finding(owners: owners, user: 1_001).sentence.contains("and 2 more"))
        #expect(check.finding(owners: owners, user: 0).grade == .well)
        #expect(check.finding(owners: [:], user: 1_000).grade == .well)
    }
}
