package io.rdma4j.testkit.sweep;

import io.rdma4j.testkit.sweep.Operation.AddMessage;
import io.rdma4j.testkit.sweep.Operation.Flags;
import io.rdma4j.testkit.sweep.Operation.Notice;
import io.rdma4j.testkit.sweep.Operation.ReadMessage;
import io.rdma4j.testkit.sweep.Operation.SendMessage;
import io.rdma4j.testkit.sweep.Operation.SwapMessage;
import io.rdma4j.testkit.sweep.Operation.WriteMessage;
import io.rdma4j.verbs.CompareAndSwap;
import io.rdma4j.verbs.FetchAndAdd;
import io.rdma4j.verbs.RdmaRead;
import io.rdma4j.verbs.RdmaWrite;
import io.rdma4j.verbs.RdmaWriteWithImmediate;
import io.rdma4j.verbs.ScatterGatherElement;
import io.rdma4j.verbs.Send;
import io.rdma4j.verbs.SendRequest;
import io.rdma4j.verbs.SendWithImmediate;
import io.rdma4j.verbs.SendWithInvalidate;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;

/** Turns the operations of a lane into work requests. */
final class Requests {
    private final int queuePair;
    private final NodeMemory own;
    private final NodeMemory remote;

    /** The bytes of the inline requests made since {@link #spoilInline}. */
    private final List<ByteBuffer> inline = new ArrayList<>();

    Requests(int queuePair, NodeMemory own, NodeMemory remote) {
        this.queuePair = queuePair;
        this.own = own;
        this.remote = remote;
    }

    SendRequest of(long id, Operation operation) {
        ScatterGatherElement[] local = own.elements(operation.local()).toArray(ScatterGatherElement[]::new);
        Flags flags = operation.flags();
        if (operation instanceof SendMessage send) {
            return send(id, send, local);
        } else if (operation instanceof WriteMessage write) {
            return write(id, write, local);
        } else if (operation instanceof ReadMessage read) {
            RdmaRead request = RdmaRead.of(id, local).from(address(read.source().offset()), remote.remoteKey());
            return flagged(request, flags, RdmaRead::signaled, RdmaRead::fenced);
        } else if (operation instanceof AddMessage add) {
            FetchAndAdd request = FetchAndAdd.of(id, local[0], add.add())
                    .at(address(add.word().offset()), remote.remoteKey());
            return flagged(request, flags, FetchAndAdd::signaled, FetchAndAdd::fenced);
        }
        SwapMessage swap = (SwapMessage) operation;
        CompareAndSwap request = CompareAndSwap.of(id, local[0], swap.compare(), swap.swap())
                .at(address(swap.word().offset()), remote.remoteKey());
        return flagged(request, flags, CompareAndSwap::signaled, CompareAndSwap::fenced);
    }

    private SendRequest send(long id, SendMessage send, ScatterGatherElement[] local) {
        Notice notice = send.notice();
        return switch (notice.kind()) {
            case NONE -> {
                Send request = notice.inline() ? Send.inline(id, bytes(send)) : Send.of(id, local);
                request = notice.solicited() ? request.solicited() : request;
                yield flagged(request, send.flags(), Send::signaled, Send::fenced);
            }
            case IMMEDIATE -> {
                SendWithImmediate request = notice.inline()
                        ? SendWithImmediate.inline(id, notice.value(), bytes(send))
                        : SendWithImmediate.of(id, notice.value(), local);
                request = notice.solicited() ? request.solicited() : request;
                yield flagged(request, send.flags(), SendWithImmediate::signaled, SendWithImmediate::fenced);
            }
            case INVALIDATE -> {
                int key = remote.invalidatableKey(queuePair, notice.value());
                SendWithInvalidate request = notice.inline()
                        ? SendWithInvalidate.inline(id, key, bytes(send))
                        : SendWithInvalidate.of(id, key, local);
                request = notice.solicited() ? request.solicited() : request;
                yield flagged(request, send.flags(), SendWithInvalidate::signaled, SendWithInvalidate::fenced);
            }
        };
    }

    private SendRequest write(long id, WriteMessage write, ScatterGatherElement[] local) {
        Notice notice = write.notice();
        long target = address(write.target().offset());
        if (notice.kind() == Notice.Kind.IMMEDIATE) {
            RdmaWriteWithImmediate request = (notice.inline()
                            ? RdmaWriteWithImmediate.inline(id, notice.value(), bytes(write))
                            : RdmaWriteWithImmediate.of(id, notice.value(), local))
                    .to(target, remote.remoteKey());
            request = notice.solicited() ? request.solicited() : request;
            return flagged(request, write.flags(), RdmaWriteWithImmediate::signaled, RdmaWriteWithImmediate::fenced);
        }
        RdmaWrite request = (notice.inline() ? RdmaWrite.inline(id, bytes(write)) : RdmaWrite.of(id, local))
                .to(target, remote.remoteKey());
        return flagged(request, write.flags(), RdmaWrite::signaled, RdmaWrite::fenced);
    }

    private static <T extends SendRequest> T flagged(
            T request, Flags flags, UnaryOperator<T> signaled, UnaryOperator<T> fenced) {
        T result = flags.signaled() ? signaled.apply(request) : request;
        return flags.fenced() ? fenced.apply(result) : result;
    }

    /** A copy of a message, one buffer for each piece. */
    private ByteBuffer[] bytes(Operation operation) {
        ByteBuffer[] pieces = operation.local().stream()
                .map(piece -> ByteBuffer.wrap(own.copy(piece)))
                .toArray(ByteBuffer[]::new);
        inline.addAll(List.of(pieces));
        return pieces;
    }

    /** The requests so far are posted: whoever looks at the program's bytes from now on sees others (§6.1(9)). */
    void spoilInline() {
        for (ByteBuffer piece : inline) {
            for (int i = 0; i < piece.capacity(); i++) {
                piece.put(i, (byte) ~piece.get(i));
            }
        }
        inline.clear();
    }

    private long address(int offset) {
        return remote.remoteAddress(offset);
    }
}
