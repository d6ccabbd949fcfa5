package io.rdma4j.core.house;

import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.util.JavacTask;
import com.sun.source.util.Trees;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/** The repository's Java sources, of every module, parsed by the compiler itself. */
final class SourceTree {
    private SourceTree() {}

    /** One parsed file; {@code trees} gives the positions in it. */
    record Source(Path path, CompilationUnitTree unit, Trees trees) {
        /** Where the file lies, from the repository's root, with forward slashes. */
        String name() {
            return root().relativize(path).toString().replace('\\', '/');
        }

        boolean isTest() {
            return name().contains("/src/test/");
        }

        boolean isMain() {
            return name().contains("/src/main/");
        }

        boolean isInModule(String module) {
            return name().startsWith(module + "/");
        }

        String text() {
            try {
                return Files.readString(path);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    /** The repository's root: the first directory upwards that holds this module beside the API's. */
    static Path root() {
        for (Path at = Path.of("").toAbsolutePath(); at != null; at = at.getParent()) {
            if (Files.isDirectory(at.resolve("rdma-core")) && Files.isDirectory(at.resolve("rdma-verbs-api"))) {
                return at;
            }
        }
        throw new IllegalStateException("no repository above " + Path.of("").toAbsolutePath());
    }

    /** Every Java file under each module's {@code src}. */
    static List<Path> files() {
        try (Stream<Path> modules = Files.list(root())) {
            return modules.map(module -> module.resolve("src"))
                    .filter(Files::isDirectory)
                    .flatMap(SourceTree::javaFilesIn)
                    .sorted()
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Parses every file; nothing is resolved, so no class path is needed. */
    static List<Source> parse() {
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        try (StandardJavaFileManager manager = compiler.getStandardFileManager(null, null, StandardCharsets.UTF_8)) {
            JavacTask task = (JavacTask) compiler.getTask(
                    null, manager, null, List.of("-proc:none"), null, manager.getJavaFileObjectsFromPaths(files()));
            Trees trees = Trees.instance(task);
            List<Source> sources = new ArrayList<>();
            for (CompilationUnitTree unit : task.parse()) {
                sources.add(new Source(Path.of(unit.getSourceFile().toUri()), unit, trees));
            }
            return sources;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Stream<Path> javaFilesIn(Path directory) {
        try (Stream<Path> all = Files.walk(directory)) {
            return all.filter(path -> path.toString().endsWith(".java")).toList().stream();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
