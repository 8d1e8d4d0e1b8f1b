/// A format in which sensors broadcast.
public enum SensorFormat: UInt8, CaseIterable, Sendable {
    /// BTHome, version 2 or 1.
    case bthome
    /// The pink plant sensor's.
    case hhcc
    /// Thermometers with the firmware of atc1441 or pvvx.
    case atc
    /// Xiaomi's MiBeacon.
    case miBeacon
}

/// A sensor's advertisement, decoded: which format and model it is, what it measured, and how a repetition is known.
///
/// A thermometer with other firmware may send several formats at once. The first that gives measurements counts, in the
/// order of ``SensorFormat``; where none does, the first that is a sensor's.
public struct SensorAdvertisement: Equatable, Sendable {
    /// The format.
    public let format: SensorFormat
    /// The model.
    public let model: SensorModel
    /// The number of the product in MiBeacon; nil in other formats.
    public let product: UInt16?
    /// The protection of the measurements.
    public let protection: Protection
    /// The measurements, in the order of the advertisement. None where they could not be opened, and in frames that only say
    /// that the device is there.
    public let measurements: [SensorMeasurement]
    /// The number by which a repetition is known, at least 8 bits of a counter that begins anew after the highest; nil
    /// where there is none, so that only the measurements tell.
    public let sequence: UInt32?
    /// The counter of measurements that were opened, for ``ReplayGuard``; nil where there is none of 32 bits.
    public let counter: UInt32?
    /// Whether the device sends only when something happened, so that its silence means nothing.
    public let isTriggerBased: Bool

    /// Whether the measurements are encrypted and there was no key.
    public var needsKey: Bool { protection == .needsKey }
    /// Whether the measurements are encrypted and the key did not open them.
    public var wrongKey: Bool { protection == .wrongKey }

    /// Decodes an advertisement.
    ///
    /// - Parameters:
    ///   - advertisement: any device's.
    ///   - cipher: AES with the device's key of 16 bytes; nil where there is none. With a key, BTHome and ATC in the clear are
    ///     ``Protection/downgraded``; devices with MiBeacon send both.
    /// - Returns: nil for a device that is no sensor, or none of these formats.
    /// - Throws: the first error, where the advertisement has data of a known service and all of them are wrong.
    public static func decoded<Cipher: BlockCipher>(
        _ advertisement: Advertisement, cipher: Cipher?
    ) throws(AdvertisementError) -> SensorAdvertisement? {
        var first: SensorAdvertisement?
        var failure: AdvertisementError?
        for data in advertisement.serviceData {
            do throws(AdvertisementError) {
                guard let sensor = try decoded(data, of: advertisement, cipher: cipher) else { continue }
                guard let best = first else {
                    first = sensor
                    continue
                }
                if sensor.isBetter(than: best) { first = sensor }
            } catch {
                if failure == nil { failure = error }
            }
        }
        if first == nil, let failure { throw failure }
        return first
    }

    /// Decodes an advertisement of a device without a key.
    public static func decoded(_ advertisement: Advertisement) throws(AdvertisementError) -> SensorAdvertisement? {
        try decoded(advertisement, cipher: NoCipher?.none)
    }

    /// Whether this counts rather than another format of the same advertisement.
    private func isBetter(than other: SensorAdvertisement) -> Bool {
        guard measurements.isEmpty == other.measurements.isEmpty else { return other.measurements.isEmpty }
        return format.rawValue < other.format.rawValue
    }

    /// Decodes the data of one service; nil for one that is not a sensor's.
    private static func decoded<Cipher: BlockCipher>(
        _ data: Advertisement.ServiceData, of advertisement: Advertisement, cipher: Cipher?
    ) throws(AdvertisementError) -> SensorAdvertisement? {
        let address = advertisement.address
        switch data.uuid {
        case BTHomePacket.service:
            let packet = try BTHomePacket.decoded(data.bytes, from: address, cipher: cipher)
            return SensorAdvertisement(packet, name: advertisement.localName)
        case BTHomePacket.firstService, BTHomePacket.firstEncryptedService:
            let packet = try BTHomePacket.decodedFirst(
                data.bytes, isEncrypted: data.uuid == BTHomePacket.firstEncryptedService, from: address,
                cipher: cipher)
            return SensorAdvertisement(packet, name: advertisement.localName)
        case HHCCAdvertisement.service:
            guard let measurements = HHCCAdvertisement.measurements(of: data.bytes) else { return nil }
            return SensorAdvertisement(
                format: .hhcc, model: .flowerCarePink, protection: .plain, measurements: measurements)
        case ATCAdvertisement.service:
            guard let atc = ATCAdvertisement.decoded(data.bytes, from: address, cipher: cipher) else { return nil }
            return SensorAdvertisement(
                format: .atc, model: .atcThermometer, protection: atc.protection, measurements: atc.measurements,
                sequence: UInt32(atc.counter))
        case MiBeaconFrame.service:
            let frame = try MiBeaconFrame.decoded(data.bytes, from: address, cipher: cipher)
            return SensorAdvertisement(frame)
        default: return nil
        }
    }

    private init(
        format: SensorFormat, model: SensorModel, product: UInt16? = nil, protection: Protection,
        measurements: [SensorMeasurement], sequence: UInt32? = nil, counter: UInt32? = nil,
        isTriggerBased: Bool = false
    ) {
        self.format = format
        self.model = model
        self.product = product
        self.protection = protection
        self.measurements = measurements
        self.sequence = sequence
        self.counter = protection == .opened ? counter : nil
        self.isTriggerBased = isTriggerBased
    }

    private init(_ packet: BTHomePacket, name: [UInt8]?) {
        var measurements: [SensorMeasurement] = []
        for object in packet.objects {
            guard let quantity = SensorQuantity(object.property), let value = object.thousandths else { continue }
            measurements.append(quantity, thousandths: value)
        }
        self.init(
            format: .bthome, model: SensorModel(bthomeName: name), protection: packet.protection,
            measurements: measurements, sequence: packet.counter ?? packet.packetID.map { UInt32($0) },
            counter: packet.counter, isTriggerBased: packet.isTriggerBased)
    }

    /// Takes a frame; nil for a product that is not known, unless it measured something: locks and lamps send MiBeacon too.
    private init?(_ frame: MiBeaconFrame) {
        let model = SensorModel(product: frame.product)
        let measurements = frame.measurements(of: model)
        guard model != .otherMiBeacon || !measurements.isEmpty else { return nil }
        self.init(
            format: .miBeacon, model: model, product: frame.product, protection: frame.protection,
            measurements: measurements, sequence: frame.counter ?? UInt32(frame.frameCounter), counter: frame.counter)
    }
}

extension SensorQuantity {
    /// The quantity of a property of BTHome; nil for one that Tandem keeps no readings of.
    init?(_ property: BTHomeProperty) {
        switch property {
        case .moisture: self = .moisture
        case .temperature: self = .temperature
        case .illuminance: self = .illuminance
        case .conductivity: self = .conductivity
        case .battery: self = .battery
        case .humidity: self = .humidity
        case .pressure: self = .pressure
        case .voltage: self = .voltage
        default: return nil
        }
    }
}
