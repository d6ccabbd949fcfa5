package io.rdma4j.core.wire;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

class OpcodeTest {
    /** §2 as text: operation bits, name, headers after the BTH, payload, transports. XRC requests begin with XRCETH. */
    private static final String TABLE = """
            00 SEND_FIRST                      -                   FULL  RC UC XRC
            01 SEND_MIDDLE                     -                   FULL  RC UC XRC
            02 SEND_LAST                       -                   SOME  RC UC XRC
            03 SEND_LAST_WITH_IMMEDIATE        IMM                 SOME  RC UC XRC
            04 SEND_ONLY                       -                   ANY   RC UC UD XRC
            05 SEND_ONLY_WITH_IMMEDIATE        IMM                 ANY   RC UC UD XRC
            06 RDMA_WRITE_FIRST                RETH                FULL  RC UC XRC
            07 RDMA_WRITE_MIDDLE               -                   FULL  RC UC XRC
            08 RDMA_WRITE_LAST                 -                   SOME  RC UC XRC
            09 RDMA_WRITE_LAST_WITH_IMMEDIATE  IMM                 SOME  RC UC XRC
            0a RDMA_WRITE_ONLY                 RETH                ANY   RC UC XRC
            0b RDMA_WRITE_ONLY_WITH_IMMEDIATE  RETH,IMM            ANY   RC UC XRC
            0c RDMA_READ_REQUEST               RETH                NONE  RC XRC
            0d RDMA_READ_RESPONSE_FIRST        AETH                FULL  RC XRC
            0e RDMA_READ_RESPONSE_MIDDLE       -                   FULL  RC XRC
            0f RDMA_READ_RESPONSE_LAST         AETH                SOME  RC XRC
            10 RDMA_READ_RESPONSE_ONLY         AETH                ANY   RC XRC
            11 ACKNOWLEDGE                     AETH                NONE  RC XRC
            12 ATOMIC_ACKNOWLEDGE              AETH,ATOMICACKETH   NONE  RC XRC
            13 COMPARE_SWAP                    ATOMICETH           NONE  RC XRC
            14 FETCH_ADD                       ATOMICETH           NONE  RC XRC
            16 SEND_LAST_WITH_INVALIDATE       IETH                SOME  RC XRC
            17 SEND_ONLY_WITH_INVALIDATE       IETH                ANY   RC XRC
            1c FLUSH                           FETH,RETH           NONE  RC XRC
            1d ATOMIC_WRITE                    RETH                EIGHT RC XRC
            """;

    record Row(int code, String name, List<String> headers, PayloadRule payload, Transport transport) {}

    static List<Row> rows() {
        List<Row> rows = new ArrayList<>();
        TABLE.lines().forEach(line -> {
            String[] cells = line.split(" +");
            for (int i = 4; i < cells.length; i++) {
                rows.add(row(cells, Transport.valueOf(cells[i])));
            }
        });
        rows.add(new Row(0x81, "CNP", List.of("RESERVED"), PayloadRule.NONE, Transport.CNP));
        return rows;
    }

    private static Row row(String[] cells, Transport transport) {
        List<String> headers = new ArrayList<>();
        boolean response = cells[1].contains("RESPONSE") || cells[1].contains("ACKNOWLEDGE");
        if (transport == Transport.UD) {
            headers.add("DETH");
        } else if (transport == Transport.XRC && !response) {
            headers.add("XRCETH");
        }
        if (!cells[2].equals("-")) {
            headers.addAll(List.of(cells[2].split(",")));
        }
        int code = transport.code() << 5 | Integer.parseInt(cells[0], 16);
        return new Row(code, transport + "_" + cells[1], headers, PayloadRule.valueOf(cells[3]), transport);
    }

