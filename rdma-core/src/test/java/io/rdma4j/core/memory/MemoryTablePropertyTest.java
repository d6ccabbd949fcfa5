package io.rdma4j.core.memory;

import static org.assertj.core.api.Assertions.assertThat;

import io.rdma4j.verbs.AccessFlag;
import io.rdma4j.verbs.RemoteKeys;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Label;
import net.jqwik.api.Property;
import org.jspecify.annotations.Nullable;

/** §11: whatever is registered, bound, invalidated and freed in what order, a key grants what a plain model says. */
class MemoryTablePropertyTest {
    private static final int STEPS = 300;
    private static final int BYTES = 256;
    private static final int[] RIGHTS = {1, 2, 4, 8};

    /** A queue pair of the model. */
    private record User(int number, int protectionDomain, WindowList windows) implements KeyUser {}

    /** What the model knows of a key that was made. */
    private static final class Thing {
        final RegisteredMemory real;
        final boolean window;
        final boolean type2;
        final boolean fast;
        final boolean invalidatable;
        final int domain;
        boolean alive = true;
        boolean valid;
        int key;
        long address;
        long length;
        int access;
        int queuePair;

        @Nullable
        Thing boundTo;

        Thing(RegisteredMemory real, boolean window, boolean type2, boolean fast, boolean invalidatable, int domain) {
            this.real = real;
            this.window = window;
            this.type2 = type2;
            this.fast = fast;
            this.invalidatable = invalidatable;
            this.domain = domain;
            this.key = real.key();
        }
    }

    private final MemoryTable table = new MemoryTable(64, new Random(3));
    private final List<Thing> things = new ArrayList<>();
    private final List<User> users = List.of(
            new User(11, 1, new WindowList()), new User(12, 1, new WindowList()), new User(21, 2, new WindowList()));
    private Random random = new Random(0);

    @Property(tries = 60)
    @Label("§11: keys of regions and windows against a plain model")
    void agreesWithAPlainModel(@ForAll long seed) {
        random = new Random(seed);
        for (int step = 0; step < STEPS; step++) {
            act();
            for (Thing thing : things) {
                compare(thing, thing.key);
                compare(thing, thing.key ^ 1);
            }
        }
    }

    private <T> T any(List<T> list) {
        return list.get(random.nextInt(list.size()));
    }

    private int rights() {
        return random.nextInt(32);
    }

    private void act() {
        int what = random.nextInt(10);
        if (things.size() < 4 || what == 0) {
            make();
            return;
        }
        Thing thing = any(things);
        User user = any(users);
        if (what == 1) {
            free(thing);
        } else if (what <= 3) {
            invalidate(thing, user);
        } else if (what == 4) {
            end(user);
        } else if (thing.fast) {
            register(thing, user);
        } else if (thing.window) {
            bind(thing, any(things), user);
        }
    }

    private void make() {
        int domain = 1 + random.nextInt(2);
        RegisteredMemory made;
        int kind = random.nextInt(4);
        if (kind == 0) {
            boolean invalidatable = random.nextBoolean();
            int access = rights();
            long address = 8L * random.nextInt(100);
            made = table.register(
                    Extent.of(ByteBuffer.allocateDirect(BYTES)), new Grant(address, access, domain, invalidatable));
            if (made != null) {
                Thing region = new Thing(made, false, false, false, invalidatable, domain);
                valid(region, address, BYTES, access);
                things.add(region);
            }
        } else if (kind == 1) {
            made = table.addFastRegistration(domain);
            if (made != null) {
                things.add(new Thing(made, false, false, true, true, domain));
            }
        } else {
            made = table.addWindow(kind == 2, domain);
            if (made != null) {
                things.add(new Thing(made, true, kind == 2, false, kind == 2, domain));
            }
        }
        if (made == null) {
            assertThat(things.stream().filter(thing -> thing.alive)).hasSize(64);
        }
    }

    private static void valid(Thing thing, long address, long length, int access) {
        thing.valid = true;
        thing.address = address;
        thing.length = length;
        thing.access = access;
    }

