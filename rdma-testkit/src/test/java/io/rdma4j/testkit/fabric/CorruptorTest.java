package io.rdma4j.testkit.fabric;

import static org.assertj.core.api.Assertions.assertThat;

import io.rdma4j.core.link.Path;
import io.rdma4j.core.wire.Icrc;
import io.rdma4j.core.wire.RocePacket;
import io.rdma4j.verbs.Gid;
import java.util.SplittableRandom;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CorruptorTest {
    @ParameterizedTest
    @CsvSource({"192.0.2.2, 192.0.2.3", "fd00::a, fd00::b"})
    void allDamageShowsInTheIcrcOrTheLength(String from, String to) {
        SplittableRandom random = new SplittableRandom(7);
        Icrc icrc = new Icrc();
        Corruptor corruptor = new Corruptor(random, icrc);
        Path path = Path.between(Gid.parse(from), Gid.parse(to));
        FramePool pool = new FramePool();
        for (int i = 0; i < 5_000; i++) {
            Frame frame = pool.take(path, 12 + 4 * random.nextInt(64));
            for (int at = 0; at < frame.length; at++) {
                frame.bytes.put(Frame.OFFSET + at, (byte) random.nextInt());
            }
            frame.seal(Endpoint.of(path.local()), Endpoint.of(path.remote()), random.nextInt(1 << 16), icrc);
            assertThat(passes(frame, icrc)).isTrue();
            Frame whole = pool.copyOf(frame);

            corruptor.damage(frame, whole);

            assertThat(passes(frame, icrc)).isFalse();
            assertThat(passes(whole, icrc)).as("the original stays whole").isTrue();
            pool.release(whole);
            pool.release(frame);
        }
    }

    private static boolean passes(Frame frame, Icrc icrc) {
        return frame.length >= RocePacket.MIN_LENGTH
                && icrc.verify(frame.addresses, frame.identification, frame.bytes, Frame.OFFSET, frame.length);
    }
}
