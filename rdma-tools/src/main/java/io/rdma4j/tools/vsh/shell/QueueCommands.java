package io.rdma4j.tools.vsh.shell;

import static io.rdma4j.tools.vsh.shell.Parameter.number;

import io.rdma4j.verbs.CompletionQueue;
import io.rdma4j.verbs.ErrorCode;
import io.rdma4j.verbs.RdmaException;
import io.rdma4j.verbs.SharedReceiveQueue;
import io.rdma4j.verbs.SharedReceiveQueueAttributes;
import io.rdma4j.verbs.WorkCompletion;
import java.util.ArrayList;
import java.util.List;

/** Completion queues and shared receive queues. */
final class QueueCommands {
    /** What queue pairs complete to, and what is polled, when nothing else is said. */
    static final String USUAL = "cq";

    /** Entries of a completion queue that is made because a queue pair names it. */
    private static final int USUAL_CAPACITY = 256;

    private final ShellObjects objects;
    private final Waiter waiter;

    QueueCommands(ShellObjects objects, Waiter waiter) {
        this.objects = objects;
        this.waiter = waiter;
    }

    List<ShellCommand> commands() {
        return List.of(
                ShellCommand.of("cq", "create a completion queue (ibv_create_cq)")
                        .creates(Kind.COMPLETION_QUEUE)
                        .takes(number("n", String.valueOf(USUAL_CAPACITY), "entries"))
                        .does(this::completionQueue),
                ShellCommand.of("poll", "wait for completions and take them (ibv_poll_cq)")
                        .mayBeAbout(Kind.COMPLETION_QUEUE)
                        .takes(
                                number("n", "1", "how many to wait for"),
                                number("ms", "2000", "how long to wait at most, in milliseconds"))
                        .does(this::poll),
                ShellCommand.of("srq", "create a shared receive queue (ibv_create_srq)")
                        .creates(Kind.SHARED_RECEIVE_QUEUE)
                        .takes(number("wr", "64", "receives it holds"), number("sge", "4", "elements of each"))
                        .does(this::sharedReceiveQueue),
                ShellCommand.of("srqlimit", "ask for an event when few receives are left (ibv_modify_srq)")
                        .mayBeAbout(Kind.SHARED_RECEIVE_QUEUE)
                        .takes(number("limit", "0", "fewer than so many"))
                        .does(this::limit));
    }

    /** The completion queue of that name; there is one after this. */
    static CompletionQueue findOrCreate(ShellObjects objects, String command, String name) {
        CompletionQueue found = objects.completionQueues.find(name);
        return found != null ? found : create(objects, command, name, USUAL_CAPACITY);
    }

    private static CompletionQueue create(ShellObjects objects, String command, String name, int capacity) {
        return objects.completionQueues.create(
                command,
                name,
                () -> Verbs.call("create_cq", () -> objects.device().createCompletionQueue(capacity)));
    }

    private Answer completionQueue(Arguments arguments) {
        int capacity = arguments.integer("n", Integer.MIN_VALUE, Integer.MAX_VALUE);
        CompletionQueue queue = create(objects, arguments.command(), arguments.newName(), capacity);
        return Answer.ok("cqe=" + queue.capacity());
    }

    private Answer poll(Arguments arguments) {
        CompletionQueue queue =
                objects.completionQueues.find(arguments.subject() == null ? USUAL : arguments.subject());
        if (queue == null) {
            throw new Refusal("poll: no such cq" + (arguments.subject() == null ? "" : ": " + arguments.subject()));
        }
        int wanted = arguments.integer("n", 1, ShellLimits.MAX_COMPLETIONS);
        Taken taken = new Taken(queue, wanted);
        waiter.await(taken::take, arguments.integer("ms", 0, ShellLimits.MAX_WAIT_MILLIS));
        return taken.answer();
    }

    private Answer sharedReceiveQueue(Arguments arguments) {
        SharedReceiveQueueAttributes attributes = SharedReceiveQueueAttributes.of(
                arguments.integer("wr", Integer.MIN_VALUE, Integer.MAX_VALUE),
                arguments.integer("sge", Integer.MIN_VALUE, Integer.MAX_VALUE));
        objects.sharedReceiveQueues.create(
                arguments.command(),
                arguments.newName(),
                () -> Verbs.call("create_srq", () -> objects.domain().createSharedReceiveQueue(attributes)));
        return Answer.ok();
    }

    private Answer limit(Arguments arguments) {
        SharedReceiveQueue queue = objects.sharedReceiveQueues.find(arguments.subject());
        if (queue == null) {
            throw new Refusal("modify_srq: " + ErrorWords.of(ErrorCode.ENOENT));
        }
        int limit = arguments.integer("limit", Integer.MIN_VALUE, Integer.MAX_VALUE);
        Verbs.run("modify_srq", () -> queue.armLimit(limit));
        return Answer.ok();
    }

    /** The completions that one poll has taken so far. */
    private static final class Taken {
        private final CompletionQueue queue;
        private final int wanted;
        private final WorkCompletion[] one = WorkCompletion.array(1);
        private final List<String> texts = new ArrayList<>();
        private final List<String> causes = new ArrayList<>();

        Taken(CompletionQueue queue, int wanted) {
            this.queue = queue;
            this.wanted = wanted;
        }

        /** Takes what is there, up to what is wanted, and says whether that is all. */
        boolean take() {
            while (texts.size() < wanted) {
                try {
                    if (queue.poll(one) == 0) {
                        return false;
                    }
                } catch (RdmaException e) {
                    if (texts.isEmpty()) {
                        throw Refusal.of("poll_cq", e);
                    }
                    return true; // what was taken is told first; the next poll says what is wrong
                }
                texts.add(CompletionText.of(one[0]));
                if (!one[0].isSuccess()) {
                    causes.add("wrid " + one[0].workRequestId() + ": " + one[0].cause());
                }
            }
            return true;
        }

        Answer answer() {
            StringBuilder text = new StringBuilder("n=").append(texts.size());
            texts.forEach(completion -> text.append(' ').append(completion));
            return Answer.ok(text.toString()).explained(causes);
        }
    }
}
