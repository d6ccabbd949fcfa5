package io.rdma4j.core.device;

import io.rdma4j.core.tape.Tape;
import io.rdma4j.verbs.AddressHandle;
import io.rdma4j.verbs.AddressVector;
import io.rdma4j.verbs.CompletionChannel;
import io.rdma4j.verbs.ConnectOptions;
import io.rdma4j.verbs.DeviceConfig;
import io.rdma4j.verbs.ErrorCode;
import io.rdma4j.verbs.FastRegistrationRegion;
import io.rdma4j.verbs.MemoryRegionConfig;
import io.rdma4j.verbs.MemoryRegionUpdate;
import io.rdma4j.verbs.MemoryWindow;
import io.rdma4j.verbs.MemoryWindowBinding;
import io.rdma4j.verbs.MemoryWindowType;
import io.rdma4j.verbs.QueuePairAddress;
import io.rdma4j.verbs.QueuePairAttributes;
import io.rdma4j.verbs.QueuePairCapabilities;
import io.rdma4j.verbs.QueuePairConfig;
import io.rdma4j.verbs.RdmaException;
import io.rdma4j.verbs.RdmaRead;
import io.rdma4j.verbs.ReceiveRequest;
import io.rdma4j.verbs.Send;
import io.rdma4j.verbs.SendWithImmediate;
import io.rdma4j.verbs.SharedReceiveQueue;
import io.rdma4j.verbs.SharedReceiveQueueAttributes;
import io.rdma4j.verbs.WorkCompletion;
import java.lang.reflect.Array;
import java.lang.reflect.Constructor;
import java.lang.reflect.Executable;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** An object of every type of the verbs API, to call methods on and to hand over. */
final class ApiSamples {
    private final List<Object> samples = new ArrayList<>();
    private final List<AutoCloseable> toClose = new ArrayList<>();

    /** Types that a device need not offer. */
    private static final Set<Class<?>> UNCERTAIN =
            Set.of(SharedReceiveQueue.class, FastRegistrationRegion.class, MemoryWindow.class, AddressHandle.class);

    ApiSamples(Tape tape) {
        CompletionChannel channel = tape.device.createCompletionChannel();
        toClose.add(channel);
        samples.addAll(List.of(
                tape.device,
                tape.domain,
                tape.sendQueue,
                tape.qp,
                tape.region,
                channel,
                Tape.HERE,
                tape.at(0, 8),
                AddressVector.of(Tape.PEER),
                ConnectOptions.DEFAULT,
                DeviceConfig.of("udp", "127.0.0.1"),
                MemoryRegionConfig.of(ByteBuffer.allocateDirect(8)),
                MemoryRegionUpdate.none(),
                MemoryWindowBinding.of(tape.region, 0, 8),
                new QueuePairAddress(1, 2, Tape.PEER),
                QueuePairAttributes.builder().build(),
                QueuePairAttributes.builder(),
                QueuePairCapabilities.DEFAULT,
                QueuePairConfig.reliable(tape.sendQueue),
                ReceiveRequest.of(1),
                RdmaRead.of(1),
                Send.of(1),
                SendWithImmediate.of(1, 2),
                new WorkCompletion(),
                Duration.ZERO,
                "text",
                ByteBuffer.allocateDirect(64)));
        samples.addAll(List.of(List.of(), Map.of(), Set.of()));
        add(() -> tape.domain.createSharedReceiveQueue(SharedReceiveQueueAttributes.of(1, 1)));
        add(() -> tape.domain.allocateFastRegistration(1));
        add(() -> tape.domain.allocateMemoryWindow(MemoryWindowType.TYPE_2));
        add(() -> tape.domain.createAddressHandle(AddressVector.of(Tape.PEER)));
    }

    private void add(Supplier<AutoCloseable> maker) {
        try {
            AutoCloseable made = maker.get();
            samples.add(made);
            toClose.add(made);
        } catch (RdmaException e) {
            if (e.code() != ErrorCode.EOPNOTSUPP) {
                throw e;
            }
        }
    }

    /** Whether there is an object to call it on; what the device does not offer has none. */
    boolean hasReceiverOf(Executable executable) {
        Class<?> type = executable.getDeclaringClass();
        return !(executable instanceof Method)
                || Modifier.isStatic(executable.getModifiers())
                || of(type) != null
                || !UNCERTAIN.contains(type);
    }

    /** Arguments that would do, where there is an object of the type. */
    @Nullable
    Object[] arguments(Executable executable) {
        Class<?>[] types = executable.getParameterTypes();
        @Nullable Object[] arguments = new Object[types.length];
        for (int i = 0; i < types.length; i++) {
            arguments[i] = of(types[i]);
        }
        return arguments;
    }

    void invoke(Executable executable, @Nullable Object[] arguments)
            throws InvocationTargetException, IllegalAccessException, InstantiationException {
        executable.setAccessible(true);
        if (executable instanceof Constructor<?> constructor) {
            constructor.newInstance(arguments);
            return;
        }
        Method method = (Method) executable;
        Object receiver = Modifier.isStatic(method.getModifiers()) ? null : of(method.getDeclaringClass());
        if (receiver == null && !Modifier.isStatic(method.getModifiers())) {
            throw new InvocationTargetException(new AssertionError(
                    "no sample of " + method.getDeclaringClass().getSimpleName()));
        }
        method.invoke(receiver, arguments);
    }

    private @Nullable Object of(Class<?> type) {
        if (type.isPrimitive()) {
            return Array.get(Array.newInstance(type, 1), 0);
        }
        if (type.isEnum()) {
            return type.getEnumConstants()[0];
        }
        if (type.isArray()) {
            return Array.newInstance(type.getComponentType(), 0);
        }
        return samples.stream().filter(type::isInstance).findFirst().orElse(null);
    }

    void close() throws Exception {
        for (AutoCloseable made : toClose) {
            made.close();
        }
    }
}
