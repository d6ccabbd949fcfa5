package io.rdma4j.tools.vsh.shell;

import io.rdma4j.verbs.AddressHandle;
import io.rdma4j.verbs.BindMemoryWindow;
import io.rdma4j.verbs.CompareAndSwap;
import io.rdma4j.verbs.FetchAndAdd;
import io.rdma4j.verbs.LocalInvalidate;
import io.rdma4j.verbs.MemoryWindow;
import io.rdma4j.verbs.RdmaRead;
import io.rdma4j.verbs.RdmaWrite;
import io.rdma4j.verbs.RdmaWriteWithImmediate;
import io.rdma4j.verbs.RemoteKeys;
import io.rdma4j.verbs.ScatterGatherElement;
import io.rdma4j.verbs.Send;
import io.rdma4j.verbs.SendRequest;
import io.rdma4j.verbs.SendWithImmediate;
import io.rdma4j.verbs.SendWithInvalidate;
import java.nio.ByteBuffer;
import java.util.Set;
import java.util.function.UnaryOperator;

/** Makes the requests that one {@code send} line asks for, which differ in their number alone. */
final class SendRequests {
    private final Arguments arguments;
    private final ShellObjects objects;
    private final SendOperation operation;
    private final boolean isDatagram;
    private final Set<Character> flags;

    SendRequests(Arguments arguments, ShellObjects objects, boolean isDatagram) {
        this.arguments = arguments;
        this.objects = objects;
        this.operation = SendOperation.of(arguments.choice("op"));
        this.isDatagram = isDatagram && operation.isMessage();
        this.flags = arguments.letters("fl");
    }

    SendOperation operation() {
        return operation;
    }

    /** The request of that number. */
    SendRequest of(long id) {
        return switch (operation) {
            case SEND -> send(id);
            case SEND_IMM -> sendWithImmediate(id);
            case SEND_INV -> sendWithInvalidate(id);
            case WRITE -> write(id);
            case WRITE_IMM -> writeWithImmediate(id);
            case READ ->
                flagged(
                        RdmaRead.of(id, elements()).from(address(), key()),
                        RdmaRead::signaled,
                        RdmaRead::fenced,
                        unchanged());
            case CAS ->
                flagged(
                        CompareAndSwap.of(id, result(), arguments.number("cmp"), arguments.number("swap"))
                                .at(address(), key()),
                        CompareAndSwap::signaled,
                        CompareAndSwap::fenced,
                        unchanged());
            case FADD ->
                flagged(
                        FetchAndAdd.of(id, result(), arguments.number("add")).at(address(), key()),
                        FetchAndAdd::signaled,
                        FetchAndAdd::fenced,
                        unchanged());
            case BIND -> bind(id);
            case LINV ->
                flagged(
                        LocalInvalidate.of(id, arguments.word("inv")),
                        LocalInvalidate::signaled,
                        unchanged(),
                        unchanged());
        };
    }

    private Send send(long id) {
        Send request = isInline() ? Send.inline(id, inline()) : Send.of(id, elements());
        if (isDatagram) {
            request = request.to(handle(), arguments.word("dqpn"), arguments.word("qkey"));
        }
        return flagged(request, Send::signaled, Send::fenced, Send::solicited);
    }

    private SendWithImmediate sendWithImmediate(long id) {
        int immediate = arguments.word("imm");
        SendWithImmediate request = isInline()
                ? SendWithImmediate.inline(id, immediate, inline())
                : SendWithImmediate.of(id, immediate, elements());
        if (isDatagram) {
            request = request.to(handle(), arguments.word("dqpn"), arguments.word("qkey"));
        }
        return flagged(request, SendWithImmediate::signaled, SendWithImmediate::fenced, SendWithImmediate::solicited);
    }

    private SendWithInvalidate sendWithInvalidate(long id) {
        int invalidated = arguments.word("inv");
        return flagged(
                isInline()
                        ? SendWithInvalidate.inline(id, invalidated, inline())
                        : SendWithInvalidate.of(id, invalidated, elements()),
                SendWithInvalidate::signaled,
                SendWithInvalidate::fenced,
                SendWithInvalidate::solicited);
    }

    private RdmaWrite write(long id) {
        RdmaWrite.Untargeted data = isInline() ? RdmaWrite.inline(id, inline()) : RdmaWrite.of(id, elements());
        return flagged(data.to(address(), key()), RdmaWrite::signaled, RdmaWrite::fenced, unchanged());
    }

    private RdmaWriteWithImmediate writeWithImmediate(long id) {
        int immediate = arguments.word("imm");
        RdmaWriteWithImmediate.Untargeted data = isInline()
                ? RdmaWriteWithImmediate.inline(id, immediate, inline())
                : RdmaWriteWithImmediate.of(id, immediate, elements());
        return flagged(
                data.to(address(), key()),
                RdmaWriteWithImmediate::signaled,
                RdmaWriteWithImmediate::fenced,
                RdmaWriteWithImmediate::solicited);
    }

    private BindMemoryWindow bind(long id) {
        MemoryWindow window = arguments.object("mw", objects.windows);
        int key = arguments.has("newkey") ? arguments.word("newkey") : RemoteKeys.increment(window.remoteKey());
        return flagged(
                BindMemoryWindow.of(id, window, WindowCommands.binding(arguments, objects), key),
                BindMemoryWindow::signaled,
                BindMemoryWindow::fenced,
                unchanged());
    }

    private <T> T flagged(T request, UnaryOperator<T> signaled, UnaryOperator<T> fenced, UnaryOperator<T> solicited) {
        T flagged = flags.contains('s') ? signaled.apply(request) : request;
        flagged = flags.contains('f') ? fenced.apply(flagged) : flagged;
        return flags.contains('e') ? solicited.apply(flagged) : flagged;
    }

    /** For a flag that means nothing to a kind of request. */
    private static <T> UnaryOperator<T> unchanged() {
        return UnaryOperator.identity();
    }

    private boolean isInline() {
        return flags.contains('i');
    }

    private ScatterGatherElement[] elements() {
        return Elements.registered(arguments, objects);
    }

    private ByteBuffer[] inline() {
        return Elements.inline(arguments, objects);
    }

    private ScatterGatherElement result() {
        ScatterGatherElement[] elements = elements();
        if (elements.length != 1) {
            throw new Refusal("send: an atomic puts its result into one element, not " + elements.length);
        }
        return elements[0];
    }

    private AddressHandle handle() {
        return arguments.object("ah", objects.addressHandles);
    }

    private long address() {
        return arguments.number("raddr");
    }

    private int key() {
        return arguments.word("rkey");
    }
}
