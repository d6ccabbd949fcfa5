package io.rdma4j.core.transport;

import io.rdma4j.core.wire.Aeth;
import io.rdma4j.core.wire.AtomicAckEth;
import io.rdma4j.core.wire.AtomicEth;
import io.rdma4j.core.wire.Bth;
import io.rdma4j.core.wire.Deth;
import io.rdma4j.core.wire.Ieth;
import io.rdma4j.core.wire.ImmediateData;
import io.rdma4j.core.wire.Opcode;
import io.rdma4j.core.wire.Reth;
import java.nio.ByteBuffer;

/** Writes one packet from the BTH to the pad into claimed room. Reused; owner thread only. */
public final class PacketWriter {
    private static final ByteBuffer NOTHING = ByteBuffer.allocateDirect(Bth.LENGTH);

    private final Bth bth = new Bth();
    private final Deth deth = new Deth();
    private final Reth reth = new Reth();
    private final Aeth aeth = new Aeth();
    private final AtomicEth atomicEth = new AtomicEth();
    private final ImmediateData immediateData = new ImmediateData();
    private final Ieth ieth = new Ieth();
    private final AtomicAckEth atomicAckEth = new AtomicAckEth();
    private ByteBuffer buffer = NOTHING;
    private int start;
    private Opcode opcode = Opcode.RC_ACKNOWLEDGE;

    /** Bytes to claim for a packet with that much payload: headers, payload, and pad to a multiple of 4 (§1). */
    public int frameLength(Opcode packetOpcode, int payloadBytes) {
        return packetOpcode.headerLength() + payloadBytes + pad(payloadBytes);
    }

    private static int pad(int payloadBytes) {
        return -payloadBytes & 3;
    }

    public void begin(ByteBuffer target, int offset, Opcode packetOpcode, int destinationQp, int psn) {
        buffer = target;
        start = offset;
        opcode = packetOpcode;
        // MigReq is 1 in the normal, migrated state: hardware expects it.
        bth.wrap(target, offset).init(packetOpcode, destinationQp, psn).migrated(true);
    }

    public void flags(boolean ackRequest, boolean solicited) {
        bth.ackRequest(ackRequest).solicited(solicited);
    }

    public void deth(int qkey, int sourceQp) {
        deth.wrap(buffer, start + opcode.dethOffset()).reserved(0).qkey(qkey).sourceQp(sourceQp);
    }

    public void reth(long address, int key, long length) {
        reth.wrap(buffer, start + opcode.rethOffset()).address(address).key(key).length(length);
    }

    public void atomic(long address, int key, long swapOrAdd, long compare) {
        atomicEth
                .wrap(buffer, start + opcode.atomicEthOffset())
                .address(address)
                .key(key)
                .swapOrAdd(swapOrAdd)
                .compare(compare);
    }

    /** Immediate data, from host to network order (§3). */
    public void immediate(int data) {
        immediateData.wrap(buffer, start + opcode.immediateOffset()).value(data);
    }

    public void invalidate(int key) {
        ieth.wrap(buffer, start + opcode.invalidateOffset()).key(key);
    }

    public void aeth(int syndrome, int msn) {
        aeth.wrap(buffer, start + opcode.aethOffset()).set(syndrome, msn);
    }

    public void atomicAck(long original) {
        atomicAckEth.wrap(buffer, start + opcode.atomicAckEthOffset()).original(original);
    }

    public int payloadOffset() {
        return start + opcode.headerLength();
    }

    /** The payload is in place: sets and zeroes the pad. */
    public void end(int payloadBytes) {
        int pad = pad(payloadBytes);
        bth.padCount(pad);
        int at = payloadOffset() + payloadBytes;
        for (int i = 0; i < pad; i++) {
            buffer.put(at + i, (byte) 0);
        }
    }
}
