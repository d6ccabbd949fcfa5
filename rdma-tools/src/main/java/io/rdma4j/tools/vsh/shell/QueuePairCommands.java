package io.rdma4j.tools.vsh.shell;

import static io.rdma4j.tools.vsh.shell.Parameter.choice;
import static io.rdma4j.tools.vsh.shell.Parameter.letters;
import static io.rdma4j.tools.vsh.shell.Parameter.number;
import static io.rdma4j.tools.vsh.shell.Parameter.object;

import io.rdma4j.verbs.CompletionQueue;
import io.rdma4j.verbs.ErrorCode;
import io.rdma4j.verbs.PathMtu;
import io.rdma4j.verbs.QueuePair;
import io.rdma4j.verbs.QueuePairAttributes;
import io.rdma4j.verbs.QueuePairCapabilities;
import io.rdma4j.verbs.QueuePairConfig;
import io.rdma4j.verbs.QueuePairState;
import io.rdma4j.verbs.QueuePairType;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.Supplier;

/** Queue pairs: making them, moving them from state to state, looking at them. */
final class QueuePairCommands {
    private static final List<String> TYPES = List.of("rc", "uc", "ud");
    private static final List<String> TARGET_STATES = List.of("err", "reset", "sqd", "rts");
    private static final List<String> MTUS = Arrays.stream(PathMtu.values())
            .map(mtu -> String.valueOf(mtu.bytes()))
            .toList();

    private final ShellObjects objects;

    QueuePairCommands(ShellObjects objects) {
        this.objects = objects;
    }

    List<ShellCommand> commands() {
        return List.of(
                ShellCommand.of("qp", "create a queue pair (ibv_create_qp)")
                        .creates(Kind.QUEUE_PAIR)
                        .takes(
                                choice("type", TYPES, "rc", "reliable, unreliable connection, or datagrams"),
                                object(
                                        Kind.COMPLETION_QUEUE,
                                        "scq",
                                        QueueCommands.USUAL,
                                        "where sends complete; made if there is none yet"),
                                object(Kind.COMPLETION_QUEUE, "rcq", "", "where receives complete; as scq without it"),
                                object(Kind.SHARED_RECEIVE_QUEUE, "srq", "", "where it takes receives from"),
                                number("sq", "64", "sends it holds"),
                                number("rq", "64", "receives it holds"),
                                number("sge", "4", "elements of a request"),
                                number("inline", "64", "bytes of inline data"),
                                number("sigall", "0", "1: every send completes, signaled or not"))
                        .does(this::create),
                ShellCommand.of("init", "RESET to INIT (ibv_modify_qp): from here on receives can be posted")
                        .about(Kind.QUEUE_PAIR)
                        .takes(
                                letters("access", AccessLetters.ALL, "lwra", "the peer may: " + AccessLetters.HELP),
                                number("qkey", "0x11111111", "datagrams: the Q_Key"),
                                number("pkey", "0", "index of the partition key"))
                        .does(this::init),
                ShellCommand.of("rtr", "INIT to RTR: names the peer; from here on requests are served")
                        .about(Kind.QUEUE_PAIR)
                        .takes(readyToReceiveParameters())
                        .does(this::readyToReceive),
                ShellCommand.of("rts", "RTR to RTS: from here on requests can be posted")
                        .about(Kind.QUEUE_PAIR)
                        .takes(
                                number("psn", "0", "packet sequence number it starts with"),
                                number("timeout", "14", "wait for an ACK: 4.096 us times 2 to this power; 0 for ever"),
                                number("retry", "7", "how often it tries again"),
                                number("rnr_retry", "7", "how often when the peer is not ready; 7 for ever"),
                                number("rd", "4", "READs and atomics under way at a time"))
                        .does(this::readyToSend),
                ShellCommand.of("state", "go to another state")
                        .about(Kind.QUEUE_PAIR)
                        .takes(choice("to", TARGET_STATES, "err", "which"))
                        .does(this::state),
                ShellCommand.of("query", "show state (3 is RTS, 6 is ERR), PSNs, peer and MTU (ibv_query_qp)")
                        .mayBeAbout(Kind.QUEUE_PAIR)
                        .does(this::query),
                ShellCommand.of("destroy", "destroy a queue pair (ibv_destroy_qp)")
                        .mayBeAbout(Kind.QUEUE_PAIR)
                        .does(this::destroy));
    }

    private static List<Parameter> readyToReceiveParameters() {
        List<Parameter> all = new ArrayList<>(List.of(
                number("dqpn", "0", "number of the peer's queue pair"),
                number("psn", "0", "what the peer starts with: its rts psn="),
                choice("mtu", MTUS, "1024", "path MTU; both ends the same"),
                number("rd", "4", "READs and atomics of the peer's to remember"),
                number("rnr", "12", "code of how long a peer waits that finds no receive")));
        all.addAll(Addressing.PARAMETERS);
        return all;
    }

    private Answer create(Arguments arguments) {
        QueuePair made =
                objects.queuePairs.create(arguments.command(), arguments.newName(), () -> createFrom(arguments));
        return Answer.ok(
                "qpn=" + made.number() + " inline=" + made.capabilities().maxInlineData());
    }

