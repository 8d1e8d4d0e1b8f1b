import HubKit
import Hummingbird
import MQTT
import NIOCore

/// The metrics for a monitor such as Prometheus, and the losses for the owner of the hub.
///
/// The values are read on request from where they are counted, so messages cost nothing more.
struct MetricsRoutes: Sendable {
    let hub: HubContext

    func add(to routes: Routes) {
        routes.get(
            "/metrics", .monitor,
            "How the hub is, in Prometheus’s text format: counts since its start and figures of now, without a name."
        ) { _ in
            let text = Self.text(
                await hub.messages.statistics(), hub.counts.figures, openPages: hub.live.listenerCount,
                startedAt: hub.counts.startedAt, process: .now())
            return .file(ByteBuffer(string: text), MetricsMedia.text, headers: [.cacheControl: "no-store"])
        }
        routes.get("/api/losses", .adult, "What was dropped or refused since the hub started, by reason.") { _ in
            let losses = await hub.messages.statistics().losses.adding(hub.counts.figures.losses)
            return try .json(
                LossesResponse(
                    since: hub.counts.startedAt,
                    losses: Loss.allCases.filter { losses[$0] > 0 }.map {
                        .init(reason: $0, kind: $0.kind, count: losses[$0])
                    }))
        }
    }

    /// The metrics as text.
    ///
    /// - Parameters:
    ///   - openPages: the number of open pages.
    ///   - startedAt: the time at which the hub started, in UTC milliseconds.
    static func text(
        _ mqtt: ListenerStatistics, _ counts: HubCounts.Figures, openPages: Int, startedAt: Int64,
        process: ProcessFigures
    ) -> String {
        var text = PrometheusText()
        addClients(mqtt, to: &text)
        addMessages(mqtt, to: &text)
        addLosses(mqtt.losses.adding(counts.losses), to: &text)
        text.add(
            .counter, "tandem_http_requests_total", "HTTP requests answered, by the class of their status.",
            by: "status", counts.answers.indices.map { ("\($0 + 1)xx", counts.answers[$0]) })
        text.add(.gauge, "tandem_open_pages", "Pages that are open and listen.", openPages)
        text.add(
            .counter, "tandem_readings_stored_total", "Readings of sensors that were stored.", counts.storedReadings)
        text.add(
            .counter, "tandem_commits_total",
            "Batches that were made durable: what they hold is acknowledged afterwards.",
            counts.commits)
        text.add(
            .counter, "tandem_commit_failures_total", "Batches that could not be stored, and were not acknowledged.",
            counts.failedCommits)
        addProcess(process, startedAt: startedAt, to: &text)
        return text.text
    }

    private static func addClients(_ mqtt: ListenerStatistics, to text: inout PrometheusText) {
        text.add(.gauge, "tandem_mqtt_connections", "MQTT clients that are connected.", mqtt.connections)
        text.add(
            .gauge, "tandem_mqtt_half_open_connections", "Connections whose client has not been let in.", mqtt.halfOpen)
        text.add(
            .gauge, "tandem_mqtt_sessions", "MQTT sessions, of clients that are connected or away.", mqtt.sessions)
    }

    private static func addMessages(_ mqtt: ListenerStatistics, to text: inout PrometheusText) {
        func byQuality(_ counts: QualityCounts) -> [(label: String, value: Int)] {
            QualityOfService.allCases.map { ("\($0.rawValue)", counts[$0]) }
        }
        text.add(
            .counter, "tandem_mqtt_messages_received_total", "Messages that MQTT clients published.", by: "qos",
            byQuality(mqtt.receivedMessages))
        text.add(
            .counter, "tandem_mqtt_messages_sent_total", "Messages that were sent to MQTT clients.", by: "qos",
            byQuality(mqtt.sentMessages))
        text.add(
            .counter, "tandem_mqtt_received_bytes_total", "Bytes of MQTT that came, without TLS and WebSocket.",
            mqtt.receivedBytes)
        text.add(
            .counter, "tandem_mqtt_sent_bytes_total", "Bytes of MQTT that were sent, without TLS and WebSocket.",
            mqtt.sentBytes)
        text.add(.gauge, "tandem_mqtt_queued_messages", "Messages that wait for a client.", mqtt.queued)
        text.add(.gauge, "tandem_mqtt_queued_bytes", "Topics and payloads of those that wait.", mqtt.queuedBytes)
        text.add(
            .gauge, "tandem_mqtt_in_flight_messages", "Messages that were sent and are not acknowledged.", mqtt.inFlight
        )
        text.add(.gauge, "tandem_mqtt_retained_messages", "Messages kept as the last of their topic.", mqtt.retained)
        text.add(
            .gauge, "tandem_mqtt_retained_bytes", "Topics and payloads of the retained messages.", mqtt.retainedBytes)
    }

    private static func addLosses(_ losses: Losses, to text: inout PrometheusText) {
        for kind in Loss.Kind.allCases {
            let (name, help) =
                switch kind {
                case .droppedMessage: ("messages_dropped", "Messages that did not reach a receiver, by reason.")
                case .refusedMessage:
                    ("messages_refused", "Messages that were not taken for what they were, by reason.")
                case .refusedSubscription: ("subscriptions_refused", "Filters that were not granted.")
                case .refusedClient: ("clients_refused", "Clients that were not let in, by reason.")
                case .closedConnection: ("connections_closed", "Connections that the hub ended, by reason.")
                }
            // All of a kind, also those that never happened: a rate wants a beginning.
            text.add(
                .counter, "tandem_mqtt_\(name)_total", help, by: "reason",
                Loss.allCases.filter { $0.kind == kind }.map { ($0.rawValue, losses[$0]) })
        }
    }

    /// Adds the metrics of the process, named as by Prometheus's own clients.
    private static func addProcess(_ process: ProcessFigures, startedAt: Int64, to text: inout PrometheusText) {
        text.add(
            .counter, "process_cpu_seconds_total", "Time of all processors that the hub has used.",
            process.processorSeconds)
        if let bytes = process.residentBytes {
            text.add(.gauge, "process_resident_memory_bytes", "Memory that the hub has now.", bytes)
        }
        if let files = process.openFiles {
            text.add(.gauge, "process_open_fds", "Files and connections that the hub has open.", files)
        }
        text.add(
            .gauge, "process_start_time_seconds", "When the hub started, in seconds since 1970.",
            Double(startedAt) / 1_000)
    }
}

private struct LossesResponse: Codable {
    struct Line: Codable {
        var reason: Loss
        var kind: Loss.Kind
        var count: Int
    }
    /// The time at which the hub started, in UTC milliseconds.
    var since: Int64
    /// The losses that have occurred.
    var losses: [Line]
}

private enum MetricsMedia: FileMedia {
    case text
    var mediaType: String { "text/plain; version=0.0.4; charset=utf-8" }
}

/// A middleware that counts responses by their status.
struct AnswerCounts<Context: RequestContext>: RouterMiddleware {
    let counts: HubCounts

    func handle(_ request: Request, context: Context, next: (Request, Context) async throws -> Response) async throws
        -> Response
    {
        let response = try await next(request, context)
        counts.answered(status: response.status.code)
        return response
    }
}
