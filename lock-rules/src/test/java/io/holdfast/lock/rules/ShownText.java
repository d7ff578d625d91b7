package io.holdfast.lock.rules;

import com.sun.source.tree.BinaryTree;
import com.sun.source.tree.ConditionalExpressionTree;
import com.sun.source.tree.ExpressionTree;
import com.sun.source.tree.LiteralTree;
import com.sun.source.tree.MemberSelectTree;
import com.sun.source.tree.MethodInvocationTree;
import com.sun.source.tree.ParenthesizedTree;
import com.sun.source.tree.SwitchExpressionTree;
import com.sun.source.tree.TypeCastTree;
import io.holdfast.lock.spi.Fault;
import io.holdfast.lock.text.Durations;
import io.holdfast.lock.text.Printable;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import javax.lang.model.element.Element;
import javax.lang.model.element.ElementKind;
import javax.lang.model.element.ExecutableElement;
import javax.lang.model.element.TypeElement;
import javax.lang.model.element.VariableElement;
import javax.lang.model.type.DeclaredType;
import javax.lang.model.type.TypeKind;
import javax.lang.model.type.TypeMirror;
import javax.lang.model.util.ElementFilter;
import org.jspecify.annotations.Nullable;

/**
 * What the published code shows to people: log lines, messages of exceptions, and what {@code toString} returns. Each
 * part of them is a constant, a number, or a text that went through {@link Printable}.
 *
 * <p>A text is followed to where it comes from: through variables, parameters and methods of the sources. What can't be
 * followed counts as foreign.
 */
final class ShownText {

    private static final String ADVICE =
            " is shown as it came (expected: Printable.of(...) around a name or the words of"
                    + " somebody else, Printable.message(...) around a text that is put together)";

    private static final Set<String> LOGGING = Set.of("trace", "debug", "info", "warn", "error");

    /** Types whose text is made of digits and words of ours. */
    private static final Set<String> PLAIN = Set.of(
            "java.lang.Boolean",
            "java.lang.Integer",
            "java.lang.Long",
            "java.lang.Class",
            "java.time.Duration",
            "java.time.Instant",
            "java.util.OptionalLong");

    /** Methods whose text is printable though they are not among the sources, or can't be followed. */
    private static final Set<String> PRINTABLE = Set.of(
            Printable.class.getName() + ".of",
            Printable.class.getName() + ".message",
            Durations.class.getName() + ".of",
            Fault.class.getName() + ".node",
            Fault.class.getName() + ".detail",
            "java.lang.Class.getName",
            "java.lang.Class.getSimpleName",
            "java.lang.Integer.toString",
            "java.lang.Long.toString",
            "java.lang.Enum.name",
            "java.lang.Enum.toString",
            "java.time.Duration.toString",
            "java.util.UUID.toString");

    private final SourceTrees sources;

    /** What is being followed now: a text that depends on itself adds nothing. */
    private final Set<Element> followed = new HashSet<>();

    private ShownText(SourceTrees sources) {
        this.sources = sources;
    }

    /** What is shown though it may be anything, as {@code path:line: text}. */
    static List<String> violations(List<Source> sources) {
        return new ShownText(SourceTrees.of(sources)).violations();
    }

    private List<String> violations() {
        List<String> found = new ArrayList<>();
        for (SourceTrees.Call call : sources.calls()) {
            shownBy(call).stream()
                    .filter(text -> !isPrintable(text))
                    .forEach(text -> found.add(sources.place(text) + ADVICE));
        }
        sources.returned().forEach((method, texts) -> {
            if (method.getSimpleName().contentEquals("toString")) {
                texts.stream()
                        .filter(text -> !isPrintable(text))
                        .forEach(text -> found.add(sources.place(text) + ADVICE));
            }
        });
        return found;
    }

    /** Those arguments of a call that end up before people. */
    private List<? extends ExpressionTree> shownBy(SourceTrees.Call call) {
        Element owner = call.target().getEnclosingElement();
        if (owner.toString().equals("org.slf4j.Logger")) {
            boolean writes = LOGGING.contains(call.target().getSimpleName().toString());
            return writes
                    ? call.arguments().stream()
                            .filter(argument -> !isThrowable(sources.type(argument)))
                            .toList()
                    : List.of();
        }
        boolean foreignException = call.target().getKind() == ElementKind.CONSTRUCTOR
                && isThrowable(owner.asType())
                && !owner.toString().startsWith("io.holdfast.");
        return foreignException
                        && !call.arguments().isEmpty()
                        && !isThrowable(sources.type(call.arguments().get(0)))
                ? call.arguments().subList(0, 1)
                : List.of();
    }

