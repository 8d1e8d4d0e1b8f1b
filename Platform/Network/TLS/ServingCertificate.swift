import Foundation
import NIOSSL
import Synchronization
import X509

/// A certificate with its key, and the TLS settings for listeners.
///
/// The settings live as long as the certificate: they hold the keys of session tickets, with which a phone that
/// reconnects skips most of the handshake.
final class ServingCertificate: Sendable {
    /// The certificate itself.
    let certificate: Certificate
    private let chain: [NIOSSLCertificate]
    private let key: NIOSSLPrivateKey
    private let contexts = Mutex<[[String]: NIOSSLContext]>([:])

    /// Creates the settings.
    ///
    /// - Parameters:
    ///   - chain: the certificate first, then those between it and its authority.
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

    /// The configuration of TLS 1.2 and 1.3 (RFC 8996 ends the older ones); for 1.2 only the suites with forward
    /// secrecy and authenticated encryption (RFC 9325, 4.2). Those of 1.3 are all such and cannot be chosen from.
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
