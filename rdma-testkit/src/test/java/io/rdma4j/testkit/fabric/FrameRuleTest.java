package io.rdma4j.testkit.fabric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rdma4j.core.wire.Opcode;
import io.rdma4j.core.wire.Syndrome;
import io.rdma4j.verbs.Gid;
import org.junit.jupiter.api.Test;

class FrameRuleTest {
    @Test
    void aRuleActsOnTheMatchesItIsFor() {
        assertThat(FrameRule.drop().actsOn(1)).isTrue();
        assertThat(FrameRule.drop().actsOn(1_000_000)).isTrue();
        assertThat(FrameRule.drop().nth(3).actsOn(2)).isFalse();
        assertThat(FrameRule.drop().nth(3).actsOn(3)).isTrue();
        assertThat(FrameRule.drop().nth(3).actsOn(4)).isFalse();
        assertThat(FrameRule.drop().first(2).actsOn(2)).isTrue();
        assertThat(FrameRule.drop().first(2).actsOn(3)).isFalse();
        assertThat(FrameRule.drop().fromNth(2).actsOn(1)).isFalse();
        assertThat(FrameRule.drop().fromNth(2).actsOn(5)).isTrue();
    }

    @Test
    void matchesAreCountedFromOne() {
        assertThatThrownBy(() -> FrameRule.drop().nth(0)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void everyNthIsCountedFromTheNth() {
        FrameRule rule = FrameRule.drop().every(50);

        assertThat(rule.actsOn(49)).isFalse();
        assertThat(rule.actsOn(50)).isTrue();
        assertThat(rule.actsOn(51)).isFalse();
        assertThat(rule.actsOn(100)).isTrue();
    }

    @Test
    void aRuleSaysInWordsWhatItDoes() {
        try (Fabric fabric = new Fabric(1)) {
            FabricDevice a = fabric.addDevice("a", Gid.parse("192.0.2.2"));

            assertThat(FrameRule.drop()).hasToString("drop every frame");
            assertThat(FrameRule.drop().opcode(Opcode.RC_ACKNOWLEDGE).to(a).nth(3))
                    .hasToString("drop the 3rd frame: RC_ACKNOWLEDGE, to a");
            assertThat(FrameRule.delay(5).from(a).psn(7).queuePair(9).first(2))
                    .hasToString("delay by 5 ns the first 2 frames: from a, PSN 7, to QP 9");
            assertThat(FrameRule.duplicate(4).fromNth(11))
                    .hasToString("duplicate 4 ns later every frame from the 11th on");
            assertThat(FrameRule.reorder(2).every(21)).hasToString("swap with the next 2 every 21st frame");
            assertThat(FrameRule.corrupt()
                            .when("an odd PSN", frame -> frame.psn() % 2 == 1)
                            .nth(22))
                    .hasToString("corrupt the 22nd frame: an odd PSN");
            assertThat(FrameRule.nak(Syndrome.NAK_REMOTE_ACCESS).nth(1))
                    .hasToString("answer with 0x62 (NAK REM_ACCESS_ERR) the 1st frame: a request");
            assertThat(FrameRule.rnrNak(12).andDeliver())
                    .hasToString("answer with 0x2c (RNR_NAK timer=12(0.64ms)), and deliver, every frame: a request");
        }
    }

    @Test
    void whatMakesNoSenseIsRefused() {
        assertThatThrownBy(() -> FrameRule.reorder(0)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> FrameRule.nak(256)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> FrameRule.rnrNak(32)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> FrameRule.drop().andDeliver()).isInstanceOf(IllegalStateException.class);
    }
}
