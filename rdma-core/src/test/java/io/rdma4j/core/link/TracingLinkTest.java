package io.rdma4j.core.link;

import static org.assertj.core.api.Assertions.assertThat;

import io.rdma4j.core.wire.Bth;
import io.rdma4j.core.wire.Icrc;
import io.rdma4j.core.wire.Opcode;
import io.rdma4j.verbs.Gid;
import java.io.IOException;
import java.io.StringWriter;
import java.io.Writer;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class TracingLinkTest {
    private static final long TIME = 1_700_000_000_123_456_789L;
    private static final int LENGTH = Bth.LENGTH + 8;

    private final Gid here = Gid.parse("192.0.2.1");
    private final Gid there = Gid.parse("192.0.2.2");
    private final SealingLink bottom = new SealingLink();
    private final List<Integer> passedOn = new ArrayList<>();
    private final StringWriter text = new StringWriter();
    private final TracingLink link = tracing(text);
    private final ByteBuffer received = ByteBuffer.allocateDirect(64);
    private final Arrival arrival = new Arrival();

    private TracingLink tracing(Writer sink) {
        return new TracingLink(bottom, (buffer, offset, length, from, nowNs) -> passedOn.add(length), sink, () -> TIME);
    }

    private void send(TracingLink to) {
        assertThat(to.claim(Path.between(here, there), LENGTH)).isTrue();
        to.buffer().put(to.offset(), new byte[LENGTH]);
        new Bth().wrap(to.buffer(), to.offset()).init(Opcode.RC_SEND_ONLY, 17, 100);
        to.commit();
    }

    private void prepareArrival() {
        new Bth().wrap(received, 0).init(Opcode.RC_SEND_ONLY, 18, 200).migrated(true);
        int value = new Icrc().compute(SealingLink.addresses(there, here), 0xBEEF, received, 0, LENGTH);
        Icrc.write(received, LENGTH, value);
        arrival.local(here.high(), here.low(), 4791);
        arrival.sender(there.high(), there.low(), 4791);
    }

    private void receive(int length) {
        link.onDatagram(received, 0, length, arrival, 0);
    }

    @Test
    void eachFrameIsALineWithTimeDirectionHeadersAndVerdict() {
        send(link);
        prepareArrival();
        receive(LENGTH + 4);
        received.put(13, (byte) 1);
        receive(LENGTH + 4);

        List<String> lines = text.toString().lines().toList();
        assertThat(lines.get(0))
                .startsWith("22:13:20.123456 sent       192.0.2.1:4791>192.0.2.2 id=0 ")
                .contains(" RC_SEND_ONLY qpn=17 psn=100 ")
                .contains(" payload=8 ")
                .endsWith(" ok");
        assertThat(lines.get(1))
                .startsWith("22:13:20.123456 received   192.0.2.2:4791>192.0.2.1 id=48879 ")
                .contains(" RC_SEND_ONLY qpn=18 psn=200 ")
                .endsWith(" ok");
        assertThat(lines.get(2)).contains("received").contains("icrc=").contains("BAD");
        assertThat(lines).hasSize(3);
        assertThat(passedOn).containsExactly(LENGTH + 4, LENGTH + 4);
    }

    @Test
    void whatAFaultyLinkBelowDidHasALine() {
        prepareArrival();

        link.onFault(Fault.LOST, received, 0, LENGTH + 4, arrival);

        assertThat(text.toString()).startsWith("22:13:20.123456 lost       192.0.2.2:4791>192.0.2.1 ");
        assertThat(passedOn).isEmpty();
    }

    @Test
    void whatIsTooShortForAFrameIsSaidToBe() {
        receive(5);

        assertThat(text.toString()).endsWith(" received   5 bytes, too short for a frame\n");
        assertThat(passedOn).containsExactly(5);
    }

    @Test
    void aTraceThatCannotBeWrittenEndsAndTheTrafficGoesOn() {
        int[] tries = {0};
        TracingLink broken = tracing(new Writer() {
            @Override
            public void write(char[] buffer, int offset, int length) throws IOException {
                tries[0]++;
                throw new IOException("No space left on device");
            }

            @Override
            public void flush() {}

            @Override
            public void close() {}
        });

        send(broken);
        send(broken);

        assertThat(tries[0]).isEqualTo(1);
        assertThat(bottom.identification).isEqualTo(1);
    }
}
