/// How the hub is reached from the local network.
public struct LANSettings: Sendable {
    /// The label of the hub's name on the network, `linden` of `linden.local`; nil takes the one that is stored, at the first
    /// start the machine's.
    public var name: String?
    /// Of HTTPS.
    public var httpsPort = 8443
    /// Of MQTT with TLS.
    public var mqttsPort = 8883
    /// Paths of a certificate chain and its key in PEM form, in place of the hub's own authority.
    public var ownCertificate: (certificate: String, key: String)?
    /// The address that the listeners bind: all of the machine's.
    public var host = "::"

    /// The hub's own authority, the machine's name, and the usual ports.
    public init() {}
}