    @ParameterizedTest
    @MethodSource("rows")
    void hasTheLayoutOfTheSpecification(Row row) {
        Opcode opcode = Opcode.of(row.code());

        assertThat(opcode).isNotNull().hasToString(row.name());
        assertThat(opcode.code()).isEqualTo(row.code());
        assertThat(opcode.transport()).isEqualTo(row.transport());
        assertThat(opcode.payloadRule()).isEqualTo(row.payload());
        int end = Bth.LENGTH;
        for (String header : row.headers()) {
            assertThat(offset(opcode, header, end)).as(header).isEqualTo(end);
            end += length(header);
        }
        assertThat(opcode.headerLength()).isEqualTo(end);
        assertThat(presentHeaders(opcode))
                .isEqualTo(row.headers().stream()
                        .filter(h -> !h.equals("RESERVED"))
                        .count());
    }

    @Test
    void knowsNoOpcodeButThese() {
        List<Integer> known = rows().stream().map(Row::code).sorted().toList();

        assertThat(IntStream.range(0, 256).filter(code -> Opcode.of(code) != null))
                .containsExactlyElementsOf(known);
        assertThat(Opcode.values()).hasSize(known.size());
    }

    @ParameterizedTest
    @EnumSource
    void operationAndPositionFollowFromTheName(Opcode opcode) {
        String name = opcode.name();

        assertThat(opcode.position().begins()).isEqualTo(!name.contains("MIDDLE") && !name.contains("LAST"));
        assertThat(opcode.position().ends()).isEqualTo(!name.contains("MIDDLE") && !name.contains("FIRST"));
        assertThat(opcode.isResponse()).isEqualTo(name.contains("RESPONSE") || name.contains("ACKNOWLEDGE"));
        assertThat(opcode.isRequest()).isEqualTo(!opcode.isResponse() && opcode != Opcode.CNP);
        assertThat(opcode.operation().isAtomic()).isEqualTo(opcode.hasAtomicEth());
        assertThat(name.replace("RDMA_READ", "READ"))
                .contains(opcode.operation().name());
    }

    @Test
    void transportOfReservedOpcodesIsKnown() {
        assertThat(Transport.ofOpcode(0x15)).isEqualTo(Transport.RC);
        assertThat(Transport.ofOpcode(0x3F)).isEqualTo(Transport.UC);
        assertThat(Transport.ofOpcode(0x55)).isEqualTo(Transport.RD);
        assertThat(Transport.ofOpcode(0x66)).isEqualTo(Transport.UD);
        assertThat(Transport.ofOpcode(0x80)).isEqualTo(Transport.CNP);
        assertThat(Transport.ofOpcode(0xBF)).isEqualTo(Transport.XRC);
        assertThat(Transport.ofOpcode(0xC0)).isEqualTo(Transport.MANUFACTURER_6);
        assertThat(Transport.ofOpcode(0xFF)).isEqualTo(Transport.MANUFACTURER_7);
    }

    private static int offset(Opcode opcode, String header, int whereNoneIsAsked) {
        return switch (header) {
            case "XRCETH" -> opcode.xrcethOffset();
            case "DETH" -> opcode.dethOffset();
            case "FETH" -> opcode.fethOffset();
            case "RETH" -> opcode.rethOffset();
            case "ATOMICETH" -> opcode.atomicEthOffset();
            case "AETH" -> opcode.aethOffset();
            case "ATOMICACKETH" -> opcode.atomicAckEthOffset();
            case "IMM" -> opcode.immediateOffset();
            case "IETH" -> opcode.invalidateOffset();
            default -> whereNoneIsAsked;
        };
    }

    private static int length(String header) {
        return switch (header) {
            case "RETH", "RESERVED" -> 16;
            case "ATOMICETH" -> 28;
            case "DETH", "ATOMICACKETH" -> 8;
            default -> 4;
        };
    }

    private static long presentHeaders(Opcode opcode) {
        return List.of(
                        opcode.hasXrceth(),
                        opcode.hasDeth(),
                        opcode.hasFeth(),
                        opcode.hasReth(),
                        opcode.hasAtomicEth(),
                        opcode.hasAeth(),
                        opcode.hasAtomicAckEth(),
                        opcode.hasImmediate(),
                        opcode.hasInvalidate())
                .stream()
                .filter(present -> present)
                .count();
    }
}
