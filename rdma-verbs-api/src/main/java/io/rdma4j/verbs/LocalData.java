package io.rdma4j.verbs;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** What a request sends, or where it puts what it fetches: elements of registered memory. Immutable. */
final class LocalData {
    final List<ScatterGatherElement> elements;

    private LocalData(List<ScatterGatherElement> elements) {
        this.elements = elements;
    }

    static LocalData of(ScatterGatherElement... elements) {
        return new LocalData(List.of(elements));
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof LocalData that && elements.equals(that.elements);
    }

    @Override
    public int hashCode() {
        return elements.hashCode();
    }

    @Override
    public String toString() {
        return elements.toString();
    }
}
