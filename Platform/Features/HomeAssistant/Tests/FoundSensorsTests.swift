import Devices
import NIOCore
import Testing

@testable import HomeAssistant

@Suite("Sensors that were found")
struct FoundSensorsTests {
    private func sensor(_ number: Int) -> AnnouncedSensor {
        AnnouncedSensor(
            uniqueID: "\(number)", name: "", deviceID: "\(number)", deviceName: "", maker: "", model: "",
            stateTopic: "s/\(number)", template: nil, unit: nil, deviceClass: nil)
    }

    @Test("Ten thousand announcements are bounded, in all and of one sender, and the good ones before them stay")
    func bounded() {
        let found = FoundSensors()
        let flood = ForeignMessage.Sender.integration("flood")
        #expect(
            found.announce(
                [sensor(-1)], at: .init(source: .listener, topic: "good"), by: .integration("good"), household: "h"))
        for number in 0..<10_000 {
            _ = found.announce(
                [sensor(number)], at: .init(source: .listener, topic: "t/\(number)"), by: flood, household: "h")
        }
        #expect(found.counts.kept == FoundSensors.mostOfSender + 1)
        #expect(found.counts.refused == 10_000 - FoundSensors.mostOfSender)
        #expect(found.all(household: "h").contains { $0.place.topic == "good" })
        #expect(found.all(household: "other").isEmpty)
    }

    @Test("What is heard on a topic is forgotten with the last announcement that names it")
    func forgotten() {
        let found = FoundSensors()
        let state = FoundSensors.Place(source: .broker, topic: "s/1")
        for topic in ["a", "b"] {
            #expect(found.announce([sensor(1)], at: .init(source: .broker, topic: topic), by: .broker, household: "h"))
        }
        #expect(found.note(ByteBuffer(string: "7"), at: state, now: 5))
        #expect(found.heard(at: state) == .init(text: "7", at: 5))
        #expect(found.announce([], at: .init(source: .broker, topic: "a"), by: .broker, household: "h"))
        #expect(found.heard(at: state) != nil && found.brokerTopics == ["s/1"])
        #expect(found.announce([], at: .init(source: .broker, topic: "b"), by: .broker, household: "h"))
        #expect(found.heard(at: state) == nil && found.brokerTopics.isEmpty)
        #expect(!found.note(ByteBuffer(string: "7"), at: state, now: 6))
    }

    @Test("The same again is no news, and nothing of the broker is left when it is left")
    func again() {
        let found = FoundSensors()
        let place = FoundSensors.Place(source: .broker, topic: "a")
        #expect(found.announce([sensor(1)], at: place, by: .broker, household: "h"))
        #expect(!found.announce([sensor(1)], at: place, by: .broker, household: "h"))
        found.forgetBroker()
        #expect(found.counts.kept == 0 && found.brokerTopics.isEmpty)
        #expect(found.announce([sensor(1)], at: place, by: .broker, household: "h"))
    }

    @Test("What was heard stays known where more of the same device is announced")
    func more() {
        let found = FoundSensors()
        let place = FoundSensors.Place(source: .bluetooth, topic: "a")
        let state = FoundSensors.Place(source: .bluetooth, topic: "s/1")
        #expect(found.announce([sensor(1)], at: place, by: .radio, household: "h"))
        #expect(found.note(ByteBuffer(string: "41"), at: state, now: 5))
        #expect(found.announce([sensor(1), sensor(2)], at: place, by: .radio, household: "h"))
        #expect(found.heard(at: state) == .init(text: "41", at: 5))
    }
}
