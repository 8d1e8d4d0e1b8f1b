import Crypto
import Foundation
import SwiftASN1
import X509

/// The folder of the authority and the hub's certificate: `authority.pem`, `authority.key`, `leaf.pem` and `leaf.key`
/// in the folder `authority` of the hub's data. The folder and the keys are accessible to their owner only.
public struct AuthorityFolder: Sendable {
    /// The path of the folder.
    public let path: String
    private let dataFolder: String

    private var certificatePath: String { path + "/authority.pem" }
    private var keyPath: String { path + "/authority.key" }
    private var leafPath: String { path + "/leaf.pem" }
    private var leafKeyPath: String { path + "/leaf.key" }

    /// Creates a reference to the folder.
    ///
    /// - Parameter dataFolder: the hub's data folder; it need not contain an authority yet.
    public init(dataFolder: String) {
        self.dataFolder = dataFolder
        path = dataFolder + "/authority"
    }

    /// The authority of this hub; it is created if there has never been one.
    ///
    /// - Parameters:
    ///   - hubName: the label for a new authority.
    ///   - hostNames: further names without a domain that a new authority may sign for.
    ///   - remembered: the fingerprint that the hub stores elsewhere in its data. With it, a missing authority is an
    ///     error instead of a reason to create another. An authority with a different fingerprint is accepted: somebody
    ///     made it with `tandem authority --new`, or restored it; the caller stores its fingerprint from then on.
    ///   - now: the current time.
    public func open(hubName: String, hostNames: [String] = [], remembered: String?, now: Date) throws(AuthorityError)
        -> Authority
    {
        try putBack()
        if let authority = try load(now: now) { return authority }
        if let remembered { throw .gone(folder: path, remembered: remembered) }
        return try replace(hubName: hubName, hostNames: hostNames)
    }

    /// The stored authority; nil if there is none.
    public func load(now: Date) throws(AuthorityError) -> Authority? {
        let (certificateText, keyText) = (try content(certificatePath), try content(keyPath))
        guard certificateText != nil || keyText != nil else { return nil }
        guard let certificateText else { throw .certificateMissing(folder: path) }
        guard let keyText else { throw .keyMissing(folder: path) }
        guard keyText.mode & 0o077 == 0 else { throw .readableByOthers(file: keyPath, mode: keyText.mode) }
        guard let certificate = try? Certificate(pemEncoded: certificateText.text) else {
            throw .garbage(file: certificatePath)
        }
        guard let key = try? P256.Signing.PrivateKey(pemRepresentation: keyText.text) else {
            throw .garbage(file: keyPath)
        }
        guard case .isCertificateAuthority = try? certificate.extensions.basicConstraints,
            (try? certificate.extensions.nameConstraints) != nil,
            let authority = try? Authority(certificate: certificate, key: key)
        else { throw .notOurs(file: certificatePath) }
        guard certificate.publicKey == Certificate.PublicKey(key.publicKey) else { throw .keyOfAnother(folder: path) }
        guard now <= certificate.notValidAfter else {
            throw .expired(folder: path, until: certificate.notValidAfter, now: now)
        }
        return authority
    }

    /// Restores the authority that `replace` had moved aside when the machine stopped in the middle of it: phones trust
    /// that one, and no other was shown yet. It must not run at the same time as `replace`.
    public func putBack() throws(AuthorityError) {
        let (new, old) = (path + ".new", path + ".old")
        guard !FileManager.default.fileExists(atPath: path), FileManager.default.fileExists(atPath: old) else { return }
        do throws(DurableFile.Failure) {
            guard rename(old, path) == 0 else { throw DurableFile.Failure(old) }
            try DurableFile.settle(dataFolder)
        } catch {
            throw .inaccessible(path: error.path, reason: error.reason)
        }
        try? FileManager.default.removeItem(atPath: new)
    }

    /// Creates another authority in place of the stored one, if any. Every phone has to be set up again.
    ///
    /// The whole folder is replaced at once. A crash leaves the old one or the new one, or the old one moved aside, see
    /// `putBack`.
    ///
    /// - Parameters:
    ///   - hubName: the label for the new authority.
    ///   - hostNames: further names without a domain that it may sign for.
    ///   - servers: names of servers of original systems that it may sign for, too.
    public func replace(
        hubName: String, hostNames: [String] = [], servers: [String] = []
    ) throws(AuthorityError) -> Authority {
        guard let authority = try? Authority.make(hubName: hubName, hostNames: hostNames, servers: servers) else {
            throw .inaccessible(path: path, reason: "no certificate could be made")
        }
        let (new, old) = (path + ".new", path + ".old")
        try? FileManager.default.removeItem(atPath: new)
        try? FileManager.default.removeItem(atPath: old)
        do throws(DurableFile.Failure) {
            guard mkdir(new, 0o700) == 0 else { throw DurableFile.Failure(new) }
            try DurableFile.write(authority.key.pemRepresentation + "\n", to: new + "/authority.key", mode: 0o600)
            try DurableFile.write(authority.pem, to: new + "/authority.pem", mode: 0o644)
            try giveToOwner(new, new + "/authority.key", new + "/authority.pem")
            guard rename(path, old) == 0 || errno == ENOENT, rename(new, path) == 0 else {
                throw DurableFile.Failure(path)
            }
            try DurableFile.settle(dataFolder)
        } catch {
            throw .inaccessible(path: error.path, reason: error.reason)
        }
        // An old key is of no use to anybody but a thief.
        try? FileManager.default.removeItem(atPath: old)
        return authority
    }

    /// The stored certificate of the hub; nil if anything is wrong with it, since another one is quickly signed.
    func loadLeaf() -> LeafCertificate? {
        guard let certificateText = try? content(leafPath), let keyText = try? content(leafKeyPath),
            keyText.mode & 0o077 == 0, let certificate = try? Certificate(pemEncoded: certificateText.text),
            let key = try? P256.Signing.PrivateKey(pemRepresentation: keyText.text)
        else { return nil }
        return LeafCertificate(certificate: certificate, key: key)
    }

    func store(_ leaf: LeafCertificate) throws(AuthorityError) {
        guard let text = try? leaf.certificate.serializeAsPEM().pemString else {
            throw .inaccessible(path: leafPath, reason: "the certificate could not be written")
        }
        do {
            // A crash in between leaves two that do not match, which the next start sees.
            try DurableFile.write(leaf.key.pemRepresentation + "\n", to: leafKeyPath, mode: 0o600)
            try DurableFile.write(text + "\n", to: leafPath, mode: 0o644)
            try giveToOwner(leafKeyPath, leafPath)
        } catch {
            throw .inaccessible(path: error.path, reason: error.reason)
        }
    }

    private func content(_ path: String) throws(AuthorityError) -> DurableFile.Content? {
        do {
            return try DurableFile.read(path)
        } catch {
            throw .inaccessible(path: error.path, reason: error.reason)
        }
    }

    /// Gives files to the owner of the data folder, if root created them for a hub that runs as another user.
    private func giveToOwner(_ paths: String...) throws(DurableFile.Failure) {
        guard geteuid() == 0 else { return }
        var owner = stat()
        guard stat(dataFolder, &owner) == 0 else { throw DurableFile.Failure(dataFolder) }
        for path in paths where chown(path, owner.st_uid, owner.st_gid) != 0 { throw DurableFile.Failure(path) }
    }
}
