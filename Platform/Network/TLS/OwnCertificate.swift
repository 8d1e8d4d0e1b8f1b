import Foundation
import NIOSSL
import SwiftASN1
import X509

/// A certificate that another authority made for this hub, such as Let's Encrypt, in two PEM files.
public struct OwnCertificate: Sendable, Equatable {
    /// The path of the chain: the hub's certificate first, as in certbot's `fullchain.pem`.
    public var certificateFile: String
    /// The path of the key, unencrypted, as in certbot's `privkey.pem`.
    public var keyFile: String
    /// The name that phones use, such as `tandem.example.org`; nil for the first name of the certificate.
    public var name: String?

    /// Creates a reference to the files, which are read when they are used.
    public init(certificateFile: String, keyFile: String, name: String? = nil) {
        self.certificateFile = certificateFile
        self.keyFile = keyFile
        self.name = name
    }

    /// The contents of the two files, by which a change is noticed.
    struct Texts: Equatable {
        var certificate: DurableFile.Content
        var key: DurableFile.Content
    }

    func read() throws(OwnCertificateError) -> Texts {
        Texts(certificate: try content(certificateFile), key: try content(keyFile))
    }

    private func content(_ path: String) throws(OwnCertificateError) -> DurableFile.Content {
        do {
            guard let content = try DurableFile.read(path) else { throw OwnCertificateError.missing(file: path) }
            return content
        } catch let error as OwnCertificateError {
            throw error
        } catch {
            throw .inaccessible(file: path, reason: (error as? DurableFile.Failure)?.reason ?? "\(error)")
        }
    }

    /// Checks everything that a phone would object to.
    func check(_ texts: Texts, now: Date) throws(OwnCertificateError) -> ServingCertificate {
        guard texts.key.mode & 0o007 == 0 else { throw .readableByAll(file: keyFile, mode: texts.key.mode) }
        guard let documents = try? PEMDocument.parseMultiple(pemString: texts.certificate.text), !documents.isEmpty,
            let chain = try? documents.map({ try Certificate(pemDocument: $0) }), let first = chain.first
        else { throw .noCertificate(file: certificateFile) }
        guard !texts.key.text.contains("ENCRYPTED") else { throw .encryptedKey(file: keyFile) }
        guard let document = Self.keyDocument(in: texts.key.text),
            let key = try? Certificate.PrivateKey(pemDocument: document)
        else { throw .noKey(file: keyFile) }
        guard key.publicKey == first.publicKey else {
            throw .keyOfAnother(certificate: certificateFile, key: keyFile)
        }
        guard now <= first.notValidAfter else {
            throw .expired(file: certificateFile, until: first.notValidAfter, now: now)
        }
        guard now >= first.notValidBefore else {
            throw .notYetValid(file: certificateFile, from: first.notValidBefore, now: now)
        }
        let names = CertificateSubjects(of: first).names
        if let name, !names.contains(where: { Self.covers($0, name) }) {
            throw .otherHost(file: certificateFile, wanted: name, names: names)
        }
        if name == nil, names.first.map({ $0.hasPrefix("*.") }) ?? true { throw .noName(file: certificateFile) }
        guard let serving = try? ServingCertificate(chain: chain, keyPEM: document.pemString) else {
            throw .unsuitable(certificate: certificateFile)
        }
        return serving
    }

    // `openssl ecparam -genkey` writes the curve before the key.
    private static func keyDocument(in text: String) -> PEMDocument? {
        (try? PEMDocument.parseMultiple(pemString: text))?.first { $0.discriminator.hasSuffix("PRIVATE KEY") }
    }

    /// Whether a name of a certificate, possibly `*.example.org`, covers the wanted one (RFC 9525, 6.3).
    static func covers(_ pattern: String, _ name: String) -> Bool {
        let name = name.lowercased()
        guard pattern.hasPrefix("*.") else { return pattern == name }
        guard let dot = name.firstIndex(of: "."), dot != name.startIndex else { return false }
        return name[dot...] == pattern.dropFirst()
    }
}

