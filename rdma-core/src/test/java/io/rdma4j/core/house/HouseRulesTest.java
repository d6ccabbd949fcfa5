package io.rdma4j.core.house;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.source.tree.ImportTree;
import com.sun.source.tree.MemberSelectTree;
import com.sun.source.tree.MethodInvocationTree;
import com.sun.source.util.TreeScanner;
import io.rdma4j.core.house.SourceTree.Source;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Rules of the house that no compiler checks, over the sources of all modules. */
class HouseRulesTest {
    private static final List<Source> SOURCES = SourceTree.parse();

    /** A test that sleeps is slow when it passes and wrong when the machine is slow; only real sockets may need it. */
    @Test
    void testsDoNotSleep() {
        assertThat(linesWhere(source -> source.isTest() && !source.isInModule("rdma-transport-udp"), new Sleeps()))
                .isEmpty();
    }

    /**
     * Code that is told the time has no use for waiting: nothing in core or the simulated fabric sleeps. Only core.device
     * meets application threads, which do wait, and the bed of the contract for devices that live by the clock.
     */
    @Test
    void deterministicModulesDoNotSleep() {
        assertThat(linesWhere(
                        source -> source.isMain()
                                && (source.isInModule("rdma-core") || source.isInModule("rdma-testkit"))
                                && !source.name().contains("core/device/")
                                && !source.name().endsWith("contract/RealTimeBed.java"),
                        new Sleeps()))
                .isEmpty();
    }

    /** A package says in a sentence what it is for, and that its types are non-null unless they say otherwise. */
    @Test
    void everyPackageHasAnInfoThatIsNullMarked() {
        List<String> wrong = SourceTree.files().stream()
                .filter(file -> file.toString().replace('\\', '/').contains("/src/main/java/"))
                .filter(file -> !file.endsWith("module-info.java"))
                .map(Path::getParent)
                .distinct()
                .map(HouseRulesTest::complaintAboutPackage)
                .filter(complaint -> !complaint.isEmpty())
                .toList();
        assertThat(wrong).isEmpty();
    }

    /** Fakes of the few ports are written by hand; a mock pins the calls a test happens to know. */
    @Test
    void nothingIsMockedOrGenerated() {
        Set<String> refused = Set.of("org.mockito", "org.easymock", "org.powermock", "lombok", "sun.misc");
        assertThat(importsWhere(source -> true, name -> refused.stream().anyMatch(name::startsWith)))
                .isEmpty();
    }

    /** Netty is a detail of one transport; whoever else needs it has put the seam in the wrong place. */
    @Test
    void nettyStaysInTheTransport() {
        assertThat(importsWhere(
                        source -> !source.isInModule("rdma-transport-udp") && !source.isInModule("benchmarks"),
                        name -> name.startsWith("io.netty")))
                .isEmpty();
    }

    /** An example is what a user would write, so it sees what a user sees. */
    @Test
    void examplesUseTheVerbsApiOnly() {
        assertThat(importsWhere(
                        source -> source.isInModule("examples") && source.isMain(),
                        name -> name.startsWith("io.rdma4j")
                                && !name.startsWith("io.rdma4j.verbs")
                                && !name.startsWith("io.rdma4j.examples")))
                .isEmpty();
    }

    private static List<String> linesWhere(Predicate<Source> which, Sleeps sleeps) {
        List<String> found = new ArrayList<>();
        SOURCES.stream().filter(which).forEach(source -> {
            sleeps.scan(source.unit(), found);
            found.replaceAll(text -> text.contains(".java") ? text : source.name() + ": " + text);
        });
        return found;
    }

    private static List<String> importsWhere(Predicate<Source> which, Predicate<String> refused) {
        return SOURCES.stream()
                .filter(which)
                .flatMap(source -> source.unit().getImports().stream()
                        .map(ImportTree::getQualifiedIdentifier)
                        .map(Object::toString)
                        .filter(refused)
                        .map(name -> source.name() + ": " + name))
                .toList();
    }

    private static String complaintAboutPackage(Path directory) {
        Path info = directory.resolve("package-info.java");
        if (!Files.exists(info)) {
            return SourceTree.root().relativize(directory) + " has no package-info.java";
        }
        String text = SOURCES.stream()
                .filter(source -> source.path().equals(info))
                .flatMap(source -> Stream.of(source.text()))
                .findFirst()
                .orElse("");
        if (!text.startsWith("/**")) {
            return SourceTree.root().relativize(info) + " does not begin with a sentence";
        }
        return text.contains("@NullMarked") ? "" : SourceTree.root().relativize(info) + " is not @NullMarked";
    }

    /** Finds {@code Thread.sleep(..)}, {@code TimeUnit.X.sleep(..)} and their like. */
    private static final class Sleeps extends TreeScanner<Void, List<String>> {
        @Override
        public Void visitMethodInvocation(MethodInvocationTree call, List<String> found) {
            if (call.getMethodSelect() instanceof MemberSelectTree select) {
                String name = select.getIdentifier().toString();
                if (name.equals("sleep") || name.equals("parkNanos") || name.equals("parkUntil")) {
                    found.add(call.toString());
                }
            }
            return super.visitMethodInvocation(call, found);
        }
    }
}
