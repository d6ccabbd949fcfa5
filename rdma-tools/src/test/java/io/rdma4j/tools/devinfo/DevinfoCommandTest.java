package io.rdma4j.tools.devinfo;

import static org.assertj.core.api.Assertions.assertThat;

import io.rdma4j.tools.CommandRun;
import org.junit.jupiter.api.Test;

class DevinfoCommandTest {
    private static final String DEVICE = "udp://127.0.0.1?port=0";

    @Test
    void printsTheLinesOfIbvDevinfo() {
        CommandRun run = CommandRun.of("devinfo", "-d", DEVICE);

        assertThat(run.exitCode()).as(run.err()).isZero();
        assertThat(run.lines().get(0)).startsWith("hca_id:\t");
        assertThat(run.lines())
                .contains(
                        "\ttransport:\t\t\tInfiniBand (0)",
                        "\tphys_port_cnt:\t\t\t1",
                        "\t\tport:\t1",
                        "\t\t\tstate:\t\t\tPORT_ACTIVE (4)",
                        "\t\t\tsm_lid:\t\t\t0",
                        "\t\t\tlink_layer:\t\tEthernet");
        assertThat(run.out())
                .containsPattern("\tnode_guid:\t\t\t[0-9a-f]{4}(:[0-9a-f]{4}){3}\n")
                .containsPattern("\t\t\tactive_mtu:\t\t\\d+ \\([1-5]\\)\n")
                .doesNotContain("GID[");
    }

    @Test
    void saysMoreWhenVerbose() {
        CommandRun run = CommandRun.of("devinfo", "-v", "-d", DEVICE);

        assertThat(run.out()).contains("max_qp_wr:", "max_cqe:", "\t\t\tGID[  0]:\t\tfd72:646d:", ", RoCE v2");
    }

    @Test
    void saysWhatTheProfileGrants() {
        CommandRun run = CommandRun.of("devinfo", "-v", "-d", DEVICE + "&profile=tiny");

        assertThat(run.lines())
                .contains(
                        "\tmax_qp:\t\t\t\t4",
                        "\tmax_mw:\t\t\t\t4",
                        "\tmax_total_mcast_qp_attach:\t3",
                        "\tatomic_cap:\t\t\tATOMIC_HCA (1)",
                        "\t\t\t\t\tRC_RNR_NAK_GEN",
                        "\t\t\t\t\tSRQ_RESIZE");
    }

    @Test
    void listsTheLoopbackDeviceOfEveryMachine() {
        CommandRun run = CommandRun.of("devinfo", "-l");

        assertThat(run.exitCode()).isZero();
        assertThat(run.lines().get(0)).matches("\\d+ HCAs? found:");
        assertThat(run.lines()).contains("\tudp://127.0.0.1");
    }

    @Test
    void refusesAPortThatNoDeviceHas() {
        CommandRun run = CommandRun.of("devinfo", "-d", DEVICE, "-i", "2");

        assertThat(run.exitCode()).isEqualTo(1);
        assertThat(run.err()).contains("one port");
    }
}
