import HubKit
import NIOCore
import TLS

/// The hub on the local network, as its pages tell of it.
public struct LAN: Sendable {
    /// `linden.local`, or the name that an own certificate is for.
    public let hostName: String
    /// Nil where the name is no `.local` one.
    public let announcement: Announcement?
    private let keeper: CertificateKeeper
    private let originByNumber: @Sendable () -> String?

    /// - Parameters:
    ///   - hostName: with `.local` where it is such a name.
    ///   - keeper: of the certificate that is shown on that network.
    ///   - announcement: which tells phones where the name is; nil where the internet's name servers know it.
    ///   - originByNumber: the hub's address with the machine's own number in the home network, such as
    ///     `https://192.168.1.5:8443`; nil while it has none.
    public init(
        hostName: String, keeper: CertificateKeeper, announcement: Announcement? = nil,
        originByNumber: @escaping @Sendable () -> String? = { nil }
    ) {
        self.originByNumber = originByNumber
        self.hostName = hostName
        self.keeper = keeper
        self.announcement = announcement
    }

    /// The address that reaches the hub from another phone: the one given, which has its name, or the one with its number
    /// while nothing announces the name.
    ///
    /// - Parameters:
    ///   - origin: the hub's one address.
    ///   - source: the browser that is told it, if one is; one that came by the name has shown that it works.
    public func reachable(_ origin: String, from source: RequestSource? = nil) -> String {
        guard let announcement, announcement.hasFailed, let byNumber = originByNumber() else { return origin }
        return source.map { $0.isSecure && $0.isOwn(origin: origin) } == true ? origin : byNumber
    }

    /// The hub's own certificate authority, for whoever wants to trust it; nil with a certificate of the owner's.
    public var authority: Authority? { keeper.authority }

    /// Those of the certificate that is shown now, and the hub's own.
    var names: [String] { [hostName] + keeper.subjects.names }

    /// The authority's certificate as a phone or a program takes it.
    func bytes(_ file: CertificateFile) -> ByteBuffer? {
        guard let authority else { return nil }
        return switch file {
        case .der: ByteBuffer(bytes: authority.der)
        case .pem: ByteBuffer(string: authority.pem)
        case .appleProfile: ByteBuffer(bytes: AppleProfile(authority: authority, hubName: hostName).bytes)
        }
    }
}

/// The authority's certificate in the forms that phones and programs take.
enum CertificateFile: String, CaseIterable {
    case der = "/authority.crt"
    case pem = "/authority.pem"
    case appleProfile = "/authority.mobileconfig"

    /// The media type by which a phone offers to install it.
    var type: String {
        switch self {
        case .der: "application/x-x509-ca-cert"
        case .pem: "application/x-pem-file"
        case .appleProfile: "application/x-apple-aspen-config"
        }
    }

    /// What a browser calls the file that it saves. Firefox asks at once whether to trust a certificate that is none.
    var disposition: String? { self == .der ? nil : attachment }

    private var attachment: String { "attachment; filename=\"tandem-\(rawValue.dropFirst())\"" }
}

extension CertificateFile: FileMedia {
    var mediaType: String { type }
}

extension APIResponse where Form == File<CertificateFile> {
    /// The authority's certificate, as a file.
    static func certificate(_ bytes: ByteBuffer, _ file: CertificateFile) -> APIResponse {
        let response = APIResponse.file(bytes, file)
        return file.disposition.map { response.setting(.contentDisposition, $0) } ?? response
    }
}
