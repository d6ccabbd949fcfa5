package io.rdma4j.core.house;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.source.tree.ClassTree;
import com.sun.source.tree.MethodTree;
import com.sun.source.tree.Tree;
import com.sun.source.util.SourcePositions;
import com.sun.source.util.TreePath;
import com.sun.source.util.TreePathScanner;
import io.rdma4j.core.house.SourceTree.Source;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * Ceilings on size, over the sources of all modules. They are not a style: a file or method that needs more does two
 * things, and a seventh parameter is a record that nobody has named yet.
 */
class SizeCeilingTest {
    private static final int FILE_LINES = 400;
    private static final int METHOD_LINES = 60;
    private static final int PARAMETERS = 6;

    private static final List<Source> SOURCES = SourceTree.parse();

    @Test
    void noFileIsLongerThan400Lines() {
        assertThat(SOURCES)
                .extracting(source -> source.name() + ": " + lines(source))
                .filteredOn(text -> Integer.parseInt(text.substring(text.lastIndexOf(' ') + 1)) > FILE_LINES)
                .as("files over %d lines", FILE_LINES)
                .isEmpty();
    }

    @Test
    void noMethodOfMainCodeIsLongerThan60Lines() {
        assertThat(methods())
                .filteredOn(method -> method.lines() > METHOD_LINES)
                .as("methods over %d lines, Javadoc not counted", METHOD_LINES)
                .isEmpty();
    }

    @Test
    void noMethodOfMainCodeTakesMoreThan6Parameters() {
        assertThat(methods())
                .filteredOn(method -> method.parameters() > PARAMETERS)
                .as("methods with more than %d parameters", PARAMETERS)
                .isEmpty();
    }

    private static long lines(Source source) {
        return source.text().lines().count();
    }

    private static List<Method> methods() {
        List<Method> methods = new ArrayList<>();
        SOURCES.stream()
                .filter(Source::isMain)
                .forEach(source -> new Measure(source, methods).scan(source.unit(), null));
        return methods;
    }

    private record Method(String where, long lines, int parameters) {}

    private static final class Measure extends TreePathScanner<Void, Void> {
        private final Source source;
        private final List<Method> into;

        Measure(Source source, List<Method> into) {
            this.source = source;
            this.into = into;
        }

        @Override
        public Void visitMethod(MethodTree method, Void unused) {
            SourcePositions positions = source.trees().getSourcePositions();
            long first = line(positions.getStartPosition(source.unit(), method));
            long last = line(positions.getEndPosition(source.unit(), method));
            // A row of an enum's table is read beside its column heads; there a long constructor is no riddle.
            int parameters =
                    isEnumConstructor(method) ? 0 : method.getParameters().size();
            into.add(new Method(source.name() + ":" + first + " " + method.getName(), last - first + 1, parameters));
            return super.visitMethod(method, unused);
        }

        private boolean isEnumConstructor(MethodTree method) {
            TreePath parent = getCurrentPath().getParentPath();
            return method.getReturnType() == null
                    && parent.getLeaf() instanceof ClassTree type
                    && type.getKind() == Tree.Kind.ENUM;
        }

        private long line(long position) {
            return source.unit().getLineMap().getLineNumber(position);
        }
    }
}
