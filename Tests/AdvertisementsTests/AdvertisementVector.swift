import Advertisements
import VectorLines
import Wire

/// Answers the lines of the vector files.
enum AdvertisementVector {
    static func answer(_ bytes: [UInt8]) -> [UInt8] {
        let line = VectorLine(bytes)
        let text: String
        switch String(decoding: line.command ?? [], as: UTF8.self) {
        case "bthome": text = bthome(line)
        case "service": text = service(line)
        case "structures": text = structures(line)
        case "miflora": text = miFlora(line)
        default: text = "no such command"
        }
        return Array(text.utf8)
    }

    private static func cipher(_ line: VectorLine, _ index: Int) -> TestAES? {
        line.hex(index).flatMap { TestAES(key: $0) }
    }

    private static func address(_ line: VectorLine, _ index: Int) -> BluetoothAddress {
        BluetoothAddress(text: line.text(index).span) ?? BluetoothAddress(value: 0)
    }

    /// The objects of BTHome: `bthome`, the data.
    private static func bthome(_ line: VectorLine) -> String {
        do throws(AdvertisementError) {
            let packet = try BTHomePacket.decoded(
                line.hex(1) ?? [], from: BluetoothAddress(value: 0), cipher: NoCipher?.none)
            let objects = packet.objects.map { object in "\(object.property) \(written(object.content))" }
            return (objects + (packet.putAside > 0 ? ["put aside \(packet.putAside)"] : []))
                .joined(separator: ", ")
        } catch {
            return "\(error)"
        }
    }

    private static func written(_ content: BTHomeObject.Content) -> String {
        switch content {
        case .number(let millionths):
            var text = TextWriter()
            text.write(fixedPoint: millionths, places: 6, trimmingZeros: true)
            return String(decoding: text.bytes, as: UTF8.self)
        case .flag(let isOn): return "\(isOn)"
        case .button(let press): return "\(press)"
        case .command(let operation, let arguments): return "\(operation) \(arguments)"
        case .dimmer(let steps): return "\(steps)"
        case .bytes(let bytes): return bytes.map { "\($0)" }.joined(separator: ".")
        }
    }

    /// A sensor by the data of one service: `service`, the address, the UUID, the data, the key, the name.
    private static func service(_ line: VectorLine) -> String {
        let uuid = (line.hex(2) ?? []).reduce(UInt16(0)) { $0 << 8 | UInt16($1) }
        let advertisement = Advertisement(
            address: address(line, 1), localName: line.text(5).isEmpty ? nil : line.text(5),
            serviceData: [.init(uuid: uuid, bytes: line.hex(3) ?? [])])
        return sensor(advertisement, cipher(line, 4))
    }

    /// A sensor by a whole advertisement: `structures`, the address, the structures, the key.
    private static func structures(_ line: VectorLine) -> String {
        sensor(Advertisement(address: address(line, 1), structures: line.hex(2) ?? []), cipher(line, 3))
    }

    private static func sensor(_ advertisement: Advertisement, _ cipher: TestAES?) -> String {
        do throws(AdvertisementError) {
            guard let sensor = try SensorAdvertisement.decoded(advertisement, cipher: cipher) else {
                return "no sensor"
            }
            let sequence = sensor.sequence.map { ", sequence \($0)" } ?? ""
            return "\(sensor.format) \(sensor.model.name) \(sensor.protection)\(sequence)"
                + "\(sensor.isTriggerBased ? ", trigger based" : ""): \(written(sensor.measurements))"
        } catch {
            return "\(error)"
        }
    }

    private static func written(_ measurements: [SensorMeasurement]) -> String {
        measurements.map { measurement in
            var text = TextWriter()
            text.write(fixedPoint: measurement.thousandths, places: 3, trimmingZeros: true)
            let ordinal = measurement.ordinal == 0 ? "" : " (\(measurement.ordinal))"
            return "\(measurement.quantity.name)\(ordinal) \(String(decoding: text.bytes, as: UTF8.self))"
        }.joined(separator: ", ")
    }

    /// An answer of the plant sensor: `miflora`, the characteristic, the bytes.
    private static func miFlora(_ line: VectorLine) -> String {
        let bytes = line.hex(2) ?? []
        do throws(MiFloraError) {
            switch String(decoding: line.text(1), as: UTF8.self) {
            case "device":
                let device = try MiFloraDevice(answer: bytes)
                return "battery \(device.battery), firmware \(String(decoding: device.firmware, as: UTF8.self))"
            case "values": return written(try MiFloraValues(answer: bytes).measurements)
            case "entry":
                let entry = try MiFloraEntry(answer: bytes)
                return "\(entry.seconds) s: \(written(entry.values.measurements))"
            default: return "no such characteristic"
            }
        } catch {
            return "\(error)"
        }
    }
}
