package io.rdma4j.testkit.model;

import static io.rdma4j.testkit.model.ReferenceMemory.DENIED;

import io.rdma4j.testkit.model.Prediction.Alternative;
import io.rdma4j.testkit.model.Request.Kind;
import io.rdma4j.verbs.AccessFlag;
import io.rdma4j.verbs.ConnectOptions;
import io.rdma4j.verbs.WorkCompletionOpcode;
import io.rdma4j.verbs.WorkCompletionStatus;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What a lane must come to, by the rules of the specification alone: the requests one after the other, on plain arrays,
 * until one fails (§6.2, §7.2, §8).
 */
final class ReferenceModel {
    private final List<ReferenceMemory> memories;
    private final boolean answersMayBeLost;

    /**
     * A model of two nodes.
     *
     * @param answersMayBeLost whether the network may lose the one answer of a responder that has failed (§8.5(1))
     */
    ReferenceModel(List<ReferenceMemory> memories, boolean answersMayBeLost) {
        this.memories = memories;
        this.answersMayBeLost = answersMayBeLost;
    }

    /** Runs a lane: changes memories and both ends, and says what completes. */
    void run(Lane lane, ReferenceQueuePair requester, ReferenceQueuePair responder, List<Prediction> predictions) {
        ReferenceMemory own = memories.get(lane.from());
        ReferenceMemory peer = memories.get(1 - lane.from());
        responder.receives().addAll(lane.receives());
        List<Expected> received = new ArrayList<>();
        Failure failure = null;
        int done = 0;
        boolean late = false;
        while (failure == null && done < lane.requests().size()) {
            Request request = lane.requests().get(done);
            if (request.kind() == Kind.SEND && responder.receives().isEmpty() && !late) {
                responder.receives().addAll(lane.lateReceives());
                late = true;
            }
            failure = new Execution(own, peer, lane.options(), responder, received).execute(request);
            if (failure == null) {
                done++;
            }
        }
        if (!late) {
            responder.receives().addAll(lane.lateReceives());
        }
        if (failure != null && failure.remote) {
            flush(responder, received);
        }
        predictions.get(1 - lane.from()).exactly(new QueueKey(lane.queuePair(), true), received);
        predictSends(lane, done, failure, predictions.get(lane.from()));
        if (failure != null) {
            List<Expected> flushed = new ArrayList<>();
            flush(requester, flushed);
            predictions.get(lane.from()).exactly(new QueueKey(lane.queuePair(), true), flushed);
        }
    }

    /** An end goes to ERR: its receives complete with a flush error, in order (§8.5(2)). */
    static void flush(ReferenceQueuePair end, List<Expected> completions) {
        end.fail();
        end.receives().forEach(receive -> completions.add(Expected.flush(receive.id())));
        end.receives().clear();
    }

    private void predictSends(Lane lane, int done, @Nullable Failure failure, Prediction prediction) {
        QueueKey queue = new QueueKey(lane.queuePair(), false);
        if (failure == null) {
            prediction.exactly(queue, sends(lane, done, WorkCompletionStatus.SUCCESS));
            return;
        }
        List<Alternative> ways = new ArrayList<>();
        ways.add(new Alternative(sends(lane, done, failure.status), () -> {}));
        if (failure.remote && answersMayBeLost) {
            // The responder is silent from now on: what it had not answered, as far as the requester knows, times out.
            for (int i = done; i >= 0; i--) {
                int first = i;
                ways.add(new Alternative(
                        sends(lane, i, WorkCompletionStatus.RETRY_EXC_ERR), () -> forgetSinks(lane, first, done)));
            }
        }
        prediction.oneOf(queue, ways);
    }

    /** Success up to {@code end}, then the failure, then flushes; without a failure {@code end} is the length. */
    private static List<Expected> sends(Lane lane, int end, WorkCompletionStatus status) {
        List<Expected> completions = new ArrayList<>();
        for (int i = 0; i < lane.requests().size(); i++) {
            Request request = lane.requests().get(i);
            if (i < end && request.flags().signaled()) {
                completions.add(success(request));
            } else if (i == end) {
                completions.add(Expected.error(request.id(), status));
            } else if (i > end) {
                completions.add(Expected.flush(request.id()));
            }
        }
        return completions;
    }

