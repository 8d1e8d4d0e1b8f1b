import CFileSystem
import Foundation

/// The check whether the data folder is on a disk that keeps what it says: not across a network, and not in memory.
public struct DiskKindCheck: Sendable {
    private let folder: String

    /// Creates the check for a data folder.
    public init(folder: String) { self.folder = folder }

    /// The types of file systems whose files are on another machine.
    private static let network: Set<String> = [
        "9p", "afs", "beegfs", "ceph", "cifs", "coda", "davfs", "gfs2", "glusterfs", "lustre", "ncpfs", "nfs", "nfs4",
        "ocfs2", "orangefs", "smb3", "smbfs",
    ]
    /// The programs that put a network's files behind FUSE, whose types are `fuse.` and a name.
    private static let networkPrograms: Set<String> = [
        "ceph-fuse", "curlftpfs", "davfs", "davfs2", "gcsfuse", "glusterfs", "goofys", "juicefs", "moosefs", "mfs",
        "rclone", "s3fs", "smbnetfs", "sshfs", "gvfsd-fuse",
    ]
    /// Whether files of a type are on another machine.
    static func isNetwork(_ type: String) -> Bool {
        let name = type.lowercased()
        return network.contains(name) || name.hasPrefix("fuse.") && networkPrograms.contains(String(name.dropFirst(5)))
    }

    /// The types of file systems that one machine alone has.
    private static let own: Set<String> = [
        "apfs", "bcachefs", "btrfs", "exfat", "ext2", "ext3", "ext4", "f2fs", "fuseblk", "hfs", "jffs2", "jfs",
        "nilfs2", "ntfs3",
        "overlay", "ramfs", "reiserfs", "tmpfs", "ubifs", "vfat", "xfs", "zfs",
    ]

    /// The numbers by which statfs(2) tells file systems of a network, with the names that the table of mounts has for them.
    private static let numbers: [UInt32: String] = [
        0x6969: "nfs", 0x517B: "smbfs", 0xFF53_4D42: "cifs", 0xFE53_4D42: "smb3", 0x0102_1997: "9p", 0x5346_414F: "afs",
        0x00C3_6400: "ceph", 0x7375_7245: "coda", 0x564C: "ncpfs", 0x0116_1970: "gfs2", 0x7461_636F: "ocfs2",
        0x0BD0_0BD0: "lustre", 0x1980_1211: "beegfs", 0x6B41_4653: "afs",
    ]

    /// The name of a network's file system by its number; nil for any other.
    static func network(number: UInt32) -> String? { numbers[number] }

    /// The finding for a file system.
    ///
    /// The type's name in the table of mounts decides: by the numbers of statfs(2) sshfs and ntfs-3g are the same, FUSE.
    ///
    /// - Parameter mount: the mount that holds the folder; nil if the system lists none.
    public func finding(mount: Mount?) -> Finding {
        guard let mount else { return .well("disk-kind", "This system does not tell what disk \(folder) is on.") }
        let type = mount.type
        guard !Self.isNetwork(type) else {
            return .fault(
                "disk-kind", "\(folder) is on a network disk (\(type), \(mount.source)).",
                "Locks and the database’s log do not hold there: two hubs could write at once, and what was confirmed may be lost. Stop the hub, copy the folder to a disk of this machine and start with --data there; backups may go to the network disk (--backups)."
            )
        }
        guard type != "tmpfs", type != "ramfs" else {
            return .warning(
                "disk-kind", "\(folder) is in memory (\(type)) and gone when this machine starts again.",
                "Give --data a folder on a disk.")
        }
        return .well("disk-kind", "\(folder) is on a disk of this machine (\(type)).")
    }

    /// Looks at the folder, or where it would be made.
    public func run() -> Finding {
        let place = ExistingFolder.above(folder)
        return finding(mount: mount(of: place))
    }

    /// Whether the folder is on a disk that this machine alone has, whose locks keep every other hub out.
    public func isOwn() -> Bool { mount(of: ExistingFolder.above(folder)).map { Self.own.contains($0.type) } ?? false }

    /// The mount of a place. Where the table of mounts shows another, or none, as in some containers, the number decides.
    private func mount(of place: String) -> Mount? {
        let mount = Mount.holding(place, of: Mount.read(table: KernelTable.text("/proc/self/mountinfo")))
        guard let type = Self.network(number: tandem_file_system_number(place)),
            mount.map({ !Self.isNetwork($0.type) }) ?? true
        else { return mount }
        return Mount(folder: place, type: type, source: mount?.source ?? "?")
    }
}

/// The place on the disk of a folder that may not be made yet.
enum ExistingFolder {
    /// The folder itself without symbolic links, or the nearest one above it that exists.
    static func above(_ path: String) -> String {
        var url = URL(fileURLWithPath: path).standardizedFileURL
        while !FileManager.default.fileExists(atPath: url.path), url.path != "/" { url.deleteLastPathComponent() }
        guard let resolved = realpath(url.path, nil) else { return url.path }
        defer { free(resolved) }
        return String(cString: resolved)
    }
}
