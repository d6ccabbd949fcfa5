package io.rdma4j.tools.vsh.shell;

import static io.rdma4j.tools.vsh.shell.Parameter.choice;
import static io.rdma4j.tools.vsh.shell.Parameter.letters;
import static io.rdma4j.tools.vsh.shell.Parameter.number;
import static io.rdma4j.tools.vsh.shell.Parameter.object;

import io.rdma4j.verbs.PostException;
import io.rdma4j.verbs.QueuePair;
import io.rdma4j.verbs.QueuePairType;
import io.rdma4j.verbs.RdmaException;
import io.rdma4j.verbs.ReceiveRequest;
import io.rdma4j.verbs.ScatterGatherElement;
import io.rdma4j.verbs.SendRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** Posting work requests. */
final class PostCommands {
    private final ShellObjects objects;

    PostCommands(ShellObjects objects) {
        this.objects = objects;
    }

    List<ShellCommand> commands() {
        return List.of(
                ShellCommand.of("send", "post requests of any kind (ibv_post_send)")
                        .about(Kind.QUEUE_PAIR)
                        .takes(sendParameters())
                        .does(this::send),
                ShellCommand.of("recv", "post receives (ibv_post_recv)")
                        .about(Kind.QUEUE_PAIR)
                        .takes(receiveParameters())
                        .does(arguments -> receive(arguments, arguments.existing(objects.queuePairs)::postReceive)),
                ShellCommand.of("srecv", "post receives to a shared receive queue (ibv_post_srq_recv)")
                        .about(Kind.SHARED_RECEIVE_QUEUE)
                        .takes(receiveParameters())
                        .does(arguments ->
                                receive(arguments, arguments.existing(objects.sharedReceiveQueues)::postReceive)));
    }

    private static List<Parameter> sendParameters() {
        List<Parameter> all = new ArrayList<>(List.of(
                choice("op", SendOperation.WORDS, "send", "what to do"),
                number("wrid", "0", "comes back in the completion; of the first, the next ones count up"),
                number("n", "1", "how many, as one list"),
                letters("fl", List.of("s", "f", "i", "e"), "s", "s signaled, f fence, i inline, e solicited event"),
                number("imm", "0", "immediate data"),
                number("raddr", "0", "address in the peer's memory"),
                number("rkey", "0", "key of the peer's memory"),
                number("cmp", "0", "cas: what must be there"),
                number("swap", "0", "cas: what to put there then"),
                number("add", "0", "fadd: what to add"),
                number("inv", "0", "send_inv, linv: the key to invalidate"),
                object(Kind.ADDRESS_HANDLE, "ah", "", "datagrams: where to"),
                number("dqpn", "0", "datagrams: to which queue pair"),
                number("qkey", "0", "datagrams: its Q_Key"),
                object(Kind.WINDOW, "mw", "", "bind: the window"),
                number("newkey", "", "bind: its new key; the next one without it"),
                letters("access", AccessLetters.ALL, "wr", "bind: what peers may do through the window")));
        all.addAll(Elements.parameters());
        return all;
    }

    private static List<Parameter> receiveParameters() {
        List<Parameter> all = new ArrayList<>(List.of(
                number("wrid", "0", "comes back in the completion; of the first, the next ones count up"),
                number("n", "1", "how many"),
                number("stride", "0", "how far the first element moves from one to the next, in bytes")));
        all.addAll(Elements.parameters());
        return all;
    }

    private Answer send(Arguments arguments) {
        QueuePair pair = arguments.existing(objects.queuePairs);
        int count = arguments.integer("n", 1, ShellLimits.MAX_SENDS);
        long firstId = arguments.number("wrid");
        SendRequests requests = new SendRequests(arguments, objects, pair.type() == QueuePairType.UD);
        post(pair, requests, firstId, count);
        if (requests.operation() == SendOperation.BIND) {
            return WindowCommands.key(arguments.object("mw", objects.windows).remoteKey());
        }
        return Answer.ok("posted=" + count);
    }

    private static void post(QueuePair pair, SendRequests requests, long firstId, int count) {
        try {
            List<SendRequest> list = new ArrayList<>(count);
            for (int i = 0; i < count; i++) {
                list.add(requests.of(firstId + i));
            }
            pair.postSend(list);
        } catch (PostException e) {
            throw Refusal.of("post_send", e, " (bad " + e.index() + ")");
        } catch (RdmaException e) {
            throw Refusal.of("post_send", e, " (bad 0)"); // it cannot even be made
        }
    }

    private Answer receive(Arguments arguments, Consumer<ReceiveRequest> post) {
        int count = arguments.integer("n", 0, ShellLimits.MAX_RECEIVES);
        long id = arguments.number("wrid");
        long stride = arguments.number("stride");
        ScatterGatherElement[] elements = Elements.registered(arguments, objects);
        for (int i = 0; i < count; i++) {
            try {
                post.accept(ReceiveRequest.of(id + i, elements));
            } catch (RdmaException e) {
                throw Refusal.of("post_recv", e, " at " + i);
            }
            if (elements.length > 0) {
                ScatterGatherElement first = elements[0];
                elements[0] = new ScatterGatherElement(first.address() + stride, first.length(), first.localKey());
            }
        }
        return Answer.ok("posted=" + count);
    }
}
