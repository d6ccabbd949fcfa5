package io.rdma4j.core.device;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import io.rdma4j.core.tape.Tape;
import io.rdma4j.verbs.ErrorCode;
import io.rdma4j.verbs.RdmaDevice;
import io.rdma4j.verbs.RdmaException;
import io.rdma4j.verbs.Send;
import io.rdma4j.verbs.WorkCompletion;
import java.lang.reflect.AnnotatedType;
import java.lang.reflect.Executable;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/**
 * Every public method and constructor of the verbs API, with null for each argument that may not be null, and with arrays
 * that hold null: a test that finds the methods by itself forgets none.
 */
@DisplayName("null arguments")
class NullArgumentsTest {
    /** What is no part of what a program hands over: exceptions' own constructors, and what every object has. */
    private static final Set<String> NOT_MEANT =
            Set.of("equals", "compareTo", "valueOf", "copyInline", "RdmaException", "PostException");

    /** What the device makes to answer with; programs only read it. */
    private static final Set<String> ANSWERS = Set.of(
            "AsyncEvent",
            "GidEntry",
            "DeviceAttributes",
            "Features",
            "Identity",
            "DeviceInfo",
            "PortAttributes",
            "WorkCompletion");

    /** Batches keep their errors for the end; their own test has them. */
    private static final Set<String> NOT_HERE = Set.of("SendBatch");

    @Test
    @DisplayName("null is EINVAL in words wherever it is not allowed, and nothing has happened then")
    void everyMethod() throws Exception {
        try (Tape tape = new Tape()) {
            ApiSamples samples = new ApiSamples(tape);
            List<String> complaints = new ArrayList<>();
            int calls = 0;
            for (Class<?> type : publicTypes()) {
                for (Executable executable : executables(type)) {
                    calls += check(samples, executable, complaints);
                }
            }
            samples.close();
            assertThat(complaints).isEmpty();
            assertThat(calls).isGreaterThan(100);
        }
    }

    @Test
    @DisplayName("poll into an array without a place for a completion takes none: the next poll finds it")
    void pollIntoNothing() {
        try (Tape tape = new Tape()) {
            tape.post(Send.of(1).signaled(), Send.of(2).signaled()).sent();
            tape.in("ACK psn=101 syn=0x1f msn=2");
            WorkCompletion[] half = {new WorkCompletion(), null};
            assertThatExceptionOfType(RdmaException.class)
                    .isThrownBy(() -> tape.sendQueue.poll(half))
                    .withMessageContaining("into[1] is null");
            tape.sendDone("1 SUCCESS SEND 0", "2 SUCCESS SEND 0");
        }
    }

    private static int check(ApiSamples samples, Executable executable, List<String> complaints) throws Exception {
        Class<?>[] types = executable.getParameterTypes();
        int calls = 0;
        if (!samples.hasReceiverOf(executable)) {
            return 0;
        }
        for (int i = 0; i < types.length; i++) {
            if (types[i].isPrimitive() || isNullable(executable.getAnnotatedParameterTypes()[i])) {
                continue;
            }
            @Nullable Object[] arguments = samples.arguments(executable);
            arguments[i] = null;
            calls++;
            call(samples, executable, arguments, "argument " + i + " null", complaints);
            if (executable.getName().equals("poll")) {
                continue; // what it does not fill may be null; another test has what it does
            }
            if (types[i].isArray() && !types[i].getComponentType().isPrimitive()) {
                arguments[i] = java.lang.reflect.Array.newInstance(types[i].getComponentType(), 1);
                calls++;
                call(samples, executable, arguments, "argument " + i + " with null in it", complaints);
            }
            if (List.class.isAssignableFrom(types[i])) {
                arguments[i] = Arrays.asList((Object) null);
                calls++;
                call(samples, executable, arguments, "argument " + i + " with null in it", complaints);
            }
        }
        return calls;
    }

    private static void call(
            ApiSamples samples,
            Executable executable,
            @Nullable Object[] arguments,
            String what,
            List<String> complaints)
            throws Exception {
        String where = executable.getDeclaringClass().getSimpleName() + "." + executable.getName() + ": " + what + ": ";
        String outcome;
        try {
            samples.invoke(executable, arguments);
            outcome = "nothing was thrown";
        } catch (InvocationTargetException e) {
            Throwable cause = e.getCause();
            if (cause instanceof RdmaException refusal
                    && refusal.code() == ErrorCode.EINVAL
                    && refusal.getMessage().contains("null")) {
                return;
            }
            if (cause instanceof RdmaException refusal && refusal.code() == ErrorCode.EOPNOTSUPP) {
                return;
            }
            outcome = cause.toString();
        }
        if (!where.startsWith("MemoryWindowBinding.io")) { // a binding to nothing has no region
            complaints.add(where + outcome);
        }
    }

    private static boolean isNullable(AnnotatedType type) {
        return type.isAnnotationPresent(Nullable.class);
    }

    private static List<Executable> executables(Class<?> type) {
        return Stream.<Executable>concat(
                        Arrays.stream(type.getDeclaredMethods()), Arrays.stream(type.getDeclaredConstructors()))
                .filter(executable -> Modifier.isPublic(executable.getModifiers()))
                .filter(executable -> !executable.isSynthetic() && !NOT_MEANT.contains(simpleName(executable)))
                .toList();
    }

    private static String simpleName(Executable executable) {
        return executable instanceof Method
                ? executable.getName()
                : executable.getDeclaringClass().getSimpleName();
    }

    private static List<Class<?>> publicTypes() throws ClassNotFoundException {
        Set<String> names = new TreeSet<>();
        for (JavaClass type : new ClassFileImporter().importPackagesOf(RdmaDevice.class)) { // from a folder or a jar
            if (type.getPackageName().equals(RdmaDevice.class.getPackageName())) {
                names.add(type.getName());
            }
        }
        List<Class<?>> types = new ArrayList<>();
        for (String name : names) {
            Class<?> type = Class.forName(name);
            if (Modifier.isPublic(type.getModifiers())
                    && !NOT_HERE.contains(type.getSimpleName())
                    && !ANSWERS.contains(type.getSimpleName())) {
                types.add(type);
            }
        }
        return types;
    }
}