    private QueuePair createFrom(Arguments arguments) {
        String send = arguments.text("scq");
        String receive = arguments.has("rcq") ? arguments.text("rcq") : send;
        QueuePairCapabilities sizes = new QueuePairCapabilities(
                count(arguments, "sq"),
                count(arguments, "rq"),
                count(arguments, "sge"),
                count(arguments, "sge"),
                count(arguments, "inline"));
        boolean signalAll = arguments.integer("sigall", 0, 1) == 1;
        QueuePairType type = QueuePairType.valueOf(arguments.choice("type").toUpperCase(Locale.ROOT));
        var shared = arguments.has("srq") ? arguments.object("srq", objects.sharedReceiveQueues) : null;
        CompletionQueue sendQueue = QueueCommands.findOrCreate(objects, arguments.command(), send);
        CompletionQueue receiveQueue = QueueCommands.findOrCreate(objects, arguments.command(), receive);
        return Verbs.call("create_qp", () -> {
            QueuePairConfig config =
                    QueuePairConfig.of(type, sendQueue, receiveQueue).capabilities(sizes);
            config = shared == null ? config : config.sharedReceiveQueue(shared);
            return objects.domain().createQueuePair(signalAll ? config.signalAll() : config);
        });
    }

    private static int count(Arguments arguments, String name) {
        return arguments.integer(name, Integer.MIN_VALUE, Integer.MAX_VALUE);
    }

    private Answer init(Arguments arguments) {
        QueuePair pair = pair(arguments);
        return modify(pair, () -> {
            QueuePairAttributes.Builder to = QueuePairAttributes.builder()
                    .state(QueuePairState.INIT)
                    .port(1)
                    .pkeyIndex(arguments.word("pkey"));
            return pair.type() == QueuePairType.UD
                    ? to.qkey(arguments.word("qkey"))
                    : to.accessFlags(arguments.access("access"));
        });
    }

    private Answer readyToReceive(Arguments arguments) {
        QueuePair pair = pair(arguments);
        return modify(pair, () -> {
            QueuePairAttributes.Builder to = QueuePairAttributes.builder().state(QueuePairState.RTR);
            if (pair.type() == QueuePairType.UD) {
                return to;
            }
            to.addressVector(Addressing.vector(arguments, objects.device(), "rtr: dip or sgid"))
                    .pathMtu(PathMtu.ofBytes(Integer.parseInt(arguments.choice("mtu"))))
                    .destinationQueuePair(arguments.word("dqpn"))
                    .receivePsn(arguments.word("psn"));
            return pair.type() == QueuePairType.UC
                    ? to
                    : to.maxDestinationReadAtomic(arguments.word("rd")).minRnrTimer(arguments.word("rnr"));
        });
    }

    private Answer readyToSend(Arguments arguments) {
        QueuePair pair = pair(arguments);
        return modify(pair, () -> {
            QueuePairAttributes.Builder to =
                    QueuePairAttributes.builder().state(QueuePairState.RTS).sendPsn(arguments.word("psn"));
            return pair.type() != QueuePairType.RC
                    ? to
                    : to.timeout(arguments.word("timeout"))
                            .retryCount(arguments.word("retry"))
                            .rnrRetry(arguments.word("rnr_retry"))
                            .maxReadAtomic(arguments.word("rd"));
        });
    }

    private Answer state(Arguments arguments) {
        QueuePair pair = pair(arguments);
        QueuePairState target = QueuePairState.valueOf(arguments.choice("to").toUpperCase(Locale.ROOT));
        return modify(pair, () -> QueuePairAttributes.builder().state(target));
    }

    private static Answer modify(QueuePair pair, Supplier<QueuePairAttributes.Builder> attributes) {
        Verbs.run("modify_qp", () -> pair.modify(attributes.get().build()));
        return Answer.ok();
    }

    private Answer query(Arguments arguments) {
        QueuePairAttributes now = Verbs.call("query_qp", pairOrNoEntry(arguments, "query_qp")::query);
        return Answer.ok(
                "state=" + now.state().code() + " sq_psn=" + now.sendPsn() + " rq_psn=" + now.receivePsn() + " dqpn="
                        + now.destinationQueuePair() + " mtu=" + now.pathMtu().bytes());
    }

    private Answer destroy(Arguments arguments) {
        QueuePair pair = pairOrNoEntry(arguments, "destroy_qp");
        Verbs.run("destroy_qp", pair::close);
        objects.queuePairs.remove(String.valueOf(arguments.subject()));
        return Answer.ok();
    }

    private QueuePair pair(Arguments arguments) {
        return arguments.existing(objects.queuePairs);
    }

    /** Two verbs answer a name that is not there as the system would. */
    private QueuePair pairOrNoEntry(Arguments arguments, String verb) {
        QueuePair pair = objects.queuePairs.find(arguments.subject());
        if (pair == null) {
            throw new Refusal(verb + ": " + ErrorWords.of(ErrorCode.ENOENT));
        }
        return pair;
    }
}
