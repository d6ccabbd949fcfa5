package io.rdma4j.tools.vsh.shell;

import static io.rdma4j.tools.vsh.shell.Parameter.number;

import io.rdma4j.tools.text.InternetText;
import io.rdma4j.verbs.AsyncEvent;
import io.rdma4j.verbs.DeviceAttributes;
import io.rdma4j.verbs.DeviceCapability;
import io.rdma4j.verbs.PortAttributes;
import io.rdma4j.verbs.RdmaDevice;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The device: what it is, where it is, what has happened to it. */
final class DeviceCommands {
    private final RdmaDevice device;
    private final Waiter waiter;

    DeviceCommands(RdmaDevice device, Waiter waiter) {
        this.device = device;
        this.waiter = waiter;
    }

    List<ShellCommand> commands() {
        return List.of(
                ShellCommand.of("dev", "show the device and its limits (ibv_query_device)")
                        .does(arguments -> attributes()),
                ShellCommand.of("gids", "show the device's addresses (ibv_query_gid)")
                        .does(arguments -> Answer.ok("0=" + InternetText.of(device.gid()))),
                ShellCommand.of("async", "wait for an asynchronous event (ibv_get_async_event)")
                        .takes(number("ms", "500", "how long to wait at most, in milliseconds"))
                        .does(this::event),
                ShellCommand.of("sleep", "let time pass")
                        .takes(number("ms", "100", "how long, in milliseconds"))
                        .does(this::sleep));
    }

    private Answer attributes() {
        DeviceAttributes limits = device.attributes();
        PortAttributes port = device.port();
        return Answer.ok("state=" + port.state().code()
                + " active_mtu=" + port.activeMtu().bytes()
                + " max_mtu=" + port.maxMtu().bytes()
                + " max_qp=" + limits.maxQueuePairs()
                + " max_qp_wr=" + limits.maxQueuePairWorkRequests()
                + " max_sge=" + limits.maxScatterGather()
                + " max_rd_atom=" + limits.maxReadAtomic()
                + " max_init_rd_atom=" + limits.maxInitiatorReadAtomic()
                + " atomic=" + limits.atomicCapability().code()
                + " caps=0x" + Integer.toHexString(bits(limits))
                + " max_mr_size=0x" + Long.toHexString(limits.maxMemoryRegionSize())
                + " max_msg=0x" + Long.toHexString(port.maxMessageSize())
                + " gid_tbl=" + port.gidTableLength()
                + " max_mw=" + limits.maxMemoryWindows()
                + " max_srq=" + limits.maxSharedReceiveQueues()
                + " fw=" + limits.firmwareVersion());
    }

    private static int bits(DeviceAttributes limits) {
        return limits.capabilities().stream().mapToInt(DeviceCapability::code).reduce(0, (bits, one) -> bits | one);
    }

    private Answer event(Arguments arguments) {
        Taken taken = new Taken(device);
        waiter.await(taken::take, arguments.integer("ms", 0, ShellLimits.MAX_WAIT_MILLIS));
        AsyncEvent event = taken.event;
        if (event == null) {
            return Answer.ok("none");
        }
        String words = EventWords.of(event.type());
        return Answer.ok("event=" + event.type().code() + " name=" + words.replace(' ', '_'))
                .explained(List.of(event.type() + " of " + event.type().element() + " " + event.elementNumber()));
    }

    private Answer sleep(Arguments arguments) {
        waiter.await(() -> false, arguments.integer("ms", 0, ShellLimits.MAX_WAIT_MILLIS));
        return Answer.ok();
    }

    /** The event that was waited for, once it is there. */
    private static final class Taken {
        private final RdmaDevice device;
        private @Nullable AsyncEvent event;

        Taken(RdmaDevice device) {
            this.device = device;
        }

        boolean take() {
            event = Verbs.call("get_async_event", () -> Optional.ofNullable(device.awaitAsyncEvent(Duration.ZERO)))
                    .orElse(null);
            return event != null;
        }
    }
}
