package io.rdma4j.verbs;

import java.io.Serial;

/**
 * Posting a list stopped at a bad request. All requests before {@link #index()} are posted and will complete; that one
 * and all after it are not ({@code bad_wr} of {@code ibv_post_send} and {@code ibv_post_recv}).
 */
public class PostException extends RdmaException {
    @Serial
    private static final long serialVersionUID = 1L;

    /** Where posting stopped. */
    private final int index;

    /**
     * The refusal of one request of a list.
     *
     * @param index the place of the first request that is not posted, from 0
     * @param reason why that request was refused
     */
    public PostException(int index, RdmaException reason) {
        super(reason.code(), "request " + index + " of the list: " + reason.detail(), reason);
        this.index = index;
    }

    /** {@return the place of the first request that is not posted, from 0} */
    public int index() {
        return index;
    }
}
