package io.rdma4j.core.wire;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class SyndromeTest {
    @Test
    void everyByteIsOfExactlyOneKind() {
        for (int syndrome = 0; syndrome < 256; syndrome++) {
            int top = syndrome >>> 5;
            assertThat(Syndrome.isAck(syndrome)).isEqualTo(top == 0);
            assertThat(Syndrome.isRnrNak(syndrome)).isEqualTo(top == 1);
            assertThat(Syndrome.isNak(syndrome)).isEqualTo(top == 3);
            assertThat(Syndrome.value(syndrome)).isEqualTo(syndrome & 31);
        }
    }

    @Test
    void reservedIsWhatHasNoMeaning() {
        List<Integer> meaningful = IntStream.range(0, 256)
                .filter(syndrome -> !Syndrome.isReserved(syndrome))
                .boxed()
                .toList();

        assertThat(meaningful)
                .containsExactlyElementsOf(IntStream.concat(IntStream.range(0, 0x40), IntStream.rangeClosed(0x60, 0x64))
                        .boxed()
                        .toList());
    }

    @Test
    void isBuiltFromKindAndValue() {
        assertThat(Syndrome.ack(Syndrome.UNLIMITED_CREDITS)).isEqualTo(0x1F);
        assertThat(Syndrome.rnrNak(18)).isEqualTo(0x32);
    }

    @Test
    void isDescribedInWords() {
        assertThat(Syndrome.describe(0x1F)).isEqualTo("ACK credit=31");
        assertThat(Syndrome.describe(0x32)).isEqualTo("RNR_NAK timer=18(5.12ms)");
        assertThat(Syndrome.describe(Syndrome.NAK_SEQUENCE_ERROR)).isEqualTo("NAK PSN_SEQ_ERR");
        assertThat(Syndrome.describe(Syndrome.NAK_INVALID_RD_REQUEST)).isEqualTo("NAK INVALID_RD_REQ");
        assertThat(Syndrome.describe(0x65)).isEqualTo("reserved");
        assertThat(Syndrome.describe(0xFF)).isEqualTo("reserved");
    }
}
