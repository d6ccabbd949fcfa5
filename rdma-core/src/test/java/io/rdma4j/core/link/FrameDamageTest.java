package io.rdma4j.core.link;

import static org.assertj.core.api.Assertions.assertThat;

import io.rdma4j.core.wire.Icrc;
import io.rdma4j.core.wire.PacketAddresses;
import io.rdma4j.core.wire.RocePacket;
import io.rdma4j.verbs.Gid;
import java.nio.ByteBuffer;
import java.util.SplittableRandom;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FrameDamageTest {
    private static final int OFFSET = 24;

    @ParameterizedTest
    @CsvSource({"192.0.2.2, 192.0.2.3", "fd00::a, fd00::b"})
    void allDamageShowsInTheIcrcOrTheLength(String from, String to) {
        SplittableRandom random = new SplittableRandom(7);
        Icrc icrc = new Icrc();
        FrameDamage damage = new FrameDamage(random);
        PacketAddresses addresses = SealingLink.addresses(Gid.parse(from), Gid.parse(to));
        ByteBuffer frame = ByteBuffer.allocateDirect(512);
        for (int i = 0; i < 5_000; i++) {
            int length = 12 + 4 * random.nextInt(64);
            for (int at = 0; at < length; at++) {
                frame.put(OFFSET + at, (byte) random.nextInt());
            }
            int identification = random.nextInt(1 << 16);
            Icrc.write(frame, OFFSET + length, icrc.compute(addresses, identification, frame, OFFSET, length));
            length += RocePacket.ICRC_LENGTH;
            assertThat(icrc.verify(addresses, identification, frame, OFFSET, length))
                    .isTrue();

            int left = damage.damage(frame, OFFSET, length, addresses, identification);

            assertThat(left).isBetween(1, length);
            assertThat(left >= RocePacket.MIN_LENGTH && icrc.verify(addresses, identification, frame, OFFSET, left))
                    .isFalse();
        }
    }
}
