package io.holdfast.lock.tests.simulation;

import io.holdfast.lock.spi.Fault;
import io.holdfast.lock.spi.Reply;

/** Those who judge a client by what goes over its connection to a server. */
final class WireJudges {

    private final SimulatedClient client;
    private final SimulatedServer server;
    final RenewalChecker renewals;
    /** Whether all calls for a lock go over this one connection; what is judged takes that for granted. */
    private final boolean alone;

    WireJudges(SimulatedClient client, SimulatedServer server, boolean alone) {
        this.client = client;
        this.server = server;
        this.renewals = new RenewalChecker(client, server);
        this.alone = alone;
    }

    /** The engine has sent it on its way. */
    void sent(Request request) {
        if (alone) {
            renewals.sent(request);
            if (!request.isAcquisition()) {
                client.rounds.sent(server.index, request);
            }
        }
    }

    /** It is about to be written: until now an acquisition could have been taken back without a trace. */
    void writes(Request request) {
        if (!alone) {
            client.cluster().network.judgeOrder(server, request);
        } else if (request.isAcquisition()) {
            client.rounds.sent(server.index, request);
        }
    }

    void answered(Request request, Reply reply) {
        if (alone) {
            client.heard.answered(request, reply);
            renewals.answered(request, reply);
            client.rounds.answered(server.index, request, reply);
        }
    }

    void failed(Request request, Fault fault) {
        if (alone) {
            renewals.failed(request);
            client.rounds.failed(server.index, request, fault);
            client.heard.failed(request);
        }
    }

    void up() {
        if (alone) {
            renewals.up();
        }
    }

    void down() {
        if (alone) {
            renewals.down();
        }
    }
}
