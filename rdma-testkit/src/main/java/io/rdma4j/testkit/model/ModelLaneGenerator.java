package io.rdma4j.testkit.model;

import io.rdma4j.testkit.model.Request.Flags;
import io.rdma4j.testkit.model.Request.Kind;
import io.rdma4j.testkit.model.Request.Operands;
import io.rdma4j.testkit.model.Request.Remote;
import io.rdma4j.verbs.AccessFlag;
import io.rdma4j.verbs.ConnectOptions;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;

/** Makes the requests and receives of a lane; about every second lane has a mistake in it. */
final class ModelLaneGenerator {
    private static final int MAX_REQUESTS = 10;
    private static final int MAX_PIECES = 3;
    private static final int FOREVER = 7;

    private final SplittableRandom random;
    private final Layout layout;
    private final Addressing own;
    private final Addressing peer;
    private final ReferenceMemory peerMemory;
    private final ConnectOptions options;
    private final int mtu;
    private final int queuePair;
    private int serial;
    private boolean fenceNext;

    ModelLaneGenerator(
            SplittableRandom random,
            int queuePair,
            ReferenceMemory ownMemory,
            ReferenceMemory peerMemory,
            ConnectOptions options,
            int serial) {
        this.random = random;
        this.queuePair = queuePair;
        this.layout = Layout.draw(queuePair, random);
        this.own = new Addressing(ownMemory, random);
        this.peer = new Addressing(peerMemory, random);
        this.peerMemory = peerMemory;
        this.options = options;
        this.mtu = Objects.requireNonNull(options.pathMtu()).bytes();
        this.serial = serial;
    }

    /** The next number for a work request ID; none is used twice in a program. */
    int serial() {
        return serial;
    }

