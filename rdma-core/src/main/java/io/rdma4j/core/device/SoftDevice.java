package io.rdma4j.core.device;

import io.rdma4j.core.engine.DeviceEngine;
import io.rdma4j.core.engine.EventListener;
import io.rdma4j.core.engine.ObjectNumbers;
import io.rdma4j.core.qp.Counter;
import io.rdma4j.core.qp.DeviceLimits;
import io.rdma4j.core.qp.EngineLimits;
import io.rdma4j.core.queue.CompletionSlots;
import io.rdma4j.verbs.AsyncEvent;
import io.rdma4j.verbs.AsyncEventElement;
import io.rdma4j.verbs.AsyncEventType;
import io.rdma4j.verbs.CompletionChannel;
import io.rdma4j.verbs.CompletionQueue;
import io.rdma4j.verbs.DeviceAttributes;
import io.rdma4j.verbs.ErrorCode;
import io.rdma4j.verbs.Gid;
import io.rdma4j.verbs.PathMtu;
import io.rdma4j.verbs.PortAttributes;
import io.rdma4j.verbs.PortState;
import io.rdma4j.verbs.ProtectionDomain;
import io.rdma4j.verbs.RdmaDevice;
import io.rdma4j.verbs.RdmaException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One context on a software device. Several contexts may share an engine; each closes what it made. */
public final class SoftDevice implements RdmaDevice {
    private static final Logger LOG = LoggerFactory.getLogger(SoftDevice.class);

    private final String name;
    private final DeviceEngine engine;
    private final DeviceDriver driver;
    private final Root root;
    private final DeviceAttributes attributes;
    private final ObjectNumbers numbers;
    private final EventQueue<AsyncEvent> events;
    private final EventListener listener = this::onEvent;
    private volatile boolean closed;

    public SoftDevice(String name, DeviceEngine engine, DeviceDriver driver) {
        this.name = name;
        this.engine = engine;
        this.driver = driver;
        this.root = new Root(this);
        this.attributes = PublishedAttributes.of(engine.config());
        this.numbers = engine.objectNumbers();
        this.events = new EventQueue<>(driver, EngineLimits.MAX_ASYNC_EVENTS, "the device is closed");
        driver.call(() -> {
            engine.addListener(listener);
            engine.multicast().over(driver);
            return this;
        });
    }

    DeviceEngine engine() {
        return engine;
    }

    DeviceDriver driver() {
        return driver;
    }

    DeviceLimits limits() {
        return engine.config().limits();
    }

    ObjectNumbers numbers() {
        return numbers;
    }

    <T> T command(Supplier<T> command) {
        return driver.call(command);
    }

    /** As {@link #command}, refused when this context is closed: before, or while the command waits for its turn. */
    <T> T commandIfOpen(Supplier<T> command) {
        requireOpen();
        return driver.call(() -> {
            requireOpen();
            return command.get();
        });
    }

