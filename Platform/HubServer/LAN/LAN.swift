import HubKit
import NIOCore
import TLS

/// The hub on the local network, as its pages describe it.
public struct LAN: Sendable {
    /// The host name: `linden.local`, or the name of an own certificate.
    public let hostName: String
    /// The announcement; nil if the name is not a `.local` one.
    public let announcement: Announcement?
    private let keeper: CertificateKeeper
    private let originByNumber: @Sendable () -> String?

    /// Creates the description.
    ///
    /// - Parameters:
    ///   - hostName: the host name, with `.local` if it is such a name.
    ///   - keeper: the keeper of the certificate on that network.
    ///   - announcement: announces the name to phones; nil if it is a name of the internet.
    ///   - originByNumber: the hub's address with the machine's IP address in the home network, such as
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

    /// The address that reaches the hub from another phone: the given one with its name, or the one with its IP address
    /// while the name is not announced.
    ///
    /// - Parameters:
    ///   - origin: the hub's public address.
    ///   - source: the browser that is told, if any; one that used the name has shown that it works.
    public func reachable(_ origin: String, from source: RequestSource? = nil) -> String {
        guard let announcement, announcement.hasFailed, let byNumber = originByNumber() else { return origin }
        return source.map { $0.isSecure && $0.isOwn(origin: origin) } == true ? origin : byNumber
    }

    /// The hub's address with the machine's IP address in the home network, for phones that find no name such as
    /// `linden.local`; nil while it has none.
    public var numbered: String? { announcement == nil ? nil : originByNumber() }

    /// The hub's own certificate authority, for those who want to trust it; nil with an own certificate.
    public var authority: Authority? { keeper.authority }

    /// The names of the current certificate, and the hub's own.
    var names: [String] { [hostName] + keeper.subjects.names }

    /// The authority's certificate in a form for phones and programs.
    func bytes(_ file: CertificateFile) -> ByteBuffer? {
        guard let authority else { return nil }
        return switch file {
        case .der: ByteBuffer(bytes: authority.der)
        case .pem: ByteBuffer(string: authority.pem)
        case .appleProfile: ByteBuffer(bytes: AppleProfile(authority: authority, hubName: hostName).bytes)
        }
    }
}

/// The forms of the authority's certificate for phones and programs.
enum CertificateFile: String, CaseIterable {
    case der = "/authority.crt"
    case pem = "/authority.pem"
    case appleProfile = "/authority.mobileconfig"

    /// The media type for which a phone offers to install it.
    var type: String {
        switch self {
        case .der: "application/x-x509-ca-cert"
        case .pem: "application/x-pem-file"
        case .appleProfile: "application/x-apple-aspen-config"
        }
    }

    /// The `Content-Disposition`, with the name of the file to save; nil for a file that is installed at once, as
    /// Firefox asks whether to trust it.
    var disposition: String? { self == .der ? nil : attachment }

    private var attachment: String { "attachment; filename=\"tandem-\(rawValue.dropFirst())\"" }
}

extension CertificateFile: FileMedia {
    var mediaType: String { type }
}

extension APIResponse where Form == File<CertificateFile> {
    /// A response with the authority's certificate.
    static func certificate(_ bytes: ByteBuffer, _ file: CertificateFile) -> APIResponse {
        let response = APIResponse.file(bytes, file)
        return file.disposition.map { response.setting(.contentDisposition, $0) } ?? response
    }
}