    private boolean isPrintable(@Nullable ExpressionTree text) {
        if (text == null || text instanceof LiteralTree) {
            return true;
        }
        TypeMirror type = sources.type(text);
        if (type == null || isPlain(type)) {
            return type != null;
        }
        if (text instanceof ParenthesizedTree around) {
            return isPrintable(around.getExpression());
        }
        if (text instanceof TypeCastTree cast) {
            return isPrintable(cast.getExpression());
        }
        if (text instanceof BinaryTree sum) {
            return isPrintable(sum.getLeftOperand()) && isPrintable(sum.getRightOperand());
        }
        if (text instanceof ConditionalExpressionTree choice) {
            return isPrintable(choice.getTrueExpression()) && isPrintable(choice.getFalseExpression());
        }
        if (text instanceof SwitchExpressionTree choice) {
            return choice.getCases().stream()
                    .allMatch(each -> each.getBody() instanceof ExpressionTree value && isPrintable(value));
        }
        if (!type.toString().endsWith("java.lang.String")) {
            return hasTextOfOurs(type);
        }
        Element element = sources.element(text);
        return text instanceof MethodInvocationTree call && element instanceof ExecutableElement method
                ? isPrintable(call, method)
                : element != null && isPrintable(element);
    }

    private boolean isPrintable(MethodInvocationTree call, ExecutableElement method) {
        String owner = method.getEnclosingElement().toString();
        if (PRINTABLE.contains(owner + "." + method.getSimpleName())) {
            return true;
        }
        if (owner.equals("java.lang.String")) {
            boolean ofPrintable = call.getMethodSelect() instanceof MemberSelectTree select
                    && (sources.element(select.getExpression()) instanceof TypeElement
                            || isPrintable(select.getExpression()));
            return ofPrintable && call.getArguments().stream().allMatch(this::isPrintable);
        }
        if (owner.equals("java.util.Objects")) {
            return isPrintable(call.getArguments().get(0));
        }
        List<ExpressionTree> texts = sources.returned().getOrDefault(method, List.of());
        return texts.isEmpty() ? isPrintableComponent(method) : arePrintable(method, texts);
    }

    /** Whether the component of a record, which an accessor or a field stands for, is never given another text. */
    private boolean isPrintableComponent(Element accessorOrField) {
        Element owner = accessorOrField.getEnclosingElement();
        String name = accessorOrField.getSimpleName().toString();
        if (owner.getKind() != ElementKind.RECORD) {
            return false;
        }
        return PRINTABLE.contains(owner + "." + name)
                || ElementFilter.constructorsIn(owner.getEnclosedElements()).stream()
                        .flatMap(constructor -> constructor.getParameters().stream())
                        .filter(parameter -> parameter.getSimpleName().contentEquals(name))
                        .allMatch(this::isPrintable);
    }

    /** Whether a variable never has another text than a printable one. */
    private boolean isPrintable(Element variable) {
        List<ExpressionTree> texts = sources.given(variable);
        if (variable.getKind() == ElementKind.FIELD && isPrintableComponent(variable)) {
            return true;
        }
        return (variable instanceof VariableElement constant && constant.getConstantValue() != null)
                || (!texts.isEmpty() && arePrintable(variable, texts));
    }

    private boolean arePrintable(Element what, List<ExpressionTree> texts) {
        if (!followed.add(what)) {
            return true;
        }
        try {
            return texts.stream().allMatch(this::isPrintable);
        } finally {
            followed.remove(what);
        }
    }

    private boolean isPlain(TypeMirror type) {
        String name = type.toString();
        boolean optional = type instanceof DeclaredType declared
                && name.startsWith("java.util.Optional<")
                && isPlain(declared.getTypeArguments().get(0));
        return optional
                || type.getKind() == TypeKind.NULL
                || (type.getKind().isPrimitive() && type.getKind() != TypeKind.CHAR)
                || (element(type) instanceof TypeElement named && named.getKind() == ElementKind.ENUM)
                || PLAIN.contains(name.replaceFirst("<.*", ""));
    }

    /** Whether it is a type of ours that says what its text is: then that text is looked at by itself. */
    private static boolean hasTextOfOurs(TypeMirror type) {
        Element element = element(type);
        while (element instanceof TypeElement each
                && each.getQualifiedName().toString().startsWith("io.holdfast.")) {
            if (each.getEnclosedElements().stream()
                    .anyMatch(member -> member.toString().equals("toString()"))) {
                return true;
            }
            element = element(each.getSuperclass());
        }
        return false;
    }

    private static boolean isThrowable(@Nullable TypeMirror type) {
        for (TypeMirror each = type; element(each) instanceof TypeElement named; each = named.getSuperclass()) {
            if (named.getQualifiedName().contentEquals("java.lang.Throwable")) {
                return true;
            }
        }
        return false;
    }

    private static @Nullable Element element(@Nullable TypeMirror type) {
        return type instanceof DeclaredType declared ? declared.asElement() : null;
    }
}
