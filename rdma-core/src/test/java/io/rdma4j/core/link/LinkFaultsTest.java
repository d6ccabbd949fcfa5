package io.rdma4j.core.link;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class LinkFaultsTest {
    @Test
    void everyPartIsTakenInAnyOrder() {
        assertThat(LinkFaults.parse("seed:7,delay:200us,corrupt:0.001,reorder:.02,duplicate:1,loss:1e-2"))
                .isEqualTo(new LinkFaults(0.01, 1, 0.02, 0.001, 200_000, 7L));
    }

    @Test
    void whatIsLeftOutIsNothing() {
        assertThat(LinkFaults.parse("loss:0.5")).isEqualTo(new LinkFaults(0.5, 0, 0, 0, 0, null));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "loss:0.01,duplicate:0.01,reorder:0.02,corrupt:0.001,delay:200us,seed:7",
                "loss:0.0001",
                "delay:3ms",
                "delay:15ns,seed:-1",
                "loss:0"
            })
    void theTextFormIsReadBack(String text) {
        assertThat(LinkFaults.parse(text)).hasToString(text);
    }

    @ParameterizedTest
    @CsvSource({"1s, 1000000000", "1.5ms, 1500000", "0ns, 0", "10s, 10000000000"})
    void delaysHaveAUnit(String text, long nanos) {
        assertThat(LinkFaults.parse("delay:" + text).delayNs()).isEqualTo(nanos);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "loss|\"loss\" is not of the form name:value",
                "loss:0.1,|\"\" is not of the form name:value",
                "loss:0.1,loss:0.2|loss stands in it twice",
                "lost:0.1|it knows no lost, only loss, duplicate, reorder, corrupt, delay and seed",
                "loss:2|loss must be from 0 to 1, not 2.0",
                "loss:a|loss must be from 0 to 1, not a",
                "corrupt:-0.1|corrupt must be from 0 to 1, not -0.1",
                "delay:200|delay must be a number with a unit, as in 200us or 1.5ms, not 200",
                "delay:0.5ns|delay must be a number with a unit, as in 200us or 1.5ms, not 0.5ns",
                "delay:11s|delay must be from 0 to 10s",
                "seed:x|seed must be a whole number, not x",
            })
    void whatIsWrongIsSaidInWords(String text, String words) {
        assertThatThrownBy(() -> LinkFaults.parse(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(words);
    }
}
