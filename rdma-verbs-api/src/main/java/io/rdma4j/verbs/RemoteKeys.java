package io.rdma4j.verbs;

/** Arithmetic on remote keys: 24 bits of index, 8 bits that their owner chooses. */
public final class RemoteKeys {
    private static final int VARIANT_MASK = 0xFF;

    private RemoteKeys() {}

    /**
     * The key with its variant, the low 8 bits, counted up by one; it wraps ({@code ibv_inc_rkey}).
     *
     * @param key a remote key
     * @return the next key of the same index
     */
    public static int increment(int key) {
        return withVariant(key, key + 1);
    }

    /**
     * The key with another variant.
     *
     * @param key a remote key
     * @param variant the low 8 bits it shall have; higher bits do not count
     * @return the key of the same index with that variant
     */
    public static int withVariant(int key, int variant) {
        return (key & ~VARIANT_MASK) | (variant & VARIANT_MASK);
    }
}
