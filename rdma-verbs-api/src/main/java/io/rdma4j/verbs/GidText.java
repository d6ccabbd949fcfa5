package io.rdma4j.verbs;

import java.util.ArrayList;
import java.util.List;

/** Reads the textual forms of a GID. An own parser, because {@code InetAddress.getByName} would ask the DNS for a typo. */
final class GidText {
    private static final int GROUPS = 8;

    private GidText() {}

    static Gid parse(String text) {
        if (text.length() == 2 * Gid.LENGTH && isHex(text)) {
            return new Gid(
                    Long.parseUnsignedLong(text.substring(0, Gid.LENGTH), 16),
                    Long.parseUnsignedLong(text.substring(Gid.LENGTH), 16));
        }
        if (text.indexOf(':') < 0) {
            return Gid.ofIpv4(ipv4(text, text));
        }
        int gap = text.indexOf("::");
        if (gap < 0) {
            return ofGroups(text, groups(text, text, true));
        }
        List<Integer> head = groups(text, text.substring(0, gap), false);
        List<Integer> tail = groups(text, text.substring(gap + 2), true);
        // The gap stands for at least one group of zeros.
        int zeros = GROUPS - head.size() - tail.size();
        if (zeros < 1) {
            throw bad(text);
        }
        for (int i = 0; i < zeros; i++) {
            head.add(0);
        }
        head.addAll(tail);
        return ofGroups(text, head);
    }

    private static Gid ofGroups(String text, List<Integer> groups) {
        if (groups.size() != GROUPS) {
            throw bad(text);
        }
        long[] halves = new long[2];
        for (int i = 0; i < GROUPS; i++) {
            halves[i / 4] = halves[i / 4] << 16 | groups.get(i);
        }
        return new Gid(halves[0], halves[1]);
    }

    /** The 16-bit groups of a part without gap; where it is the end, its last two may be written as an IPv4 address. */
    private static List<Integer> groups(String text, String part, boolean isEnd) {
        List<Integer> groups = new ArrayList<>(GROUPS);
        if (part.isEmpty()) {
            return groups;
        }
        String[] pieces = part.split(":", -1);
        for (int i = 0; i < pieces.length; i++) {
            String piece = pieces[i];
            if (isEnd && i == pieces.length - 1 && piece.indexOf('.') >= 0) {
                int ipv4 = ipv4(text, piece);
                groups.add(ipv4 >>> 16);
                groups.add(ipv4 & 0xFFFF);
            } else if (piece.isEmpty() || piece.length() > 4 || !isHex(piece)) {
                throw bad(text);
            } else {
                groups.add(Integer.parseInt(piece, 16));
            }
        }
        return groups;
    }

    private static int ipv4(String text, String piece) {
        String[] numbers = piece.split("\\.", -1);
        if (numbers.length != 4) {
            throw bad(text);
        }
        int address = 0;
        for (String number : numbers) {
            if (number.isEmpty() || number.length() > 3 || !number.chars().allMatch(c -> c >= '0' && c <= '9')) {
                throw bad(text);
            }
            int value = Integer.parseInt(number);
            if (value > 255) {
                throw bad(text);
            }
            address = address << 8 | value;
        }
        return address;
    }

    private static boolean isHex(String text) {
        return text.chars().allMatch(c -> Character.digit(c, 16) >= 0 && c < 128);
    }

    private static RdmaException bad(String text) {
        return new RdmaException(
                ErrorCode.EINVAL,
                "\"" + text + "\" is no GID: expected an IPv4 or IPv6 address or 32 hexadecimal digits");
    }
}
