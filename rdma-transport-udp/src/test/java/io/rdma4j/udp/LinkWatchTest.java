package io.rdma4j.udp;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class LinkWatchTest {
    @Test
    @DisplayName("each change is told once: PORT_ERR and PORT_ACTIVE (§10)")
    void everyChangeIsToldOnce() throws Exception {
        AtomicBoolean up = new AtomicBoolean(true);
        AtomicInteger looks = new AtomicInteger();
        BlockingQueue<Boolean> told = new LinkedBlockingQueue<>();
        try (Loops loops = new Loops(NativeTransport.AUTO)) {
            LinkWatch watch = new LinkWatch(
                    loops.loop,
                    "an interface",
                    () -> {
                        looks.incrementAndGet();
                        return up.get();
                    },
                    told::add);
            start(loops, watch);
            assertThat(told).isEmpty();

            up.set(false);
            assertThat(told.poll(10, TimeUnit.SECONDS)).isFalse();
            int seen = looks.get();
            while (looks.get() < seen + 3) {
                Thread.onSpinWait();
            }
            assertThat(told).as("while it stays down").isEmpty();

            up.set(true);
            assertThat(told.poll(10, TimeUnit.SECONDS)).isTrue();
            loops.run(() -> {
                watch.stop();
                return true;
            });
        }
    }

    @Test
    void whatIsDownFromTheStartIsTold() throws Exception {
        BlockingQueue<Boolean> told = new LinkedBlockingQueue<>();
        try (Loops loops = new Loops(NativeTransport.AUTO)) {
            start(loops, new LinkWatch(loops.loop, "an interface", () -> false, told::add));

            assertThat(told).containsExactly(false);
        }
    }

    @Test
    void theLoopbackInterfaceIsUpAndNoneIsToo() throws Exception {
        InetAddress loopback = InetAddress.getByName("127.0.0.3");

        assertThat(LinkWatch.of(InterfaceMtu.interfaceOf(loopback)).getAsBoolean())
                .isTrue();
        assertThat(LinkWatch.of(null).getAsBoolean()).isTrue();
    }

    private static void start(Loops loops, LinkWatch watch) throws Exception {
        loops.run(() -> {
            watch.start(5);
            return true;
        });
    }
}
