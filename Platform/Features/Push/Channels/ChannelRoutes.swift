import HubKit
import Storage

/// The routes of the channels by which people's reminders arrive besides: ntfy and e-mail.
public struct ChannelRoutes: Sendable {
    private let push: Push
    private var channels: Channels { push.channels }

    /// Creates the routes.
    public init(push: Push) { self.push = push }

    /// Adds them.
    public func add(to routes: Routes) {
        routes.get(
            "/api/channels", .adult,
            "The channels by which people’s reminders arrive besides, and how the last message went."
        ) { request in
            let household = try request.member.household
            return try .json(
                ChannelsResponse(
                    channels: try await channels.all(household: household).map(ChannelResponse.init),
                    hasMailAccount: try await push.mailAccount(household: household) != nil))
        }
        routes.post(
            "/api/channels", .adult,
            "Adds a channel for a person: a topic of ntfy, or an email address, which is sent a code first.",
            takes: ChannelInput.self
        ) { request, input in
            let member = try request.member
            if input.kind == .email { try push.takeTrial(account: member.person.id) }
            return try .created(
                ChannelResponse(
                    try await channels.add(
                        .init(
                            kind: input.kind == .email ? .email : .ntfy, person: input.person, address: input.address,
                            houseAddress: input.houseAddress, token: input.token, language: request.language,
                            origin: request.origin), member)))
        }
        routes.delete("/api/channels/{id}", .adult, "Removes a channel, with what waits for it.") { request in
            try await channels.remove(request.path("id"), request.member)
            return .nothing
        }
        routes.post(
            "/api/channels/{id}/try", .adult,
            "Sends a message by the channel now. How it went, GET /api/channels tells in `lastError`."
        ) { request in
            try push.takeTrial(account: request.member.person.id)
            try await channels.tryOut(request.path("id"), request.member)
            return .nothing
        }
        routes.post("/api/channels/{id}/code", .adult, "Sends another code to an email address.") { request in
            try push.takeTrial(account: request.member.person.id)
            try await channels.sendCode(request.path("id"), request.member)
            return .nothing
        }
        routes.post(
            "/api/channels/{id}/confirm", .adult, "Confirms an email address by the code that was sent there.",
            takes: CodeInput.self
        ) { request, input in
            try .json(
                ChannelResponse(
                    try await channels.confirm(request.path("id"), code: input.code, request.member)))
        }
    }
}

/// The kind of a person's channel.
private enum PersonalKind: String, Codable, CaseIterable { case ntfy, email }

private struct ChannelInput: Decodable {
    var kind: PersonalKind
    /// The id of the person whose reminders go there.
    var person: String
    /// The topic of ntfy, such as `https://ntfy.example/our-topic`, or an e-mail address.
    var address: String
    /// The address in digits of a server whose name leads into the house.
    var houseAddress: String?
    /// The token for ntfy.
    var token: String?
}

private struct CodeInput: Decodable { var code: String }

private struct ChannelsResponse: Codable {
    var channels: [ChannelResponse]
    /// Whether there is an account by which e-mail can be sent.
    var hasMailAccount: Bool
}

private struct ChannelResponse: Codable {
    var id: String
    var kind: PersonalKind
    var person, address: String
    var houseAddress: String?
    var hasToken, isConfirmed: Bool
    var createdAt: Int64
    /// The reason why the last message did not arrive, in words; absent if it did.
    var lastError: String?
    var lastAt: Int64?

    init(_ record: ChannelRecord) {
        id = record.id
        kind = record.kind == .email ? .email : .ntfy
        person = record.person ?? ""
        address = record.address
        houseAddress = record.houseAddress
        hasToken = record.secret != nil
        isConfirmed = record.isConfirmed
        createdAt = record.createdAt
        lastError = record.lastError
        lastAt = record.lastAt
    }
}
