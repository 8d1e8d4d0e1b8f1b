import Admission
import HubKit
import Localization
import NIOCore
import NIOPosix
import NIOSSL
import Storage
import TLS

/// E-mail, by the household's account: over TLS alone, to a host that an adult has chosen, and counted as every other call.
extension Outbound {
    /// How much longer a delivery may take than another call: some servers look at a message for a while.
    private static let deliveryPatience = 3

    /// Hands a message to the household's mail server.
    ///
    /// - Throws: `MailFault`, or `CancellationError`.
    package func send(_ message: MailMessage, by account: MailAccountRecord) async throws {
        guard let host = ChosenHost(account),
            try await chosenHosts(OutboundUse.mail.purpose, household: account.household).contains(host)
        else { throw MailFault.outbound(.refused(LocalizedText("nobody has chosen this host"))) }
        let envelope = SMTPConversation.Envelope(
            sender: message.sender, recipient: message.recipient, content: message.bytes)
        try await converse(envelope, account, host)
    }

    /// Signs in at the mail server that an adult is entering, and leaves.
    ///
    /// - Throws: `MailFault`, or `CancellationError`.
    package func checkSignIn(_ account: MailAccountRecord, at host: ChosenHost) async throws {
        try await converse(nil, account, host)
    }

    private func converse(
        _ envelope: SMTPConversation.Envelope?, _ account: MailAccountRecord, _ host: ChosenHost
    ) async throws {
        let use = OutboundUse.mail
        let (target, bytes) = (host.target, envelope?.content.count ?? 0)
        let addresses: [IPAddress]
        do {
            addresses = try await self.addresses(of: target, household: account.household, purpose: use.purpose)
            try takeTurn(use)
        } catch let error as OutboundError {
            throw MailFault.outbound(error)
        }
        do {
            try await connect(to: addresses, port: host.port, account, envelope)
            try await count(
                household: account.household, purpose: use.purpose, target, bytes: bytes, status: 250)
        } catch let fault as MailFault {
            try await count(
                household: account.household, purpose: use.purpose, target, bytes: bytes, status: fault.code)
            throw fault
        } catch let error as CancellationError {
            // In a task of its own: the one that was given up writes nothing any more.
            try await Task {
                try await count(household: account.household, purpose: use.purpose, target, bytes: bytes, status: nil)
            }.value
            throw error
        }
    }

    /// Connects to the first address that answers.
    private func connect(
        to addresses: [IPAddress], port: Int, _ account: MailAccountRecord, _ envelope: SMTPConversation.Envelope?
    ) async throws {
        let trust: ServerTrust
        do {
            trust = try ServerTrust(
                host: account.host, authority: account.authority, fingerprint: account.fingerprint,
                roots: policy.trust)
        } catch {
            throw MailFault.untrusted
        }
        for (index, address) in addresses.enumerated() {
            let conversation = SMTPConversation(
                isStarttls: account.isStarttls, user: account.user, password: account.password, envelope: envelope)
            do {
                return try await converse(
                    conversation, with: address, port: port, trust, isStarttls: account.isStarttls)
            } catch let error where Self.isBeforeRequest(error) && index < addresses.count - 1 {
                log.debug("no connection; trying the other family of addresses", metadata: ["host": "\(account.host)"])
            } catch let fault as MailFault {
                throw fault
            } catch {
                if Task.isCancelled { throw CancellationError() }
                throw MailFault.outbound(.unreachable("\(account.host) could not be reached"))
            }
        }
    }

    private func converse(
        _ conversation: SMTPConversation, with address: IPAddress, port: Int, _ trust: ServerTrust, isStarttls: Bool
    ) async throws {
        let loop = MultiThreadedEventLoopGroup.singleton.next()
        let promise = loop.makePromise(of: Void.self)
        let socket = try SocketAddress(ipAddress: address.description, port: port)
        let channel: any Channel
        do {
            channel = try await ClientBootstrap(group: loop)
                .connectTimeout(.seconds(5))
                .channelInitializer { channel in
                    channel.eventLoop.makeCompletedFuture {
                        if !isStarttls { try channel.pipeline.syncOperations.addHandler(trust.handler()) }
                        try channel.pipeline.syncOperations.addHandler(
                            SMTPHandler(conversation, trust: trust, promise: promise))
                    }
                }
                .connect(to: socket).get()
        } catch {
            promise.fail(error)
            throw error
        }
        let patience = conversation.isDelivery ? Self.deliveryPatience : 1
        let end = loop.scheduleTask(in: .init(policy.patience) * patience) { channel.close(promise: nil) }
        defer { end.cancel() }
        try await withTaskCancellationHandler {
            do {
                try await promise.futureResult.get()
            } catch {
                if Task.isCancelled { throw CancellationError() }
                throw error
            }
        } onCancel: {
            channel.close(promise: nil)
        }
    }
}
