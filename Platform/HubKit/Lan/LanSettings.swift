/// How the hub is reached from the local network.
public struct LanSettings: Sendable {
    /// The hub's name on the network without `.local`; nil takes the machine's at the first start.
    public var name: String?
    /// Of HTTPS.
    public var httpsPort = 8443
    /// Of MQTT with TLS.
    public var mqttsPort = 8883
    /// Paths of a certificate chain and its key in PEM form, in place of the hub's own authority.
    public var ownCertificate: (certificate: String, key: String)?
    /// The address that the listeners bind: all of the machine's.
    public var host = "::"

    public init() {}
}