    /** A lane whose responder has {@code pending} receives left from before. */
    Lane lane(int from, int pending) {
        int count = random.nextInt(1, MAX_REQUESTS + 1);
        List<Request> requests = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            requests.add(request(i == count - 1));
        }
        List<Request> sends =
                requests.stream().filter(request -> request.kind() == Kind.SEND).toList();
        List<PostedReceive> early = new ArrayList<>();
        List<PostedReceive> late = new ArrayList<>();
        boolean delayed = options.rnrRetry() == FOREVER && random.nextInt(3) == 0;
        boolean missing = options.rnrRetry() != FOREVER && random.nextInt(3) == 0;
        for (int i = pending; i < sends.size() && !(missing && random.nextInt(3) == 0); i++) {
            ((delayed && random.nextBoolean()) || !late.isEmpty() ? late : early)
                    .add(receive(sends.get(i).length()));
        }
        int extra = late.isEmpty() && pending < MAX_PIECES ? random.nextInt(3) : 0;
        for (int i = 0; i < extra; i++) {
            early.add(receive(random.nextInt(Layout.MAX_MESSAGE)));
        }
        return new Lane(queuePair, from, options, early, late, requests);
    }

    /** A receive, mostly with room for any message. */
    PostedReceive receive(int message) {
        int room = switch (random.nextInt(8)) {
            case 0 -> message;
            case 1 -> random.nextInt(Layout.MAX_MESSAGE);
            default -> Layout.MAX_MESSAGE;
        };
        List<Piece> pieces = pieces(peer, layout.receives(), room, true);
        if (!pieces.isEmpty() && random.nextInt(24) == 0) {
            int spoiled = random.nextInt(pieces.size());
            int length = pieces.get(spoiled).length();
            pieces.set(
                    spoiled,
                    length == 0 ? pieces.get(spoiled) : peer.wrongPiece(layout.receives(), length, true, true));
        }
        return new PostedReceive(new QueueKey(queuePair, true).id(serial++), List.copyOf(pieces));
    }

    Request request(boolean last) {
        Kind kind = Kind.values()[random.nextInt(Kind.values().length)];
        int length = kind.isAtomic() ? Long.BYTES : length();
        boolean fenced = fenceNext || random.nextInt(8) == 0;
        fenceNext = false;
        Flags flags = new Flags(last || random.nextInt(3) != 0, fenced);
        boolean wrongRemote = kind != Kind.SEND && random.nextInt(16) == 0;
        List<Piece> pieces;
        if (kind.hasSink()) {
            pieces = kind.isAtomic()
                    ? new ArrayList<>(List.of(own.piece(layout.sinks().place(length, random), length, true)))
                    : pieces(own, layout.sinks(), length, true);
            spoilSink(pieces);
        } else {
            pieces = pieces(own, layout.sources(), length, false);
            spoilSource(pieces, length, wrongRemote);
        }
        Remote remote = kind == Kind.SEND ? Remote.NONE : remote(kind, length, wrongRemote);
        return new Request(
                new QueueKey(queuePair, false).id(serial++),
                kind,
                flags,
                List.copyOf(pieces),
                remote,
                operands(kind, remote));
    }

    /** Whether what comes after may still run when a sink is denied is open, so it waits for the end of it (§6.1(5)). */
    private void spoilSink(List<Piece> pieces) {
        if (!pieces.isEmpty() && random.nextInt(24) == 0) {
            int spoiled = random.nextInt(pieces.size());
            int length = pieces.get(spoiled).length();
            if (length > 0) {
                pieces.set(spoiled, own.wrongPiece(layout.sinks(), length, true, true));
                fenceNext = true;
            }
        }
    }

    /** A source is denied in its first packet or not at all: what a half sent message does to the peer is open. */
    private void spoilSource(List<Piece> pieces, int message, boolean wrongRemote) {
        boolean onePacket = message <= mtu;
        if (!pieces.isEmpty() && (!wrongRemote || onePacket) && random.nextInt(24) == 0) {
            int length = pieces.get(0).length();
            if (length > 0) {
                pieces.set(0, own.wrongPiece(layout.sources(), length, false, onePacket));
            }
        }
    }

    private Remote remote(Kind kind, int length, boolean wrong) {
        AccessFlag right = switch (kind) {
            case WRITE -> AccessFlag.REMOTE_WRITE;
            case READ -> AccessFlag.REMOTE_READ;
            default -> AccessFlag.REMOTE_ATOMIC;
        };
        int offset = switch (kind) {
            case WRITE -> layout.targets().place(length, random);
            case READ -> layout.readable().place(length, random);
            default -> layout.words().from() + Long.BYTES * random.nextInt(Long.BYTES);
        };
        if (wrong && kind.isAtomic() && random.nextInt(3) == 0) {
            Remote aligned = peer.remote(offset, length, right);
            return new Remote(aligned.address() + random.nextInt(1, Long.BYTES), aligned.key());
        }
        return wrong ? peer.wrongRemote(offset, length, right) : peer.remote(offset, length, right);
    }

    /** A swap hits about every second time. */
    private Operands operands(Kind kind, Remote remote) {
        if (!kind.isAtomic()) {
            return Operands.NONE;
        }
        int at = peerMemory.remote(remote.key(), remote.address(), Long.BYTES, AccessFlag.REMOTE_ATOMIC);
        long there = at == ReferenceMemory.DENIED ? 0 : peerMemory.word(at);
        long compare = kind == Kind.FETCH_ADD ? 0 : random.nextBoolean() ? there : random.nextLong();
        return new Operands(random.nextLong(), compare);
    }

    private List<Piece> pieces(Addressing addressing, Layout.Zone zone, int length, boolean write) {
        int count = random.nextInt(length == 0 ? 0 : 1, MAX_PIECES + 1);
        List<Piece> pieces = new ArrayList<>();
        int left = length;
        for (int i = 1; i <= count; i++) {
            int bytes = i == count ? left : random.nextInt(left + 1);
            pieces.add(addressing.piece(zone.place(bytes, random), bytes, write));
            left -= bytes;
        }
        return pieces;
    }

    /** Mostly around the edges of packets. */
    private int length() {
        int length = switch (random.nextInt(9)) {
            case 0 -> 0;
            case 1 -> 1;
            case 2 -> mtu - 1;
            case 3 -> mtu;
            case 4 -> mtu + 1;
            case 5 -> 3 * mtu;
            default -> random.nextInt(1, 4 * mtu);
        };
        return Math.min(length, Layout.MAX_MESSAGE);
    }
}
