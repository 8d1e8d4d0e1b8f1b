import Foundation

/// The reason why the household's certificate authority cannot be used, with what to do about it.
///
/// A hub that has had an authority never creates another by itself: every phone would refuse it without an explanation.
public enum AuthorityError: Error, Equatable, CustomStringConvertible {
    /// The files are gone, although this hub has had an authority with this fingerprint.
    case gone(folder: String, remembered: String)
    /// The certificate is there without its key.
    case keyMissing(folder: String)
    /// The key is there without its certificate.
    case certificateMissing(folder: String)
    /// The key can be read by other users of this machine, who could impersonate the hub.
    case readableByOthers(file: String, mode: UInt32)
    /// The operating system does not let the hub read or write the file.
    case inaccessible(path: String, reason: String)
    /// The file has another content than it should.
    case garbage(file: String)
    /// The certificate is not one that a hub makes: it is not an authority, or may sign for the whole internet.
    case notOurs(file: String)
    /// The key belongs to another authority than the certificate.
    case keyOfAnother(folder: String)
    /// The certificate has expired, by the clock of this machine.
    case expired(folder: String, until: Date, now: Date)

    public var description: String {
        switch self {
        case .gone(let folder, let remembered):
            """
            The household’s certificate authority is gone from \(folder), but phones trust it (\(remembered)). Put the \
            folder back from a backup. If there is none, \(Self.anew(folder)) makes another one.
            """
        case .keyMissing(let folder):
            """
            \(folder)/authority.key is missing, though its certificate is there. Put the key back from a backup. If \
            there is none, \(Self.anew(folder)) makes another authority.
            """
        case .certificateMissing(let folder):
            """
            \(folder)/authority.pem is missing, though its key is there. Put the certificate back from a backup. If \
            there is none, \(Self.anew(folder)) makes another authority.
            """
        case .readableByOthers(let file, let mode):
            """
            \(file) can be read by others on this machine (mode \(String(mode, radix: 8))). Whoever has this key can \
            pose as this hub to your phones. Take their right away with: chmod 600 \(file)  If somebody may have \
            copied it, \(Self.anew(Self.folder(of: file))) makes another authority.
            """
        case .inaccessible(let path, let reason):
            "\(path) cannot be used: \(reason). It has to belong to the user that runs the hub."
        case .garbage(let file):
            """
            \(file) is damaged: it holds no \(file.hasSuffix(".key") ? "key" : "certificate"). Put it back from a \
            backup. If there is none, \(Self.anew(Self.folder(of: file))) makes another authority.
            """
        case .notOurs(let file):
            """
            \(file) is not an authority that a hub made for names of the home alone. To use a certificate of your own, \
            start the hub with --certificate and --key; otherwise put the file back from a backup, or \
            \(Self.anew(Self.folder(of: file))) makes another authority.
            """
        case .keyOfAnother(let folder):
            """
            \(folder)/authority.key does not belong to \(folder)/authority.pem. Put both back from the same backup. If \
            there is none, \(Self.anew(folder)) makes another authority.
            """
        case .expired(let folder, let until, let now):
            """
            The household’s certificate authority was valid until \(Self.day(until)), and this machine’s clock says \
            \(Self.day(now)). If the clock is wrong, put it right; else \(Self.anew(folder)) makes another authority.
            """
        }
    }

    private static func anew(_ folder: String) -> String {
        "`tandem authority --new --data \(Self.folder(of: folder))` (after which every phone has to be taught again)"
    }

    private static func folder(of path: String) -> String {
        path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "."
    }

    private static func day(_ date: Date) -> String { String(date.ISO8601Format().prefix(10)) }
}
