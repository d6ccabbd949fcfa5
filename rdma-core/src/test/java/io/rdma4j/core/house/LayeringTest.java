package io.rdma4j.core.house;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/**
 * What may know what inside rdma-core. The engine is told the time and handed its chance; these rules are what keeps it
 * so, and with it every test that replays a trace to the byte.
 */
class LayeringTest {
    private static final String CORE = "io.rdma4j.core";

    /** Lowest first; each may use only those before it. A new package has to take its place here. */
    private static final List<String> ORDER = List.of(
            "wire", "pcap", "memory", "link", "queue", "qp", "transport", "rc", "uc", "ud", "cm", "engine", "device");

    /** The API's implementation, called from users' threads: the one place that may wait and read a clock to do so. */
    private static final String DEVICE = CORE + ".device..";

    private static final JavaClasses CLASSES = new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .importPackages(CORE);

    @TestFactory
    List<DynamicTest> eachPackageUsesOnlyLowerOnes() {
        return ORDER.stream()
                .map(name -> DynamicTest.dynamicTest(
                        name,
                        () -> noClasses()
                                .that()
                                .resideInAPackage(in(name))
                                .should()
                                .dependOnClassesThat()
                                .resideInAnyPackage(above(name))
                                .allowEmptyShould(true)
                                .check(CLASSES)))
                .toList();
    }

    @Test
    void everyPackageHasItsPlaceInTheOrder() {
        assertThat(CLASSES).isNotEmpty();
        classes()
                .should()
                .resideInAnyPackage(ORDER.stream().map(LayeringTest::in).toArray(String[]::new))
                .check(CLASSES);
    }

    @Test
    void coreKnowsNoTransport() {
        noClasses()
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("io.netty..", "io.rdma4j.udp..", "io.rdma4j.testkit..", "java.nio.channels..")
                .check(CLASSES);
    }

    @Test
    void coreOpensNoSocket() {
        noClasses()
                .should()
                .dependOnClassesThat(DescribedPredicate.describe(
                        "are of java.net and more than an address",
                        type -> type.getPackageName().equals("java.net") && !isAddress(type)))
                .check(CLASSES);
    }

    @Test
    void coreMakesNoChance() {
        noClasses()
                .should()
                .dependOnClassesThat()
                .haveNameMatching(
                        "java\\.security\\.SecureRandom|java\\.util\\.Random|java\\.util\\.SplittableRandom|.*ThreadLocalRandom")
                .orShould()
                .callMethod(Math.class, "random")
                .check(CLASSES);
    }

    @Test
    void coreStartsNoThreadAndNeverSleeps() {
        noClasses()
                .should()
                .accessTargetWhere(
                        DescribedPredicate.describe("starts, stops or delays a thread", LayeringTest::isThreading))
                .orShould()
                .dependOnClassesThat()
                .haveNameMatching(
                        "java\\.util\\.Timer|java\\.util\\.concurrent\\..*Execut.*|java\\.util\\.concurrent\\.ForkJoin.*")
                .check(CLASSES);
    }

    @Test
    void theEngineIsToldTheTime() {
        noClasses()
                .that()
                .resideOutsideOfPackage(DEVICE)
                .should()
                .callMethod(System.class, "nanoTime")
                .orShould()
                .callMethod(System.class, "currentTimeMillis")
                .orShould()
                .dependOnClassesThat()
                .haveNameMatching("java\\.time\\.(Clock|Instant|LocalDateTime|ZonedDateTime)")
                .check(CLASSES);
    }

    @Test
    void onlyRingsAndTheApiLock() {
        noClasses()
                .that()
                .resideOutsideOfPackages(DEVICE, CORE + ".queue..")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("java.util.concurrent.locks..")
                .check(CLASSES);
    }

    private static String in(String name) {
        return CORE + "." + name + "..";
    }

    private static String[] above(String name) {
        return ORDER.subList(ORDER.indexOf(name) + 1, ORDER.size()).stream()
                .map(LayeringTest::in)
                .toArray(String[]::new);
    }

    private static boolean isAddress(JavaClass type) {
        return Set.of("InetAddress", "Inet4Address", "Inet6Address", "UnknownHostException")
                .contains(type.getSimpleName());
    }

    /** To ask who is running, to spin and to be interrupted is fine; anything else with a thread is the driver's. */
    private static boolean isThreading(JavaAccess<?> access) {
        return access.getTargetOwner().isEquivalentTo(Thread.class)
                && !Set.of("currentThread", "onSpinWait", "getName", "interrupt")
                        .contains(access.getTarget().getName());
    }
}
