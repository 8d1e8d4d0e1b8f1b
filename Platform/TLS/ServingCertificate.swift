import Foundation
import NIOSSL
import Synchronization
import X509

/// A certificate with its key, and the TLS settings with which listeners show it.
///
/// Contexts live as long as the certificate: they hold the keys of session tickets, by which a phone that comes back
/// skips most of the handshake.
final class ServingCertificate: Sendable {
    /// The certificate itself.
    let certificate: Certificate
    private let chain: [NIOSSLCertificate]
    private let key: NIOSSLPrivateKey
    private let contexts = Mutex<[[String]: NIOSSLContext]>([:])

    /// - Parameters:
    ///   - chain: the certificate itself first, then those between it and its authority.
    ///   - keyPEM: the private key, unencrypted.
    init(chain: [Certificate], keyPEM: String) throws {
        guard let first = chain.first else { throw NIOSSLError.failedToLoadCertificate }
        certificate = first
        self.chain = try chain.map {
            try NIOSSLCertificate(bytes: $0.serializeAsPEM().derBytes, format: .der)
        }
        key = try NIOSSLPrivateKey(bytes: Array(keyPEM.utf8), format: .pem)
        // A key that does not belong to the certificate shows itself here.
        _ = try context(applicationProtocols: [])
    }

    /// The settings for listeners that offer these protocols by ALPN; the same one for every call.
    func context(applicationProtocols: [String]) throws -> NIOSSLContext {
        try contexts.withLock { contexts in
            if let context = contexts[applicationProtocols] { return context }
            let context = try NIOSSLContext(configuration: configuration(applicationProtocols))
            contexts[applicationProtocols] = context
            return context
        }
    }

    /// TLS 1.2 and 1.3 (RFC 8996 ends the older ones); of 1.2 the suites with forward secrecy and authenticated
    /// encryption alone (RFC 9325, 4.2). Those of 1.3 are all such and are not chosen from.
    private func configuration(_ applicationProtocols: [String]) -> TLSConfiguration {
        var configuration = TLSConfiguration.makeServerConfiguration(
            certificateChain: chain.map { .certificate($0) }, privateKey: .privateKey(key))
        configuration.minimumTLSVersion = .tlsv12
        configuration.cipherSuiteValues = [
            .TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256, .TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256,
            .TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384, .TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384,
            .TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256, .TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256,
        ]
        configuration.applicationProtocols = applicationProtocols
        // How long a close waits for the other side's farewell: a phone that sleeps gives none, and the hub stops within
        // two seconds.
        configuration.shutdownTimeout = .milliseconds(250)
        return configuration
    }

    /// The names and addresses it is for.
    var subjects: CertificateSubjects { CertificateSubjects(of: certificate) }
}