    private void requireOpen() {
        if (closed) {
            throw new RdmaException(ErrorCode.ENODEV, name + " is closed");
        }
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public Gid gid() {
        return engine.config().gid();
    }

    @Override
    public Map<String, Long> counters() {
        return engine.counters().snapshot();
    }

    @Override
    public DeviceAttributes attributes() {
        return attributes;
    }

    @Override
    public PortAttributes port() {
        return new PortAttributes(
                closed || !engine.isLinkUp() ? PortState.DOWN : PortState.ACTIVE,
                PathMtu.MTU_4096,
                engine.config().activeMtu(),
                1,
                1,
                EngineLimits.MAX_MESSAGE_BYTES,
                "Ethernet");
    }

    @Override
    public ProtectionDomain allocateProtectionDomain() {
        return commandIfOpen(() -> {
            SoftProtectionDomain domain =
                    new SoftProtectionDomain(this, numbers.next(ObjectNumbers.Kind.PROTECTION_DOMAIN));
            root.adopt(domain);
            return domain;
        });
    }

    @Override
    public CompletionChannel createCompletionChannel() {
        return commandIfOpen(() -> {
            SoftCompletionChannel channel =
                    new SoftCompletionChannel(this, numbers.next(ObjectNumbers.Kind.COMPLETION_CHANNEL));
            root.adopt(channel);
            return channel;
        });
    }

    @Override
    public CompletionQueue createCompletionQueue(int capacity) {
        return createCompletionQueue(capacity, (SoftCompletionChannel) null);
    }

    @Override
    public CompletionQueue createCompletionQueue(int capacity, CompletionChannel channel) {
        return createCompletionQueue(capacity, root.own(channel, SoftCompletionChannel.class));
    }

    private CompletionQueue createCompletionQueue(int capacity, @Nullable SoftCompletionChannel channel) {
        requireOpen();
        CompletionSlots slots = SoftCompletionQueue.allocate(this, "ibv_create_cq", capacity);
        return commandIfOpen(() -> {
            if (channel != null) {
                channel.requireOpenArgument();
            }
            SoftCompletionQueue queue =
                    new SoftCompletionQueue(this, numbers.next(ObjectNumbers.Kind.COMPLETION_QUEUE), slots, channel);
            root.adopt(queue);
            if (channel != null) {
                channel.adopt(queue);
            }
            return queue;
        });
    }

    /** Owner thread. */
    void orphan(SoftObject object) {
        root.orphan(object);
    }

    @Override
    public @Nullable AsyncEvent awaitAsyncEvent(Duration timeout) {
        return events.await(timeout);
    }

    private void onEvent(AsyncEventType type, int number) {
        if (isMine(type, number)) {
            raise(type, number);
        }
    }

    /** Whether the object that an event is about was made in this context; what is about port or device is for all. */
    private boolean isMine(AsyncEventType type, int number) {
        return switch (type.element()) {
            case COMPLETION_QUEUE ->
                root.children().stream()
                        .anyMatch(child -> child instanceof SoftCompletionQueue queue
                                && queue.ring().number() == number);
            case QUEUE_PAIR -> engine.lifecycle().isOwnedBy(number, this);
            default -> true;
        };
    }

    /** Takes an event of an object that only this context knows. Owner thread. */
    void raise(AsyncEventType type, int number) {
        if (!events.offer(new AsyncEvent(type, number))) {
            engine.counters().count(Counter.ASYNC_EVENT_DROPPED);
        }
    }

    /** Drops the events of an object that is destroyed: who takes one later could not find what it is about (§10). */
    void forgetEvents(AsyncEventElement element, int number) {
        events.removeIf(event -> event.type().element() == element && event.elementNumber() == number);
    }

    @Override
    public void close() {
        if (closed) {
            return;
        }
        closed = true;
        try {
            driver.call(this::closeChildren);
        } catch (RdmaException e) {
            // ENODEV: the owner has stopped, and nothing is left to close.
            if (e.code() != ErrorCode.ENODEV) {
                LOG.warn("{}: its objects could not be closed: {}", name, e.getMessage());
            }
        }
        events.close();
        driver.close();
    }

    private SoftDevice closeChildren() {
        engine.removeListener(listener);
        List<String> left = new ArrayList<>();
        for (SoftObject object : root.inClosingOrder()) {
            if (!object.isClosed()) {
                left.add(object.toString());
                object.closeNow();
            }
        }
        if (!left.isEmpty()) {
            LOG.warn("{}: closed with {} objects still open: {}", name, left.size(), SoftObject.named(left));
        }
        return this;
    }

    @Override
    public String toString() {
        return name;
    }

    /** Parent of what a context makes directly. */
    private static final class Root extends SoftObject {
        Root(SoftDevice device) {
            super(device, "device");
        }

        /** Queue pairs first, then the queues that they use, memory, and domains last. */
        List<SoftObject> inClosingOrder() {
            List<SoftObject> queuePairs = new ArrayList<>();
            List<SoftObject> regions = new ArrayList<>();
            List<SoftObject> queues = new ArrayList<>();
            List<SoftObject> others = new ArrayList<>();
            for (SoftObject child : children()) {
                for (SoftObject grandchild : child.children()) {
                    if (grandchild instanceof SoftQueuePair) {
                        queuePairs.add(grandchild);
                    } else if (grandchild instanceof SoftSharedReceiveQueue) {
                        queues.add(grandchild);
                    } else if (grandchild instanceof SoftMemoryRegion || grandchild instanceof SoftMemoryWindow) {
                        regions.add(grandchild);
                    } else {
                        others.add(grandchild);
                    }
                }
                (child instanceof SoftCompletionQueue ? queues : others).add(child);
            }
            List<SoftObject> all = new ArrayList<>(new LinkedHashSet<>(queuePairs));
            all.addAll(queues);
            all.addAll(regions);
            all.addAll(others);
            return all;
        }

        @Override
        void release() {
            // Never closed: the device is.
        }
    }
}
