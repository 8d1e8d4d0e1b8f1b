import Foundation
import HubKit
import Localization
import Logging
import MQTT
import NIOCore
import ServiceLifecycle
import Storage

/// What publishes the household's entities, hears what is announced, and keeps the connection to the broker of the house.
public struct HomeAssistantService: Service {
    private let home: HomeAssistant
    private var broker: BrokerClient { home.broker }
    private var hub: HubContext { home.hub }

    /// The least time between two messages about one thing.
    private static let interval = Duration.seconds(1)
    /// The time after which everything is looked at again, since some of it changes by the clock alone.
    private static let minute = Duration.seconds(60)

    /// Creates the service.
    ///
    /// - Parameter home: the hub's part in Home Assistant's discovery.
    public init(home: HomeAssistant) { self.home = home }

    /// Runs until graceful shutdown.
    public func run() async throws {
        broker.whenConnected { [home] in home.isConnectedAnew() }
        await cancelWhenGracefulShutdown {
            await withDiscardingTaskGroup { group in
                group.addTask { for await _ in hub.live.changes() { home.changed(all: true) } }
                group.addTask {
                    while (try? await Task.sleep(for: Self.minute)) != nil { home.changed(all: true) }
                }
                group.addTask { for await command in home.commands { await perform(command) } }
                group.addTask { for await _ in home.moves { await home.storeMoved() } }
                group.addTask { await keepBroker() }
                await publish()
                group.cancelAll()
            }
        }
    }

    // MARK: What is published

    private func publish() async {
        var publisher = EntityPublisher()
        home.changed(all: true)
        for await _ in home.wake {
            do {
                try await look(&publisher)
            } catch {
                if Task.isCancelled { return }
                hub.log.error("what the hub announces could not be made", metadata: ["reason": "\(error)"])
            }
            // What comes meanwhile is said together.
            guard (try? await Task.sleep(for: Self.interval)) != nil else { return }
        }
    }

    private func look(_ publisher: inout EntityPublisher) async throws {
        let news = home.takeNews()
        do {
            try await say(news, &publisher)
        } catch {
            home.giveBack(news)
            throw error
        }
    }

    private func say(_ news: HomeAssistant.News, _ publisher: inout EntityPublisher) async throws {
        let settings = try await home.settings()
        guard let household = try await hub.household() else { return }
        if news.isAll {
            try await home.adopted.reload(hub.database, now: hub.clock.now())
            broker.subscribe(to: wantedTopics)
        }
        let isHeard = try await home.isHeard(settings, isConnected: broker.isConnected)
        home.set(isHeard: isHeard)
        var messages: [EntityPublisher.Message] = []
        let words = Localizer(Language(household.language ?? "en"), from: home.sentences)
        if news.isAll || !isHeard {
            messages = publisher.update(
                isHeard ? try await home.entities(settings, household) : [], of: household.id,
                isByDevice: settings.isByDevice, in: words)
            home.set(announced: publisher.topics, events: publisher.events)
        }
        if isHeard { messages += publisher.update(home.takeReadings()) }
        if news.isBorn { messages = messages.filter(\.payload.isEmpty) + publisher.all }
        if isHeard, news.isBorn || news.isAll {
            let topic = DiscoveryConfiguration.Topics(slug: "hub", owner: household.id, household: household.id).hub
            messages.insert(.init(topic: topic, payload: Data("online".utf8)), at: 0)
        }
        for message in messages { publish(message) }
        // What an earlier run announced there and is not there any more, with the states of it.
        for topic in home.takeOrphans(publisher.topics) {
            publish(.init(topic: topic, payload: Data()))
            guard let state = EntityPublisher.stateTopic(ofConfiguration: topic), !publisher.topics.contains(state)
            else { continue }
            publish(.init(topic: state, payload: Data()))
        }
    }

    private func publish(_ message: EntityPublisher.Message) {
        hub.messages.publish(
            topic: message.topic, payload: ByteBuffer(bytes: message.payload), qualityOfService: .atLeastOnce,
            retain: true)
        broker.publish(topic: message.topic, payload: Array(message.payload))
    }

    /// The topics at the broker that the hub wants to hear.
    private var wantedTopics: Set<String> {
        Set([
            "homeassistant/status", "homeassistant/+/+/config", "homeassistant/+/+/+/config",
            "tandem/+/+/+/set",
        ]).union(home.adopted.brokerTopics).union(home.found.brokerTopics)
    }

    // MARK: What is asked for

    private func perform(_ command: HomeAssistant.Command) async {
        do {
            guard let companion = home.companions.first(where: { type(of: $0).slug == command.slug }) else {
                throw Problem.notFound("There is no such companion.")
            }
            try await companion.perform(command.command)
        } catch {
            hub.log.notice(
                "what another program asked for could not be done",
                metadata: [
                    "companion": "\(command.slug.withoutUnseenCharacters.prefix(32))",
                    "entity": "\(command.command.entity.withoutUnseenCharacters.prefix(32))", "reason": "\(error)",
                ])
        }
    }

    // MARK: The broker of the house

    /// Stays connected to the broker of the settings, and to another once they change.
    private func keepBroker() async {
        var current: BrokerSettings?
        var task: Task<Void, Never>?
        var isFirst = true
        for await settings in home.brokerSettings {
            guard settings != current || isFirst else { continue }
            let isNew = !isFirst
            isFirst = false
            // Another broker, or none: what was announced there is taken back.
            if let current, current.url != settings?.url { broker.leave(home.announced) }
            current = settings
            task?.cancel()
            await task?.value
            task = nil
            home.found.forgetBroker()
            guard let settings, let household = try? await hub.household(), !Task.isCancelled else { continue }
            let topics = DiscoveryConfiguration.Topics(slug: "hub", owner: household.id, household: household.id)
            guard let topic = try? TopicName(topics.hub) else { continue }
            let will = Will(topic: topic, payload: Array("offline".utf8), qualityOfService: .atLeastOnce, retain: true)
            task = Task { await broker.run(settings, household: household.id, will: will, isNew: isNew) }
        }
        task?.cancel()
        await task?.value
    }
}
