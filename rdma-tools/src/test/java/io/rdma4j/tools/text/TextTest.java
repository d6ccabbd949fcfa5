package io.rdma4j.tools.text;

import static org.assertj.core.api.Assertions.assertThat;

import io.rdma4j.verbs.Gid;
import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TextTest {
    @ParameterizedTest
    @CsvSource({"850, 850 ns", "12345, 12.3 us", "4560000, 4.56 ms", "1200000000, 1.20 s"})
    void showsDurationsInTheUnitThatFits(long nanos, String text) {
        assertThat(Units.duration(nanos)).isEqualTo(text);
    }

    @ParameterizedTest
    @CsvSource({"0, 0 B", "64, 64 B", "4096, 4 KiB", "1572864, 1.5 MiB", "67108864, 64 MiB", "2147483648, 2 GiB"})
    void showsBytesInBinaryUnits(long bytes, String text) {
        assertThat(Units.bytes(bytes)).isEqualTo(text);
    }

    @Test
    void computesRatesAlsoWhenNoTimeHasPassed() {
        assertThat(Units.throughput(1 << 20, 500_000_000)).isEqualTo("2 MiB/s");
        assertThat(Units.perSecond(5, 0)).isZero();
    }

    @ParameterizedTest
    @CsvSource({
        "00000000000000000000ffffc0000201, ::ffff:192.0.2.1",
        "fe80000000000000505400fffe123402, fe80::5054:ff:fe12:3402",
        "fd726d646134000000000000000000ff, fd72:6d64:6134::ff",
        "00000000000000000000000000000001, ::1"
    })
    void showsGidsAsTheCToolsDo(String hex, String text) {
        assertThat(InternetText.of(Gid.parse(hex))).isEqualTo(text);
    }

    @Test
    void alignsTheFirstColumnLeftAndTheOthersRight() {
        assertThat(new Table()
                        .row("step", "time")
                        .row("a", "10 us")
                        .row("longer", "1 s")
                        .lines())
                .containsExactly("step     time", "-------------", "a       10 us", "longer    1 s");
    }

    @Test
    void progressIsALineAtEachQuarterWhereNobodyWatches() {
        StringWriter out = new StringWriter();
        ProgressBar bar = new ProgressBar(new PrintWriter(out), false, "RDMA WRITE", 100);
        for (int done = 0; done <= 100; done += 5) {
            bar.update(done, done);
        }
        bar.clear();

        assertThat(out.toString().lines())
                .containsExactly(
                        "  RDMA WRITE: 25% of 100 B", "  RDMA WRITE: 50% of 100 B", "  RDMA WRITE: 75% of 100 B");
    }

    @Test
    void progressIsRedrawnInPlaceOnATerminalAndNeverOverfull() {
        StringWriter out = new StringWriter();
        ProgressBar bar = new ProgressBar(new PrintWriter(out), true, "RDMA WRITE", 100, Units::bytes, 80);
        bar.update(50, 0);
        bar.update(60, 1); // too soon after the last drawing
        bar.update(130, 1_000_000_000);
        bar.clear();

        assertThat(out.toString()).doesNotContain("\n").doesNotContain(" 60%").contains(" 50%", "100%");
        assertThat(out.toString().split("\r"))
                .allSatisfy(drawn -> assertThat(drawn).hasSizeLessThan(80));
    }

    @Test
    void progressFitsATerminalOfEightyColumnsHoweverWideItsCountsAre() {
        StringWriter out = new StringWriter();
        ProgressBar bar = new ProgressBar(new PrintWriter(out), true, "RDMA WRITE", 1_073_689_396, Units::bytes, 80);
        bar.update(1_048_524, 0);
        bar.update(1 << 20, 1_000_000_000); // shorter: what the line before left has to go
        bar.update(1_073_689_396, 2_000_000_000);

        assertThat(out.toString()).contains("1023.9 KiB of 1024.0 MiB", "100%  1024.0 MiB of 1024.0 MiB");
        assertThat(out.toString().substring(1).split("\r"))
                .allSatisfy(drawn -> assertThat(drawn).hasSize(79));
    }

    @Test
    void progressOnANarrowTerminalLeavesTheBarOutAndNeverWraps() {
        StringWriter out = new StringWriter();
        ProgressBar bar = new ProgressBar(
                new PrintWriter(out), true, "seeds", 1000, count -> Units.format("%,d", count), Terminal.columns("40"));
        bar.update(500, 0);
        bar.clear();

        assertThat(out.toString()).contains(" 50%  500 of 1,000").doesNotContain("[");
        assertThat(out.toString().substring(1).split("\r"))
                .allSatisfy(drawn -> assertThat(drawn).hasSize(39));
    }

    @Test
    void widthOfTheTerminalIsWhatTheVariableSaysIfThatIsANumber() {
        assertThat(Terminal.columns("132")).isEqualTo(132);
        assertThat(Terminal.columns(null)).isEqualTo(80);
        assertThat(Terminal.columns("wide")).isEqualTo(80);
        assertThat(Terminal.columns("1")).isEqualTo(8);
    }
}
