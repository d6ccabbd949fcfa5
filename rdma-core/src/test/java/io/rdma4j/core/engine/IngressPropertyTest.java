package io.rdma4j.core.engine;

import io.rdma4j.core.tape.PacketText;
import io.rdma4j.core.tape.Tape;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

/** As {@link IngressFuzzTest}, with packets that begin legal and are then mutated, so that most get deep into the engine. */
class IngressPropertyTest {
    private static final int PACKETS_PER_TRY = 30;

    private static final List<String> SHAPES = List.of(
            "SEND_ONLY psn=%d len=%d A SE",
            "SEND_FIRST psn=%d len=256",
            "SEND_MIDDLE psn=%d len=256 A",
            "SEND_LAST psn=%d len=%d A",
            "WRITE_ONLY psn=%d va=0x40010 key=k dma=%d len=%2$d A",
            "WRITE_FIRST psn=%d va=0x40010 key=k dma=%d len=256",
            "WRITE_MIDDLE psn=%d len=256",
            "WRITE_LAST psn=%d len=%d A",
            "READ_REQUEST psn=%d va=0x40000 key=k dma=%d A",
            "FETCH_ADD psn=%d va=0x40008 key=k add=%d A",
            "COMPARE_SWAP psn=%d va=0x40ff8 key=k swap=%d A",
            "SEND_ONLY_WITH_IMMEDIATE psn=%d len=%d A",
            "ACK psn=%d",
            "ACK psn=%d syn=%d",
            "READ_RESPONSE_FIRST psn=%d len=256",
            "READ_RESPONSE_MIDDLE psn=%d len=256",
            "READ_RESPONSE_LAST psn=%d len=%d",
            "READ_RESPONSE_ONLY psn=%d len=%d",
            "ATOMIC_ACK psn=%d orig=%d");

    @Property(tries = 150)
    void survivesMutatedPackets(@ForAll long seed) {
        Random random = new Random(seed);
        try (IngressFixture fixture = new IngressFixture()) {
            ByteBuffer packet = ByteBuffer.allocate(1024);
            for (int i = 0; i < PACKETS_PER_TRY; i++) {
                String shape = SHAPES.get(random.nextInt(SHAPES.size()));
                boolean response = shape.startsWith("A") || shape.startsWith("READ_RESPONSE");
                int psn = (response ? Tape.FIRST_PSN : fixture.expectedPsn()) + random.nextInt(8) * random.nextInt(2);
                String line = String.format(shape, psn, random.nextInt(300));
                int length = PacketText.write(line, fixture.tape.qp.number(), Map.of("k", fixture.key()), packet);
                byte[] bytes = Arrays.copyOf(packet.array(), length + random.nextInt(2) * random.nextInt(9));
                for (int flips = random.nextInt(4) - 1; flips > 0; flips--) {
                    bytes[random.nextInt(bytes.length)] ^= (byte) (1 << random.nextInt(8));
                }
                fixture.feed(bytes, random.nextInt(20) != 0, random.nextInt(10) != 0);
            }
        }
    }
}
