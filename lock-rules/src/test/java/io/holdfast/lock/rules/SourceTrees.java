package io.holdfast.lock.rules;

import com.sun.source.tree.AssignmentTree;
import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.CompoundAssignmentTree;
import com.sun.source.tree.ExpressionTree;
import com.sun.source.tree.LambdaExpressionTree;
import com.sun.source.tree.MethodInvocationTree;
import com.sun.source.tree.MethodTree;
import com.sun.source.tree.NewClassTree;
import com.sun.source.tree.ReturnTree;
import com.sun.source.tree.Tree;
import com.sun.source.tree.VariableTree;
import com.sun.source.util.JavacTask;
import com.sun.source.util.TreePath;
import com.sun.source.util.TreePathScanner;
import com.sun.source.util.Trees;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import javax.lang.model.element.Element;
import javax.lang.model.element.ExecutableElement;
import javax.lang.model.element.VariableElement;
import javax.lang.model.type.TypeMirror;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;
import org.jspecify.annotations.Nullable;

/** Java sources as the compiler understands them: which call means which method, and what each variable is given. */
final class SourceTrees extends TreePathScanner<Void, Void> {

    /** A call of a method or a constructor: what it calls, and with what. */
    record Call(ExecutableElement target, List<? extends ExpressionTree> arguments) {}

    private final Trees trees;
    private final Map<Tree, TreePath> paths = new IdentityHashMap<>();
    private final List<Call> calls = new ArrayList<>();
    private final Map<Element, List<ExpressionTree>> given = new HashMap<>();
    private final Map<Element, List<ExpressionTree>> returned = new HashMap<>();

    private SourceTrees(Trees trees) {
        this.trees = trees;
    }

    /** Reads sources that may use whatever is on the class path. */
    static SourceTrees of(List<Source> sources) {
        List<JavaFileObject> files =
                sources.stream().<JavaFileObject>map(Text::new).toList();
        JavacTask task = (JavacTask) ToolProvider.getSystemJavaCompiler()
                .getTask(
                        null,
                        null,
                        wrong -> {},
                        List.of("-proc:none", "-classpath", System.getProperty("java.class.path")),
                        null,
                        files);
        SourceTrees found = new SourceTrees(Trees.instance(task));
        try {
            List<CompilationUnitTree> units = new ArrayList<>();
            task.parse().forEach(units::add);
            task.analyze();
            found.scan(units, null);
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
        for (Call call : found.calls) {
            found.pass(call);
        }
        return found;
    }

    List<Call> calls() {
        return calls;
    }

    /** All methods that return something, with what they return. */
    Map<Element, List<ExpressionTree>> returned() {
        return returned;
    }

    /** What is assigned to a variable, or passed to it where it is a parameter. */
    List<ExpressionTree> given(Element variable) {
        return given.getOrDefault(variable, List.of());
    }

    @Nullable
    Element element(Tree tree) {
        return trees.getElement(paths.get(tree));
    }

    @Nullable
    TypeMirror type(Tree tree) {
        return trees.getTypeMirror(paths.get(tree));
    }

    /** Where something is, as {@code path:line: text}. */
    String place(Tree tree) {
        CompilationUnitTree unit = paths.get(tree).getCompilationUnit();
        long start = trees.getSourcePositions().getStartPosition(unit, tree);
        return unit.getSourceFile().getName().substring(1) + ":"
                + unit.getLineMap().getLineNumber(start) + ": " + tree;
    }

    @Override
    public @Nullable Void scan(@Nullable Tree tree, @Nullable Void nothing) {
        if (tree != null) {
            paths.put(
                    tree,
                    tree instanceof CompilationUnitTree unit
                            ? new TreePath(unit)
                            : new TreePath(getCurrentPath(), tree));
        }
        return super.scan(tree, nothing);
    }

    @Override
    public @Nullable Void visitVariable(VariableTree variable, @Nullable Void nothing) {
        give(trees.getElement(getCurrentPath()), variable.getInitializer());
        return super.visitVariable(variable, nothing);
    }

    @Override
    public @Nullable Void visitAssignment(AssignmentTree assignment, @Nullable Void nothing) {
        super.visitAssignment(assignment, nothing);
        give(element(assignment.getVariable()), assignment.getExpression());
        return null;
    }

    @Override
    public @Nullable Void visitCompoundAssignment(CompoundAssignmentTree assignment, @Nullable Void nothing) {
        super.visitCompoundAssignment(assignment, nothing);
        give(element(assignment.getVariable()), assignment.getExpression());
        return null;
    }

    @Override
    public @Nullable Void visitMethodInvocation(MethodInvocationTree call, @Nullable Void nothing) {
        called(trees.getElement(getCurrentPath()), call.getArguments());
        return super.visitMethodInvocation(call, nothing);
    }

    @Override
    public @Nullable Void visitNewClass(NewClassTree call, @Nullable Void nothing) {
        called(trees.getElement(getCurrentPath()), call.getArguments());
        return super.visitNewClass(call, nothing);
    }

    @Override
    public @Nullable Void visitReturn(ReturnTree statement, @Nullable Void nothing) {
        TreePath around = getCurrentPath();
        while (!(around.getLeaf() instanceof MethodTree) && !(around.getLeaf() instanceof LambdaExpressionTree)) {
            around = around.getParentPath();
        }
        ExpressionTree value = statement.getExpression();
        if (value != null && around.getLeaf() instanceof MethodTree) {
            returned.computeIfAbsent(trees.getElement(around), method -> new ArrayList<>())
                    .add(value);
        }
        return super.visitReturn(statement, nothing);
    }

    private void called(@Nullable Element target, List<? extends ExpressionTree> arguments) {
        if (target instanceof ExecutableElement executable) {
            calls.add(new Call(executable, arguments));
        }
    }

    /** Gives the parameters of what is called their arguments; several for one that takes any number. */
    private void pass(Call call) {
        List<? extends VariableElement> parameters = call.target().getParameters();
        for (int i = 0; i < call.arguments().size(); i++) {
            give(
                    parameters.get(Math.min(i, parameters.size() - 1)),
                    call.arguments().get(i));
        }
    }

    private void give(@Nullable Element variable, @Nullable ExpressionTree value) {
        if (variable != null && value != null) {
            given.computeIfAbsent(variable, each -> new ArrayList<>()).add(value);
        }
    }

    /** A source that the compiler reads from memory. */
    private static final class Text extends SimpleJavaFileObject {

        private final String text;

        Text(Source source) {
            super(URI.create("string:///" + source.path()), Kind.SOURCE);
            this.text = source.text();
        }

        @Override
        public CharSequence getCharContent(boolean ignoreEncodingErrors) {
            return text;
        }
    }
}