/// The reason why an own certificate cannot be used, with what to do about it.
public enum OwnCertificateError: Error, Equatable, CustomStringConvertible {
    /// The file does not exist.
    case missing(file: String)
    /// The operating system does not let the hub read the file.
    case inaccessible(file: String, reason: String)
    /// The key can be read by all users of this machine, who could impersonate the hub; with the file's permission
    /// bits.
    case readableByAll(file: String, mode: UInt32)
    /// The file contains no certificate in PEM.
    case noCertificate(file: String)
    /// The file contains no private key in PEM.
    case noKey(file: String)
    /// The key needs a password, and nobody is there to type it when the hub starts.
    case encryptedKey(file: String)
    /// The key belongs to another certificate.
    case keyOfAnother(certificate: String, key: String)
    /// The certificate has expired, by the clock of this machine.
    case expired(file: String, until: Date, now: Date)
    /// The certificate is not valid yet, by the clock of this machine.
    case notYetValid(file: String, from: Date, now: Date)
    /// The certificate does not have the name that phones use.
    case otherHost(file: String, wanted: String, names: [String])
    /// The certificate has no name that a phone could use, and none was given.
    case noName(file: String)
    /// TLS does not accept the certificate for another reason, such as a key that is too short.
    case unsuitable(certificate: String)

    public var description: String {
        switch self {
        case .missing(let file): "There is no file \(file). Name the PEM files with --certificate and --key."
        case .inaccessible(let file, let reason):
            "\(file) cannot be read: \(reason). The user that runs the hub has to be let in."
        case .readableByAll(let file, let mode):
            """
            \(file) can be read by everybody on this machine (mode \(String(mode, radix: 8))), who then can pose as \
            this hub. Take their right away with: chmod o= \(file)
            """
        case .noCertificate(let file):
            "\(file) holds no certificate in PEM, from -----BEGIN CERTIFICATE----- on. certbot calls it fullchain.pem."
        case .noKey(let file):
            """
            \(file) holds no private key that the hub can read: PEM with RSA, or with the curves P-256, P-384, P-521. \
            certbot calls it privkey.pem.
            """
        case .encryptedKey(let file):
            """
            The key in \(file) is locked with a pass phrase, which nobody could type when the hub restarts by itself. \
            Write it without one: openssl pkey -in \(file) -out hub.key
            """
        case .keyOfAnother(let certificate, let key):
            "The key in \(key) does not belong to the first certificate in \(certificate). Name two files of one pair."
        case .expired(let file, let until, let now):
            """
            The certificate in \(file) was valid until \(Self.day(until)), and this machine’s clock says \
            \(Self.day(now)). Renew it; or put the clock right.
            """
        case .notYetValid(let file, let from, let now):
            """
            The certificate in \(file) is valid from \(Self.day(from)), and this machine’s clock says \(Self.day(now)). \
            Put the clock right.
            """
        case .otherHost(let file, let wanted, let names):
            """
            The certificate in \(file) is for \(names.isEmpty ? "no host name" : names.joined(separator: ", ")), not \
            for \(wanted), so that phones would refuse it. Name a certificate for \(wanted), or open the hub under a \
            name that the certificate has: --origin https://\(Self.example(names))
            """
        case .noName(let file):
            """
            The certificate in \(file) does not begin with the name of one host. Say under which name phones find the \
            hub: --origin https://tandem.example.org
            """
        case .unsuitable(let certificate):
            "The certificate in \(certificate) and its key are not fit for TLS. Have another pair made."
        }
    }

    private static func day(_ date: Date) -> String { String(date.ISO8601Format().prefix(10)) }

    private static func example(_ names: [String]) -> String {
        guard let name = names.first else { return "tandem.example.org" }
        return name.hasPrefix("*.") ? "tandem" + name.dropFirst() : name
    }
}