    private static Expected success(Request request) {
        WorkCompletionOpcode opcode = switch (request.kind()) {
            case SEND -> WorkCompletionOpcode.SEND;
            case WRITE -> WorkCompletionOpcode.RDMA_WRITE;
            case READ -> WorkCompletionOpcode.RDMA_READ;
            case FETCH_ADD -> WorkCompletionOpcode.FETCH_ADD;
            case COMPARE_SWAP -> WorkCompletionOpcode.COMP_SWAP;
        };
        long length = request.kind().hasSink() ? request.length() : Expected.ANY_LENGTH;
        return new Expected(request.id(), WorkCompletionStatus.SUCCESS, opcode, length);
    }

    private void forgetSinks(Lane lane, int from, int to) {
        ReferenceMemory own = memories.get(lane.from());
        for (Request request :
                lane.requests().subList(from, Math.min(to + 1, lane.requests().size()))) {
            if (request.kind().hasSink()) {
                own.forget(request.pieces());
            }
        }
    }

    /**
     * Why a request fails.
     *
     * @param status at the requester
     * @param remote whether the responder fails, too
     */
    record Failure(WorkCompletionStatus status, boolean remote) {
        static final Failure LOCAL_PROTECTION = new Failure(WorkCompletionStatus.LOC_PROT_ERR, false);
        static final Failure NO_RECEIVE = new Failure(WorkCompletionStatus.RNR_RETRY_EXC_ERR, false);
        static final Failure INVALID_REQUEST = new Failure(WorkCompletionStatus.REM_INV_REQ_ERR, true);
        static final Failure REMOTE_ACCESS = new Failure(WorkCompletionStatus.REM_ACCESS_ERR, true);
        static final Failure REMOTE_OPERATION = new Failure(WorkCompletionStatus.REM_OP_ERR, true);
    }

