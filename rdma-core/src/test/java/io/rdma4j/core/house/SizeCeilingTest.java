package io.rdma4j.core.house;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.source.tree.ClassTree;
import com.sun.source.tree.MethodTree;
import com.sun.source.tree.VariableTree;
import com.sun.source.util.SourcePositions;
import com.sun.source.util.TreePathScanner;
import io.rdma4j.core.house.SourceTree.Source;
import java.util.ArrayList;
import java.util.List;
import javax.lang.model.element.Modifier;
import org.junit.jupiter.api.Test;

/**
 * Ceilings on size, over the sources of all modules. They are not a style: a file or method that needs more does two
 * things, and a seventh parameter is a record that nobody has named yet. Javadoc does not count for a method.
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
            int parameters = isTableRow(method) ? 0 : method.getParameters().size();
            into.add(new Method(source.name() + ":" + first + " " + method.getName(), last - first + 1, parameters));
            return super.visitMethod(method, unused);
        }

        /**
         * The constructor of an enum, whose calls are the rows of a table and are read beside their column heads; or the
         * canonical one of a record, whose parameters are named and documented as its components.
         */
        private boolean isTableRow(MethodTree method) {
            if (method.getReturnType() != null
                    || !(getCurrentPath().getParentPath().getLeaf() instanceof ClassTree type)) {
                return false;
            }
            return switch (type.getKind()) {
                case ENUM -> true;
                case RECORD -> method.getParameters().size() == components(type);
                default -> false;
            };
        }

        private static long components(ClassTree record) {
            return record.getMembers().stream()
                    .filter(member -> member instanceof VariableTree field
                            && !field.getModifiers().getFlags().contains(Modifier.STATIC))
                    .count();
        }

        private long line(long position) {
            return source.unit().getLineMap().getLineNumber(position);
        }
    }
}