    private void free(Thing thing) {
        if (thing.alive) {
            table.deregister(thing.real);
            things.remove(thing);
            for (Thing window : things) {
                if (window.boundTo == thing) {
                    unbound(window);
                }
            }
        }
    }

    private static void unbound(Thing window) {
        window.valid = false;
        window.boundTo = null;
    }

    private boolean hasWindows(Thing region) {
        return things.stream().anyMatch(window -> window.boundTo == region);
    }

    private void invalidate(Thing thing, User user) {
        boolean legal = thing.valid
                && thing.domain == user.protectionDomain()
                && thing.invalidatable
                && (!thing.type2 || thing.queuePair == user.number())
                && !hasWindows(thing);
        assertThat(table.invalidate(thing.key, user)).isEqualTo(legal);
        if (legal) {
            unbound(thing);
        }
    }

    private void end(User user) {
        table.invalidateAll(user.windows());
        for (Thing window : things) {
            if (window.valid && window.type2 && window.queuePair == user.number()) {
                unbound(window);
            }
        }
    }

    private void register(Thing region, User user) {
        int access = rights();
        int key = otherVariant(region);
        long address = 8 + 8L * random.nextInt(100);
        Mapping mapping = new Mapping(Extent.of(ByteBuffer.allocateDirect(BYTES)), address);
        boolean legal = region.domain == user.protectionDomain() && !region.valid && hasLocalWrite(access, access);
        assertThat(table.fastRegister(region.real, mapping, access, key, user) == null)
                .isEqualTo(legal);
        if (legal) {
            region.key = key;
            valid(region, address, BYTES, access);
        }
    }

    private int otherVariant(Thing thing) {
        return RemoteKeys.withVariant(thing.key, random.nextInt(256));
    }

    private static boolean hasLocalWrite(int wanted, int access) {
        int written = AccessFlag.REMOTE_WRITE.code() | AccessFlag.REMOTE_ATOMIC.code();
        return (wanted & written) == 0 || (access & AccessFlag.LOCAL_WRITE.code()) != 0;
    }

    private void bind(Thing window, Thing target, User user) {
        if (target.window) {
            return;
        }
        WindowBind bind = new WindowBind();
        bind.region = target.real;
        bind.address = target.address + random.nextInt(BYTES) - 16;
        bind.length = random.nextInt(64);
        bind.access = rights();
        bind.key = otherVariant(window);
        boolean inside = bind.address >= target.address && bind.address + bind.length <= target.address + BYTES;
        boolean onRegion = target.valid
                && target.domain == user.protectionDomain()
                && (target.access & AccessFlag.MEMORY_WINDOW_BIND.code()) != 0
                && inside
                && hasLocalWrite(bind.access, target.access);
        boolean legal = window.domain == user.protectionDomain()
                && (window.type2 ? !window.valid && bind.length != 0 && onRegion : (bind.length == 0 || onRegion));
        assertThat(table.bind(window.real, bind, user) == null).isEqualTo(legal);
        if (!legal) {
            return;
        }
        window.key = bind.key;
        unbound(window);
        if (bind.length != 0) {
            valid(window, bind.address, bind.length, bind.access & 0xE);
            window.queuePair = user.number();
            window.boundTo = target;
        }
    }

    /** The table grants through each queue pair what the model does, and what it grants is the model's region. */
    private void compare(Thing thing, int key) {
        User user = any(users);
        int right = RIGHTS[random.nextInt(RIGHTS.length)];
        long address = thing.address + random.nextInt(BYTES + 16) - 8;
        long length = random.nextInt(32);
        boolean granted = key == thing.key
                && thing.valid
                && thing.domain == user.protectionDomain()
                && (!thing.type2 || thing.queuePair == user.number())
                && (thing.access & right) == right
                && address >= thing.address
                && address + length <= thing.address + thing.length;
        RegisteredMemory found = table.resolveRemote(key, user, right, address, length);
        assertThat(found).isSameAs(granted ? thing.real : null);
        RegisteredMemory local = table.resolve(key, user.protectionDomain(), right, address, length);
        assertThat(local).isSameAs(granted && !thing.window ? thing.real : null);
        assertThat(thing.real.windows().isEmpty()).isEqualTo(!hasWindows(thing));
    }
}
