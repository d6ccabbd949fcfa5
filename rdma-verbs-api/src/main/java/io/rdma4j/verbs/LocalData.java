package io.rdma4j.verbs;

import io.rdma4j.verbs.spi.Arguments;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a request sends, or where it puts what it fetches: elements of registered memory, or else bytes of any memory that
 * are copied when the request is posted. Immutable, but for those bytes.
 */
final class LocalData {
    final List<ScatterGatherElement> elements;
    private final @Nullable List<ByteBuffer> inline;
    private final long inlineLength;

    private LocalData(List<ScatterGatherElement> elements, @Nullable List<ByteBuffer> inline, long inlineLength) {
        this.elements = elements;
        this.inline = inline;
        this.inlineLength = inlineLength;
    }

    static LocalData of(ScatterGatherElement... elements) {
        return new LocalData(List.of(Arguments.all(elements, "elements")), null, 0);
    }

    /** The bytes from position to limit of each buffer, as they are now placed. */
    static LocalData inline(ByteBuffer... pieces) {
        Arguments.all(pieces, "data");
        List<ByteBuffer> own = new ArrayList<>(pieces.length);
        long length = 0;
        for (ByteBuffer piece : pieces) {
            own.add(piece.slice());
            length += piece.remaining();
        }
        return new LocalData(List.of(), Collections.unmodifiableList(own), length);
    }

    boolean isInline() {
        return inline != null;
    }

    long inlineLength() {
        return inlineLength;
    }

    void copyInline(ByteBuffer target, int index) {
        if (inline == null) {
            return;
        }
        int at = index;
        for (int i = 0; i < inline.size(); i++) { // by index, because an iterator would be an allocation
            ByteBuffer piece = inline.get(i);
            target.put(at, piece, 0, piece.capacity());
            at += piece.capacity();
        }
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof LocalData that
                && elements.equals(that.elements)
                && (inline == null ? that.inline == null : inline.equals(that.inline));
    }

    @Override
    public int hashCode() {
        return elements.hashCode() * 31 + Long.hashCode(inlineLength);
    }

    @Override
    public String toString() {
        return isInline() ? "[" + inlineLength + " bytes inline]" : elements.toString();
    }
}
