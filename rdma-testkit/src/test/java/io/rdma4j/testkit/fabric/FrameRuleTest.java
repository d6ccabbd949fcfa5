package io.rdma4j.testkit.fabric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

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
}
