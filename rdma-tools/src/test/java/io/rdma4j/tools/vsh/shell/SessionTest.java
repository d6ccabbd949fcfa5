package io.rdma4j.tools.vsh.shell;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNoException;

import io.rdma4j.testkit.fabric.Fabric;
import io.rdma4j.testkit.fabric.FabricDevice;
import io.rdma4j.verbs.Gid;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import java.util.zip.CRC32;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What a session answers, on the simulated fabric in virtual time. */
class SessionTest {
    private static final long MILLISECOND_NS = 1_000_000;

    private final Fabric fabric = new Fabric(1);
    private final FabricDevice device = fabric.addDevice("g1", Gid.parse("192.0.2.2"));
    private Session session = newSession();

    private Session newSession() {
        return new Session(device.rdma(), (condition, millis) -> fabric.runUntil(condition, millis * MILLISECOND_NS));
    }

    @BeforeEach
    void makeSomeObjects() {
        lines("mr m size=4096 access=lwrab", "cq c n=16", "qp q scq=c", "init q");
    }

    @AfterEach
    void close() {
        session.close();
        fabric.close();
    }

    private Answer answer(String line) {
        return Objects.requireNonNull(session.run(line), line);
    }

    private String line(String line) {
        return answer(line).line();
    }

    private List<String> lines(String... lines) {
        return List.of(lines).stream().map(this::line).toList();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "   ", "\t", "# a comment", "  #another"})
    void aLineThatSaysNothingIsNotAnswered(String line) {
        assertThat(session.run(line)).isNull();
    }

    @Test
    void greetsAndSaysGoodbye() {
        assertThat(session.greeting().line()).isEqualTo("OK dev=g1");
        assertThat(line("exec vsh rxe0")).isEqualTo("OK dev=g1");
        assertThat(session.isOver()).isFalse();
        assertThat(line("quit")).isEqualTo("OK bye");
        assertThat(session.isOver()).isTrue();
    }

    @Test
    void tellsWhatTheDeviceIsAndWhereItIs() {
        assertThat(line("gids")).isEqualTo("OK 0=::ffff:192.0.2.2");
        assertThat(line("dev"))
                .matches(
                        "OK state=4 active_mtu=4096 max_mtu=4096 max_qp=\\d+ max_qp_wr=\\d+ max_sge=\\d+ max_rd_atom=\\d+"
                                + " max_init_rd_atom=\\d+ atomic=1 caps=0x[0-9a-f]+ max_mr_size=0x[0-9a-f]+"
                                + " max_msg=0x80000000 gid_tbl=1 max_mw=\\d+ max_srq=\\d+ fw=\\S+");
    }

    @ParameterizedTest
    @CsvSource({
        "bogus, ERR unknown command bogus",
        "MR x, ERR unknown command MR",
        "mr, ERR mr: name: what shall it be called? It goes: mr MR [size=] [access=] [iova=]",
        "mr m, ERR mr: name: there is a memory region m already",
        "mr n size=, ERR mr: size= is no number",
        "mr n size=12k, ERR mr: size=12k is no number",
        "mr n size=0x, ERR mr: size=0x is no number",
        "mr n size=09, ERR mr: size=09 is no number",
        "mr n size=--1, ERR mr: size=--1 is no number",
        "mr n size=-1, ERR mr: size=-1 is not in 0..1073741824",
        "mr n size=4294967296, ERR mr: size=4294967296 is not in 0..1073741824",
        "mr n size=99999999999999999999, ERR mr: size=99999999999999999999 is no number",
        "mr n access=lx, ERR mr: access=lx: x is none of lwrabzoi",
        "mr n sise=1, ERR mr: sise=1 is not understood; it goes: mr MR [size=] [access=] [iova=]",
        "mr n size=1 size=2, ERR mr: size= is given twice",
        "mr n extra, ERR mr: extra is not understood; it goes: mr MR [size=] [access=] [iova=]",
        "dev m, ERR dev: m is not understood; it goes: dev",
        "fill x, ERR fill: no such mr: x",
        "fill, ERR fill: no such mr",
        "fill m off=4097, ERR fill: range: the region has 4096 bytes",
        "fill m off=4000 len=97, ERR fill: range: the region has 4096 bytes",
        "fill m off=-1, ERR fill: range: the region has 4096 bytes",
        "fill m seed=256, ERR fill: seed=256 is not in 0..255",
        "fill m mode=dec, ERR fill: mode=dec is none of inc const",
        "hex m off=4090, ERR hex: range: the region has 4096 bytes",
        "u64 m off=4089, ERR hex: range: the region has 4096 bytes",
        "poke m, ERR poke: give either u64= or hex=",
        "poke m hex=0, ERR poke: hex=0 is no bytes in hexadecimal",
        "poke m off=4095 hex=0000, ERR poke: range: the region has 4096 bytes",
        "poll nothing, ERR poll: no such cq: nothing",
        "poll, ERR poll: no such cq",
        "poll c n=0, ERR poll: n=0 is not in 1..1024",
        "poll c ms=-1, ERR poll: ms=-1 is not in 0..3600000",
        "qp q, ERR qp: name: there is a queue pair q already",
        "qp r type=xrc, ERR qp: type=xrc is none of rc uc ud",
        "qp r srq=s, ERR qp: no such srq: s",
        "rtr q dip=nowhere, ERR rtr: dip or sgid: dip=nowhere is no address",
        "rtr q, ERR rtr: dip or sgid: dip= is no address",
        "rtr q dip=192.0.2.3 sgid=1, 'ERR rtr: dip or sgid: the device has one GID, of index 0'",
        "rtr q dip=fd00::1, ERR rtr: dip or sgid: dip=fd00::1 is not of the family of the device's own GID",
        "rtr q dip=192.0.2.3 mtu=1000, ERR rtr: mtu=1000 is none of 256 512 1024 2048 4096",
        "rts q psn=0x1000000, ERR modify_qp: Invalid argument",
        "rts q, ERR modify_qp: Invalid argument",
        "state q to=init, ERR state: to=init is none of err reset sqd rts",
        "query x, ERR query_qp: No such file or directory",
        "destroy x, ERR destroy_qp: No such file or directory",
        "dealloc_mw x, ERR dealloc_mw: No such file or directory",
        "srqlimit x, ERR modify_srq: No such file or directory",
        "send x, ERR send: no such qp: x",
        "send q op=sent, ERR send: op=sent is none of send send_imm send_inv write write_imm read cas fadd bind linv",
        "send q n=65, ERR send: n=65 is not in 1..64",
        "send q mr=x, ERR send: no such mr: x",
        "send q fl=q, ERR send: fl=q: q is none of sfie",
        "send q op=cas, 'ERR send: an atomic puts its result into one element, not 0'",
        "send q op=bind mw=w, ERR send: no such mw: w",
        "send q fl=i mr=m off=4090 len=10, ERR send: range: the region has 4096 bytes",
        "send q mr=m off=4097, ERR send: range: -1 bytes at offset 4097",
        "send q mr=m len=8, ERR post_send: Invalid argument (bad 0)",
        "recv x, ERR recv: no such qp: x",
        "srecv s, ERR srecv: no such srq: s",
        "bind1 q, ERR bind1: no such mw",
        "ah h, ERR ah: dip: dip= is no address",
        "help bogus, ERR help: unknown command bogus"
    })
    void refusesInWords(String command, String expected) {
        assertThat(line(command)).isEqualTo(expected);
    }

    @Test
    void aRefusalOfTheDeviceIsExplainedInItsOwnWords() {
        Answer refused = answer("rts q");

        assertThat(refused.isOk()).isFalse();
        assertThat(refused.explanations()).singleElement().asString().contains("IBV_QPS_INIT to IBV_QPS_RTS");
    }

    @Test
    void aRefusedCommandLeavesNothingBehind() {
        assertThat(line("qp r sge=1000")).startsWith("ERR create_qp: ");
        assertThat(line("mr n access=w")).startsWith("ERR reg_mr: ");
        assertThat(line("list")).isEqualTo("OK mr=m cq=c,cq qp=q");
        assertThat(line("qp r")).startsWith("OK qpn=");
    }

    @Test
    void readsAndWritesMemory() {
        assertThat(lines(
                        "fill m seed=0x10 len=4",
                        "hex m len=6",
                        "poke m off=8 u64=0x1122334455667788",
                        "u64 m off=8",
                        "poke m off=1 hex=ffFE",
                        "hex m len=4",
                        "poke m off=16 u64=-1",
                        "u64 m off=16",
                        "fill m seed=7 mode=const len=3",
                        "hex m len=4",
                        "sum m off=4096",
                        "hex m len=0"))
                .containsExactly(
                        "OK crc=0x" + crc("10111213"),
                        "OK 101112130000",
                        "OK",
                        "OK v=0x1122334455667788",
                        "OK",
                        "OK 10fffe13",
                        "OK",
                        "OK v=0xffffffffffffffff",
                        "OK crc=0x" + crc("070707"),
                        "OK 07070713",
                        "OK crc=0x00000000",
                        "OK");
    }

    private static String crc(String hex) {
        CRC32 crc = new CRC32();
        crc.update(HexFormat.of().parseHex(hex));
        return String.format("%08x", crc.getValue());
    }

    @Test
    void aRegionIsForgottenWhenItIsDeregistered() {
        assertThat(lines("dereg m", "hex m", "mr m size=64"))
                .satisfiesExactly(
                        first -> assertThat(first).isEqualTo("OK"),
                        second -> assertThat(second).isEqualTo("ERR hex: no such mr: m"),
                        third -> assertThat(third).startsWith("OK addr=0x").endsWith(" size=64"));
    }

    @Test
    void waitsInTheTimeOfItsWaiterAlone() {
        long before = fabric.nowNs();

        assertThat(lines("poll c ms=3000", "sleep ms=200", "async ms=50")).containsExactly("OK n=0", "OK", "OK none");

        assertThat(fabric.nowNs() - before).isEqualTo(3_250 * MILLISECOND_NS);
    }

    @Test
    void holdsSoManyObjectsAndNoMore() {
        for (int i = 1; i < ShellLimits.MAX_OBJECTS; i++) {
            assertThat(line("mr m" + i + " size=1")).startsWith("OK");
        }

        assertThat(line("mr more size=1")).isEqualTo("ERR mr: name: a session has at most 128 of each kind");
        assertThat(lines("dereg m1", "mr more size=1")).allMatch(answer -> answer.startsWith("OK"));
    }

    @Test
    void refusesALineThatIsTooLong() {
        String line = "# " + "x".repeat(ShellLimits.MAX_LINE);

        assertThat(session.run(line)).isNull(); // a comment, however long
        assertThat(line(line.substring(2) + " y")).isEqualTo("ERR line: longer than 131072 characters");
    }

    @Test
    void destroysEverythingWhenItIsClosed() {
        lines("qp r", "mr n size=8", "cq d");

        assertThatNoException().isThrownBy(session::close); // the domain would name what still lives
        session = newSession();

        assertThat(line("list")).isEqualTo("OK none");
    }

    @Test
    void everyCommandIsExplained() {
        String all = line("help").substring("OK ".length());

        assertThat(all.split(" ")).hasSizeGreaterThan(30).allSatisfy(name -> {
            Answer help = answer("help " + name);
            assertThat(help.line()).startsWith("OK " + name);
            assertThat(help.explanations())
                    .isNotEmpty()
                    .allSatisfy(line -> assertThat(line).hasSizeLessThanOrEqualTo(100));
        });
        assertThat(answer("help").explanations())
                .allSatisfy(line -> assertThat(line).hasSizeLessThanOrEqualTo(80));
    }

    @Test
    void completesCommandsObjectsArgumentsAndTheirValues() {
        lines("mr more size=8");
        Completion completion = session.completion();

        assertThat(completion.candidates(List.of("s"))).contains("send", "sum", "srq", "sleep");
        assertThat(completion.candidates(List.of("rt"))).containsExactly("rtr", "rts");
        assertThat(completion.candidates(List.of("hex", ""))).containsExactly("m", "more");
        assertThat(completion.candidates(List.of("hex", "m", ""))).containsExactly("off=", "len=");
        assertThat(completion.candidates(List.of("hex", "m", "off=1", ""))).containsExactly("len=");
        assertThat(completion.candidates(List.of("send", "q", "op=w"))).containsExactly("op=write", "op=write_imm");
        assertThat(completion.candidates(List.of("send", "q", "mr="))).containsExactly("mr=m", "mr=more");
        assertThat(completion.candidates(List.of("help", "qu"))).containsExactly("query", "quit");
        assertThat(completion.candidates(List.of("poll", ""))).containsExactly("c", "n=", "ms=");
        assertThat(completion.candidates(List.of("bogus", ""))).isEmpty();
        assertThat(completion.candidates(List.of("fill", "m", "seed=1"))).isEmpty();
    }
}
