package io.rdma4j.verbs;

import java.util.Set;

/** Access flags as one typed value of {@link QueuePairAttributes}. */
record AccessRights(Set<AccessFlag> flags) {
    static final AccessRights NONE = new AccessRights(Set.of());

    @Override
    public String toString() {
        return flags.toString();
    }
}
