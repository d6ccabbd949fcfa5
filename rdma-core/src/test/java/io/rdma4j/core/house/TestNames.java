package io.rdma4j.core.house;

import com.sun.source.tree.AnnotationTree;
import com.sun.source.tree.AssignmentTree;
import com.sun.source.tree.BinaryTree;
import com.sun.source.tree.ClassTree;
import com.sun.source.tree.ExpressionTree;
import com.sun.source.tree.LiteralTree;
import com.sun.source.tree.MethodTree;
import com.sun.source.tree.ModifiersTree;
import com.sun.source.util.TreeScanner;
import io.rdma4j.core.house.SourceTree.Source;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The tests of all modules, by class and method, with the names they show. */
final class TestNames extends TreeScanner<Void, String> {
    private static final Set<String> TEST_ANNOTATIONS =
            Set.of("Test", "ParameterizedTest", "RepeatedTest", "Property", "FuzzTest", "TestFactory");
    private static final Pattern SECTION = Pattern.compile("§(\\d+(?:\\.\\d+)?(?:\\(\\d+\\))?)");

    private final List<TestName> found = new ArrayList<>();

    private TestNames() {}

    /**
     * A test.
     *
     * @param type the class it is in
     * @param method the method
     * @param display the names it and its cases show, with that of its class in front; empty when there are none
     */
    record TestName(String type, String method, String display) {
        String reference() {
            return type + "#" + method;
        }

        /** The sections that its name cites: {@code 7.2(3)}. */
        Set<String> sections() {
            Set<String> sections = new LinkedHashSet<>();
            Matcher section = SECTION.matcher(display);
            while (section.find()) {
                sections.add(section.group(1));
            }
            return sections;
        }
    }

    /** All tests, in the order of the source files. */
    static List<TestName> all() {
        TestNames names = new TestNames();
        SourceTree.parse().stream().filter(TestNames::holdsTests).forEach(source -> names.scan(source.unit(), ""));
        return names.found;
    }

    /** Also those that rdma-testkit has for others in its main sources, and the stress tests of benchmarks. */
    private static boolean holdsTests(Source source) {
        return source.isTest() || source.isInModule("rdma-testkit") || source.isInModule("benchmarks");
    }

    @Override
    public Void visitClass(ClassTree type, String outer) {
        String name = outer.isEmpty() ? type.getSimpleName().toString() : outer + "." + type.getSimpleName();
        String display = displayName(type.getModifiers());
        for (var member : type.getMembers()) {
            if (member instanceof MethodTree method && isTest(method.getModifiers())) {
                String own = joined(displayName(method.getModifiers()), nameOfCases(method.getModifiers()));
                found.add(new TestName(name, method.getName().toString(), joined(display, own)));
            } else if (member instanceof ClassTree nested) {
                scan(nested, name);
            }
        }
        return null;
    }

    private static boolean isTest(ModifiersTree modifiers) {
        return modifiers.getAnnotations().stream().anyMatch(each -> TEST_ANNOTATIONS.contains(simpleName(each)));
    }

    private static String displayName(ModifiersTree modifiers) {
        for (AnnotationTree annotation : modifiers.getAnnotations()) {
            if (simpleName(annotation).equals("DisplayName")) {
                return text(annotation.getArguments().get(0));
            }
        }
        return "";
    }

    /** What a parameterised test calls its cases; some say there what they prove. */
    private static String nameOfCases(ModifiersTree modifiers) {
        for (AnnotationTree annotation : modifiers.getAnnotations()) {
            for (ExpressionTree argument : annotation.getArguments()) {
                if (simpleName(annotation).equals("ParameterizedTest")
                        && argument instanceof AssignmentTree assignment
                        && assignment.getVariable().toString().equals("name")) {
                    return text(assignment);
                }
            }
        }
        return "";
    }

    private static String joined(String first, String second) {
        return first.isEmpty() || second.isEmpty() ? first + second : first + ": " + second;
    }

    private static String simpleName(AnnotationTree annotation) {
        String name = annotation.getAnnotationType().toString();
        return name.substring(name.lastIndexOf('.') + 1);
    }

    /** The text of a literal, or of several that are added. */
    private static String text(ExpressionTree expression) {
        if (expression instanceof AssignmentTree assignment) {
            return text(assignment.getExpression());
        } else if (expression instanceof BinaryTree sum) {
            return text(sum.getLeftOperand()) + text(sum.getRightOperand());
        }
        return expression instanceof LiteralTree literal ? String.valueOf(literal.getValue()) : "";
    }
}
