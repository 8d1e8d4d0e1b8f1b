import { t } from "../../language/text.js";

/**
 * What the hub's reasons for dropping, refusing and closing mean in a house, and what to do.
 * @param {MQTT.Loss} reason
 * @returns {{name: string, todo: string}}
 */
export function lossWords(reason) {
    switch (reason) {
        case "queue_full": return {
            name: t`A program that listens was too slow, or away for too long`,
            todo: t`Look whether it still runs. If nobody needs it any more, remove it.`,
        };
        case "retained_full": return {
            name: t`Messages could not be kept for who listens later`,
            todo: t`A device or a program has very many topics: let it use fewer, or publish without “retain”.`,
        };
        case "receiver_limit": return {
            name: t`A message was longer than its listener takes`,
            todo: t`Allow longer packets in the settings of that program.`,
        };
        case "expired": return {
            name: t`A message was out of date before its listener came`,
            todo: t`Its sender wants it so. There is nothing to do.`,
        };
        case "right_ended": return {
            name: t`A message was from or for somebody who may no longer`,
            todo: t`It follows from a device or a program that was removed. There is nothing to do.`,
        };
        case "channel_rate": return {
            name: t`A device sent faster than its limit`,
            todo: t`What its page showed may have gaps. Switch the device off and on; if it stays so, look for newer software for it.`,
        };
        case "slow_page": return {
            name: t`A page was too slow for its device`,
            todo: t`Close other apps on that phone, or go closer to the Wi-Fi.`,
        };
        case "foreign_topic": return {
            name: t`A device wrote to a topic that is not its own`,
            todo: t`It may write below tandem/ and its own id. Look at the topic in its settings.`,
        };
        case "not_understood": return {
            name: t`A device sent what the hub does not understand`,
            todo: t`Open it under Devices: its last error stands there.`,
        };
        case "subscription": return {
            name: t`A program asked for topics that it may not have`,
            todo: t`Take them out of its settings, or have whoever looks after the hub let it in once more with these topics, by “tandem integration add”.`,
        };
        default: return connectionWords(reason);
    }
}

function connectionWords(reason) {
    switch (reason) {
        case "sign_in": return {
            name: t`Somebody wanted to connect with a wrong name or token`,
            todo: t`Most often it is a device that was removed, or has an old token: give it a new one. The hub’s log says from which address.`,
        };
        case "protocol_version": return {
            name: t`A device speaks too old an MQTT`,
            todo: t`Set it to version 3.1.1 or 5.`,
        };
        case "client_identifier": return {
            name: t`A device came with a client id that is too long, or none`,
            todo: t`Give it one of 1 to 256 characters.`,
        };
        case "too_many_clients": return {
            name: t`More wanted to connect than may at once`,
            todo: t`A device may connect again and again without hanging up: switch it off and on.`,
        };
        case "too_many_sessions": return {
            name: t`A device has too many sessions`,
            todo: t`Let it use the same client id each time.`,
        };
        case "unavailable": return {
            name: t`The hub could not find out who wanted to connect`,
            todo: t`Devices try again by themselves. If it happens often, look at the hub’s log.`,
        };
        case "gave_way": return {
            name: t`Connections that said nothing gave way to others`,
            todo: t`A few mean nothing. Many mean that something in your network tries doors.`,
        };
        case "no_connect": return {
            name: t`Somebody connected and did not say who they are`,
            todo: t`A few mean nothing, such as a browser at the wrong port.`,
        };
        case "keep_alive": return {
            name: t`A device fell silent`,
            todo: t`It comes back by itself. If it happens often, its battery or its Wi-Fi may be weak.`,
        };
        case "no_reader": return {
            name: t`A device took nothing of what it was sent`,
            todo: t`It may hang: switch it off and on.`,
        };
        case "packet_too_large": return {
            name: t`A device sent a message that is too large`,
            todo: t`It is longer than the hub takes: let the device send less at once, or raise the limit in the hub’s configuration, mqtt.limits.packetBytes.`,
        };
        case "receive_maximum": return {
            name: t`A device had more under way than it may`,
            todo: t`Its software may be at fault: look for a newer one.`,
        };
        case "storage": return {
            name: t`The hub could not store what a device sent`,
            todo: t`Devices send it again. Look whether the hub’s disk is full.`,
        };
        default: return {
            name: t`A device broke the rules of MQTT`,
            todo: t`The hub’s log says which. Its software may be at fault: look for a newer one.`,
        };
    }
}
