package io.rdma4j.core.device;

/** The version that the device reports as its firmware. */
final class Version {
    static final String TEXT = text();

    private Version() {}

    private static String text() {
        String version = Version.class.getPackage().getImplementationVersion();
        return version == null ? "development" : version;
    }
}
