package io.holdfast.lock.spring;

import io.holdfast.lock.text.Printable;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.BeanUtils;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.core.ParameterNameDiscoverer;
import org.springframework.expression.spel.SpelNode;
import org.springframework.expression.spel.ast.BeanReference;
import org.springframework.expression.spel.ast.CompoundExpression;
import org.springframework.expression.spel.ast.FunctionReference;
import org.springframework.expression.spel.ast.Indexer;
import org.springframework.expression.spel.ast.InlineMap;
import org.springframework.expression.spel.ast.MethodReference;
import org.springframework.expression.spel.ast.Projection;
import org.springframework.expression.spel.ast.PropertyOrFieldReference;
import org.springframework.expression.spel.ast.Selection;
import org.springframework.expression.spel.ast.VariableReference;
import org.springframework.util.ReflectionUtils;

/**
 * Looks through the expressions of a key for what can't be there: variables that are no parameters, and names that the bean does
 * not have, as in {@code #{id}} for {@code #{#id}}; and beans that are not there. It warns of {@code #id} in the text.
 */
final class KeyCheck {

    private static final Logger log = LoggerFactory.getLogger(KeyCheck.class);

    private static final Pattern BY_INDEX = Pattern.compile("[ap][0-9]{1,3}");
    private static final Pattern NAME_IN_TEXT = Pattern.compile("#([\\p{L}_$][\\p{L}\\p{N}_$]*)");

    private final KeyTemplate template;
    private final Method method;
    private final Class<?> bean;
    private final @Nullable String @Nullable [] names;
    private final BeanFactory beans;

    KeyCheck(
            KeyTemplate template, Method method, Class<?> bean, ParameterNameDiscoverer discoverer, BeanFactory beans) {
        this.template = template;
        this.method = method;
        this.bean = bean;
        this.names = discoverer.getParameterNames(method);
        this.beans = beans;
    }

    /** @throws IllegalArgumentException if it finds any */
    void run() {
        template.expressions().forEach(expression -> look(expression.getAST(), true));
        template.literals().forEach(this::warnOfNames);
    }

    /** The keys of a cache are expressions as a whole: what is written as there is one lock for all calls. */
    private void warnOfNames(String text) {
        Matcher found = NAME_IN_TEXT.matcher(text);
        while (found.find()) {
            String name = found.group(1);
            if (names != null && Arrays.asList(names).contains(name)) {
                log.warn(
                        "{}",
                        Printable.message(template.where() + ": #" + name + " is text, the same for all calls"
                                + " (expected: #{#" + name + "} for the parameter)"));
            }
        }
    }

    /** @param ofBean whether a name by itself is one of the bean's */
    private void look(SpelNode node, boolean ofBean) {
        if (node instanceof VariableReference variable) {
            checkVariable(variable.toStringAST().substring(1));
        } else if (node instanceof FunctionReference) {
            throw refused(node.toStringAST() + " is no function", "none");
        } else if (node instanceof BeanReference other) {
            checkBean(other.toStringAST());
        } else if (ofBean && node instanceof PropertyOrFieldReference property) {
            checkProperty(property.getName());
        } else if (ofBean && node instanceof MethodReference called) {
            checkMethod(called.getName());
        }
        boolean several = node instanceof CompoundExpression;
        boolean others = node instanceof Projection || node instanceof Selection || node instanceof Indexer;
        for (int i = 0; i < node.getChildCount(); i++) {
            if (node instanceof InlineMap && i % 2 == 0) {
                continue;
            }
            look(node.getChild(i), ofBean && !others && (!several || i == 0));
        }
    }

    private void checkVariable(String name) {
        if (name.equals("root")
                || name.equals("this")
                || (names != null && Arrays.asList(names).contains(name))) {
            return;
        }
        if (BY_INDEX.matcher(name).matches()) {
            int index = Integer.parseInt(name.substring(1));
            if (index < method.getParameterCount()) {
                return;
            }
            throw refused("#" + name + " is no parameter", method.getParameterCount() + " of them, from #p0 on");
        }
        if (names == null && method.getParameterCount() > 0) {
            throw refused(
                    "#" + name + " is not known, since the class file has no names of parameters",
                    "compiled with -parameters; or #p0 for #" + name);
        }
        throw refused("#" + name + " is no parameter", names == null ? "none" : "#" + String.join(", #", names));
    }

    /** @param written as in {@code @tenants} and {@code @'shop.tenants'} */
    private void checkBean(String written) {
        String name = written.substring(1).replace("'", "");
        if (!beans.containsBean(name)) {
            throw refused("there is no bean '" + name + "'", "the name of a bean of this context");
        }
    }

    private void checkProperty(String name) {
        boolean known = BeanUtils.getPropertyDescriptor(bean, name) != null
                || ReflectionUtils.findField(bean, name) != null
                || hasMethod(name);
        if (!known) {
            throw refused("the bean has no property '" + name + "'", "#" + name + " for a parameter");
        }
    }

    private void checkMethod(String name) {
        if (!hasMethod(name)) {
            throw refused(
                    "the bean has no method '" + name + "'",
                    "one of the bean's; or of another bean, as in @bean." + name + "()");
        }
    }

    private boolean hasMethod(String name) {
        return Arrays.stream(ReflectionUtils.getUniqueDeclaredMethods(bean))
                .anyMatch(declared -> declared.getName().equals(name));
    }

    private IllegalArgumentException refused(String what, String expected) {
        return new IllegalArgumentException(
                Printable.message(template.where() + ": " + what + " (expected: " + expected + ")"));
    }
}
