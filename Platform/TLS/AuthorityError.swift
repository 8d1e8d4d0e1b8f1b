import Foundation

/// Why the household's certificate authority cannot be used, and what to do about it.
///
/// A hub never makes another authority by itself once it had one: every phone would refuse it without a word.
public enum AuthorityError: Error, Equatable, CustomStringConvertible {
    /// Both files are gone, though this hub has had an authority with this fingerprint.
    case gone(folder: String, remembered: String)
    /// There is a certificate without its key.
    case keyMissing(folder: String)
    /// There is a key without its certificate.
    case certificateMissing(folder: String)
    /// Others on this machine can read the key, and so can pose as the hub.
    case readableByOthers(file: String, mode: UInt32)
    /// The system does not let the hub read or write there.
    case inaccessible(path: String, reason: String)
    /// What is in the file is not what belongs there.
    case garbage(file: String)
    /// The certificate is none that a hub makes for itself: it is no authority, or may vouch for the whole internet.
    case notOurs(file: String)
    /// The key and the certificate are of two authorities.
    case keyOfAnother(folder: String)
    /// Its time is over, by the clock of this machine.
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
