package io.rdma4j.core.device;

import java.lang.reflect.Array;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.nio.Buffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.random.RandomGenerator;

/**
 * Counts the bytes of everything that can be reached from an object, as HotSpot lays objects out on 64 bits with compressed
 * pointers: by arithmetic, so that no collector and no agent has a say in it.
 */
final class HeapBytes {
    private static final int HEADER = 12;
    private static final int ARRAY_HEADER = 16;
    private static final int REFERENCE = 4;
    private static final Map<Class<?>, Integer> PRIMITIVES = Map.of(
            boolean.class,
            1,
            byte.class,
            1,
            char.class,
            2,
            short.class,
            2,
            int.class,
            4,
            float.class,
            4,
            long.class,
            8,
            double.class,
            8);

    private record Shape(long bytes, List<Field> references) {}

    private final Map<Class<?>, Shape> shapes = new HashMap<>();
    private final Map<Class<?>, Long> byClass = new HashMap<>();
    private long total;

    private HeapBytes() {}

    /** All objects that can be reached from {@code roots}. */
    static HeapBytes of(Object... roots) {
        HeapBytes bytes = new HeapBytes();
        bytes.walk(roots);
        return bytes;
    }

    long total() {
        return total;
    }

    /** What is more here than in {@code before}, by class, the largest first. */
    String growthSince(HeapBytes before) {
        TreeMap<Long, String> lines = new TreeMap<>(Collections.reverseOrder());
        byClass.forEach((type, bytes) -> {
            long growth = bytes - before.byClass.getOrDefault(type, 0L);
            lines.merge(growth, type.getTypeName(), (one, other) -> one + ", " + other);
        });
        lines.remove(0L);
        StringBuilder text = new StringBuilder();
        lines.forEach(
                (growth, types) -> text.append(growth).append(' ').append(types).append('\n'));
        return text.toString();
    }

    private void walk(Object... roots) {
        Set<Object> seen = Collections.newSetFromMap(new IdentityHashMap<>());
        ArrayDeque<Object> open = new ArrayDeque<>();
        for (Object root : roots) {
            visit(root, seen, open);
        }
        while (!open.isEmpty()) {
            Object object = open.pop();
            Class<?> type = object.getClass();
            long bytes;
            if (type.isArray()) {
                bytes = arrayBytes(object, type.getComponentType());
                if (object instanceof Object[] elements) {
                    for (Object element : elements) {
                        visit(element, seen, open);
                    }
                }
            } else {
                Shape shape = shapes.computeIfAbsent(type, HeapBytes::shapeOf);
                bytes = shape.bytes;
                for (Field field : shape.references) {
                    visit(read(field, object), seen, open);
                }
            }
            total += bytes;
            byClass.merge(type, bytes, Long::sum);
        }
    }

    /** What belongs to the virtual machine, or is the same whatever is measured here, is not looked into. */
    private static void visit(Object object, Set<Object> seen, ArrayDeque<Object> open) {
        boolean foreign = object == null
                || object instanceof Class
                || object instanceof Enum
                || object instanceof Thread
                || object instanceof Buffer
                || object instanceof RandomGenerator;
        if (!foreign && seen.add(object)) {
            open.push(object);
        }
    }

    private static Object read(Field field, Object object) {
        try {
            return field.get(object);
        } catch (IllegalAccessException e) {
            throw new IllegalStateException(e);
        }
    }

    private static long arrayBytes(Object array, Class<?> component) {
        return align(ARRAY_HEADER + (long) Array.getLength(array) * sizeOf(component));
    }

    private static Shape shapeOf(Class<?> type) {
        long bytes = HEADER;
        List<Field> references = new ArrayList<>();
        for (Class<?> part = type; part != null; part = part.getSuperclass()) {
            for (Field field : part.getDeclaredFields()) {
                if (!Modifier.isStatic(field.getModifiers())) {
                    bytes += sizeOf(field.getType());
                    if (!field.getType().isPrimitive()) {
                        field.setAccessible(true);
                        references.add(field);
                    }
                }
            }
        }
        return new Shape(align(bytes), references);
    }

    private static int sizeOf(Class<?> type) {
        return PRIMITIVES.getOrDefault(type, REFERENCE);
    }

    private static long align(long bytes) {
        return (bytes + 7) & ~7L;
    }
}
