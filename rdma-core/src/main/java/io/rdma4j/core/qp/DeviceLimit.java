package io.rdma4j.core.qp;

/**
 * What a device grants its programs, with its figure in each {@link DeviceProfile}; docs/limits.md mirrors the table, and a
 * test compares. Each is enforced where the object is made or changed: a number of objects over all contexts of a device.
 */
public enum DeviceLimit {
    // Figures: default, rxe-like, ConnectX-like, tiny.
    MAX_QP("max_qp", 16_384, 1 << 20, 262_144, 4),
    MAX_QP_WR("max_qp_wr", 16_384, 1 << 20, 32_768, 8),
    MAX_SGE("max_sge", 32, 32, 30, 2),
    MAX_INLINE_DATA("max_inline_data", 1_024, 512, 828, 16),
    MAX_QP_RD_ATOM("max_qp_rd_atom", 16, 128, 16, 2),
    MAX_QP_INIT_RD_ATOM("max_qp_init_rd_atom", 16, 128, 16, 2),
    MAX_RES_RD_ATOM("max_res_rd_atom", 262_144, 258_048, 4_194_304, 6),
    MAX_CQ("max_cq", 16_384, 1 << 20, 1 << 24, 4),
    MAX_CQE("max_cqe", 1 << 20, 32_767, 4_194_303, 16),
    MAX_SRQ("max_srq", 16_384, 1 << 20, 1 << 23, 2),
    MAX_SRQ_WR("max_srq_wr", 16_384, 1 << 20, 32_767, 8),
    MAX_SRQ_SGE("max_srq_sge", 32, 27, 31, 2),
    MAX_PD("max_pd", 16_384, 1 << 20, 1 << 23, 4),
    MAX_MR("max_mr", 65_536, 1 << 20, 1 << 20, 4),
    MAX_MR_SIZE("max_mr_size", 1L << 47, 1L << 47, 1L << 47, 1 << 20),
    MAX_MW("max_mw", 65_536, 1 << 20, 1 << 20, 4),
    MAX_FAST_REG_PAGE_LIST("max_fast_reg_page_list_len", 512, 512, 65_536, 4),
    MAX_AH("max_ah", 65_536, 32_767, 1 << 24, 4),
    MAX_MCAST_GRP("max_mcast_grp", 8_192, 8_192, 2_097_152, 2),
    MAX_MCAST_QP_ATTACH("max_mcast_qp_attach", 64, 56, 240, 2),
    MAX_TOTAL_MCAST_QP_ATTACH("max_total_mcast_qp_attach", 524_288, 458_752, 503_316_480, 3);

    private final String text;
    private final long byDefault;
    private final long rxeLike;
    private final long connectxLike;
    private final long tiny;

    DeviceLimit(String text, long byDefault, long rxeLike, long connectxLike, long tiny) {
        this.text = text;
        this.byDefault = byDefault;
        this.rxeLike = rxeLike;
        this.connectxLike = connectxLike;
        this.tiny = tiny;
    }

    /** The field of {@code ibv_device_attr}. */
    public String text() {
        return text;
    }

    long in(DeviceProfile profile) {
        return switch (profile) {
            case DEFAULT -> byDefault;
            case RXE_LIKE -> rxeLike;
            case CONNECTX_LIKE -> connectxLike;
            case TINY -> tiny;
        };
    }
}
