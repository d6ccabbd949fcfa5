package io.rdma4j.verbs;

import org.jspecify.annotations.Nullable;

/** What requests to remote memory have besides: where it is and its key. */
abstract class RemoteRequestBody extends RequestBody {
    final long remoteAddress;
    final int remoteKey;

    RemoteRequestBody(long workRequestId, LocalData data, int flags, long remoteAddress, int remoteKey) {
        super(workRequestId, data, flags);
        this.remoteAddress = remoteAddress;
        this.remoteKey = remoteKey;
    }

    /** {@return address in the peer's memory ({@code remote_addr})} */
    public final long remoteAddress() {
        return remoteAddress;
    }

    /** {@return key of the peer's memory ({@code rkey})} */
    public final int remoteKey() {
        return remoteKey;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return super.equals(other)
                && other instanceof RemoteRequestBody that
                && remoteAddress == that.remoteAddress
                && remoteKey == that.remoteKey;
    }

    @Override
    public int hashCode() {
        return (super.hashCode() * 31 + Long.hashCode(remoteAddress)) * 31 + remoteKey;
    }

    final String remoteText() {
        return " remote 0x" + Long.toHexString(remoteAddress) + " (rkey 0x" + Integer.toHexString(remoteKey) + ")";
    }
}