    /** One request after the other, on two memories. */
    private record Execution(
            ReferenceMemory own,
            ReferenceMemory peer,
            ConnectOptions options,
            ReferenceQueuePair responder,
            List<Expected> received) {
        @Nullable
        Failure execute(Request request) {
            return switch (request.kind()) {
                case SEND -> send(request);
                case WRITE -> write(request);
                case READ -> read(request);
                case FETCH_ADD, COMPARE_SWAP -> atomic(request);
            };
        }

        /** The bytes of the message, or null where a piece may not be read (§8.2). */
        private byte @Nullable [] gather(Request request) {
            byte[] message = new byte[request.length()];
            int filled = 0;
            for (Piece piece : request.pieces()) {
                if (piece.length() > 0) {
                    int at = own.local(piece.key(), piece.address(), piece.length(), false);
                    if (at == DENIED) {
                        return null;
                    }
                    System.arraycopy(own.read(at, piece.length()), 0, message, filled, piece.length());
                    filled += piece.length();
                }
            }
            return message;
        }

        private @Nullable Failure send(Request request) {
            byte[] message = gather(request);
            if (message == null) {
                return Failure.LOCAL_PROTECTION;
            }
            PostedReceive receive = responder.receives().poll();
            if (receive == null) {
                return Failure.NO_RECEIVE; // §7.2(3)
            }
            int mtu = Objects.requireNonNull(options.pathMtu()).bytes();
            int from = 0;
            do {
                int bytes = Math.min(mtu, message.length - from);
                Failure failure = place(receive, message, from, bytes);
                if (failure != null) {
                    return failure;
                }
                from += bytes;
            } while (from < message.length);
            received.add(new Expected(
                    receive.id(), WorkCompletionStatus.SUCCESS, WorkCompletionOpcode.RECV, message.length));
            return null;
        }

        /** One packet into a receive: first its length, then the pieces it touches (§7.2(6)). */
        private @Nullable Failure place(PostedReceive receive, byte[] message, int from, int bytes) {
            if (from + bytes > receive.capacity()) {
                peer.forget(receive.pieces());
                received.add(Expected.error(receive.id(), WorkCompletionStatus.LOC_LEN_ERR));
                return Failure.INVALID_REQUEST;
            }
            if (!scatter(peer, receive.pieces(), message, from, bytes)) {
                peer.forget(receive.pieces());
                received.add(Expected.error(receive.id(), WorkCompletionStatus.LOC_PROT_ERR));
                return Failure.REMOTE_OPERATION;
            }
            return null;
        }

        /** Puts bytes {@code from} to {@code from + bytes} of a message into the pieces; false where one is denied. */
        private static boolean scatter(
                ReferenceMemory memory, List<Piece> pieces, byte[] message, int from, int bytes) {
            int pieceStart = 0;
            for (Piece piece : pieces) {
                int begin = Math.max(from, pieceStart);
                int end = Math.min(from + bytes, pieceStart + piece.length());
                if (begin < end) {
                    int at = memory.local(piece.key(), piece.address() + (begin - pieceStart), end - begin, true);
                    if (at == DENIED) {
                        return false;
                    }
                    memory.write(at, message, begin, end - begin);
                }
                pieceStart += piece.length();
            }
            return true;
        }

        private @Nullable Failure write(Request request) {
            byte[] message = gather(request);
            if (message == null) {
                return Failure.LOCAL_PROTECTION; // before anything is sent (§8.2)
            }
            if (!allows(AccessFlag.REMOTE_WRITE)) {
                return Failure.INVALID_REQUEST; // §7.2(2)
            }
            if (message.length > 0) { // §7.2(5)
                int at = remote(request, message.length, AccessFlag.REMOTE_WRITE);
                if (at == DENIED) {
                    return Failure.REMOTE_ACCESS;
                }
                peer.write(at, message, 0, message.length);
            }
            return null;
        }

        private @Nullable Failure read(Request request) {
            if (!allows(AccessFlag.REMOTE_READ)) {
                return Failure.INVALID_REQUEST;
            }
            int length = request.length();
            if (length == 0) {
                return null;
            }
            int at = remote(request, length, AccessFlag.REMOTE_READ);
            if (at == DENIED) {
                return Failure.REMOTE_ACCESS; // also where the sink is bad: the peer fails first (§8.2)
            }
            return intoSink(request, peer.read(at, length));
        }

        private @Nullable Failure atomic(Request request) {
            if (!allows(AccessFlag.REMOTE_ATOMIC)) {
                return Failure.INVALID_REQUEST;
            }
            if (request.remote().address() % Long.BYTES != 0) {
                return Failure.INVALID_REQUEST; // §7.2(7), before the key
            }
            int at = remote(request, Long.BYTES, AccessFlag.REMOTE_ATOMIC);
            if (at == DENIED) {
                return Failure.REMOTE_ACCESS;
            }
            long before = peer.word(at);
            long after = before + request.operands().swapOrAdd();
            if (request.kind() == Kind.COMPARE_SWAP) {
                after = before == request.operands().compare()
                        ? request.operands().swapOrAdd()
                        : before;
            }
            peer.write(at, ReferenceMemory.littleEndian(after), 0, Long.BYTES);
            Failure failure = intoSink(request, ReferenceMemory.littleEndian(before));
            if (failure != null) {
                peer.forget(at, Long.BYTES); // §8.2: it may have been executed
            }
            return failure;
        }

        private @Nullable Failure intoSink(Request request, byte[] content) {
            if (scatter(own, request.pieces(), content, 0, content.length)) {
                return null;
            }
            own.forget(request.pieces());
            return Failure.LOCAL_PROTECTION;
        }

        private boolean allows(AccessFlag right) {
            Set<AccessFlag> flags = options.accessFlags();
            return flags.contains(right);
        }

        private int remote(Request request, int length, AccessFlag right) {
            return peer.remote(request.remote().key(), request.remote().address(), length, right);
        }
    }
}
