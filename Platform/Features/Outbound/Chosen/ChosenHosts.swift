import GRDB
import HubKit
import Storage

/// The hosts that adults have chosen, as they are stored: with its channel, or with the account, a host is gone.
enum ChosenHosts {
    /// The hosts that a household has chosen for a purpose, each once.
    static func all(_ purpose: String, household: String, _ db: Database) throws -> [ChosenHost] {
        var hosts: [ChosenHost] = []
        func add(_ host: ChosenHost?) { if let host, !hosts.contains(host) { hosts.append(host) } }
        if purpose == "mail" {
            for account in try MailAccountRecord.filter(sql: "household = ?", arguments: [household]).fetchAll(db) {
                add(ChosenHost(account))
            }
        } else if purpose == OutboundUse.releases.purpose {
            add(try ReleaseSettings.stored(db)?.host)
        } else {
            let channels = try ChannelRecord.fetchAll(
                db, cached: "SELECT * FROM channel WHERE household = ? AND kind = ? ORDER BY created_at, id",
                arguments: [household, purpose])
            for channel in channels { add(try? ChosenHost(url: channel.address, houseAddress: channel.houseAddress)) }
        }
        return hosts
    }
}

extension ChosenHost {
    /// The server of a mail account; nil if what is stored is none.
    package init?(_ account: MailAccountRecord) {
        guard
            let host = try? ChosenHost(
                .smtp, host: account.host, port: account.port, houseAddress: account.houseAddress)
        else { return nil }
        self = host
    }
}
