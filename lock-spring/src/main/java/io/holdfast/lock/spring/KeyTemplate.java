package io.holdfast.lock.spring;

import io.holdfast.lock.text.Printable;
import java.lang.reflect.Method;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.expression.EvaluationContext;
import org.springframework.expression.Expression;
import org.springframework.expression.ExpressionException;
import org.springframework.expression.common.CompositeStringExpression;
import org.springframework.expression.common.LiteralExpression;
import org.springframework.expression.common.TemplateParserContext;
import org.springframework.expression.spel.standard.SpelExpression;
import org.springframework.expression.spel.standard.SpelExpressionParser;
import org.springframework.util.ObjectUtils;

/**
 * The text of a key, with expressions in it. Parsed once. What an expression gives is taken as text; it is never parsed, wherever
 * it comes from.
 */
final class KeyTemplate {

    private static final SpelExpressionParser PARSER = new SpelExpressionParser();
    /** Of the name of a lock. */
    private static final int LONGEST_BYTES = 1_024;

    private static final ClassValue<Boolean> HAS_TEXT = new ClassValue<>() {
        @Override
        protected Boolean computeValue(Class<?> type) {
            return hasText(type);
        }
    };

    /** For messages: the method and the text. */
    private final String where;

    private final List<Expression> parts;

    private KeyTemplate(String where, List<Expression> parts) {
        this.where = where;
        this.parts = parts;
    }

    /**
     * @param text placeholders are resolved already
     * @param method what it is for, for messages
     * @throws IllegalArgumentException if it can't be parsed
     */
    static KeyTemplate of(String text, String method) {
        String where = method + ": key '" + text + "'";
        if (text.isEmpty()) {
            throw new IllegalArgumentException(Printable.message(where + ": empty (expected: the name of a lock)"));
        }
        try {
            Expression expression = PARSER.parseExpression(text, new TemplateParserContext());
            List<Expression> parts = expression instanceof CompositeStringExpression composite
                    ? List.of(composite.getExpressions())
                    : List.of(expression);
            return new KeyTemplate(where, parts);
        } catch (ExpressionException | IllegalStateException wrong) {
            throw new IllegalArgumentException(
                    Printable.message(where + ": " + wrong.getMessage() + " (expected: text and #{expressions})"),
                    wrong);
        }
    }

    /** The expressions in it. */
    List<SpelExpression> expressions() {
        return parts.stream()
                .filter(SpelExpression.class::isInstance)
                .map(SpelExpression.class::cast)
                .toList();
    }

    /** The text around them. */
    List<String> literals() {
        return parts.stream()
                .filter(LiteralExpression.class::isInstance)
                .map(Expression::getExpressionString)
                .toList();
    }

    String where() {
        return where;
    }

    /** Whether it is the same key for all calls. */
    boolean isConstant() {
        return parts.stream().allMatch(LiteralExpression.class::isInstance);
    }

    /** Adds the keys of one call. */
    void addTo(Collection<String> keys, EvaluationContext context) {
        StringBuilder before = new StringBuilder();
        List<String> elements = null;
        StringBuilder after = before;
        for (Expression part : parts) {
            if (part instanceof LiteralExpression literal) {
                after.append(literal.getExpressionString());
                continue;
            }
            Object value = value(part, context);
            Collection<?> several = collection(value);
            if (several == null) {
                after.append(textOf(part, value));
            } else if (elements != null) {
                throw refused(part, "a second collection in one key", "one at most");
            } else {
                elements = textsOf(part, several);
                after = new StringBuilder();
            }
        }
        if (elements == null) {
            add(keys, before.toString());
        } else {
            for (String element : elements) {
                add(keys, before + element + after);
            }
        }
    }

    private void add(Collection<String> keys, String key) {
        if (key.isEmpty()) {
            throw new IllegalArgumentException(
                    Printable.message(where + ": it is empty (expected: the name of a lock)"));
        }
        // A character has three bytes at most; a surrogate has two of four.
        if (key.length() * 3 > LONGEST_BYTES) {
            int bytes = key.getBytes(StandardCharsets.UTF_8).length;
            if (bytes > LONGEST_BYTES) {
                throw new IllegalArgumentException(
                        Printable.message(where + ": " + bytes + " bytes (expected: at most " + LONGEST_BYTES + ")"));
            }
        }
        keys.add(key);
    }

    private @Nullable Object value(Expression part, EvaluationContext context) {
        try {
            return present(part.getValue(context));
        } catch (RuntimeException failed) {
            String why = failed.getMessage() == null ? failed.toString() : failed.getMessage();
            throw new IllegalArgumentException(
                    Printable.message(where + ": #{" + part.getExpressionString() + "} failed: " + why), failed);
        }
    }

    private static @Nullable Object present(@Nullable Object value) {
        return value instanceof Optional<?> optional ? optional.orElse(null) : value;
    }

    private static @Nullable Collection<?> collection(@Nullable Object value) {
        if (value instanceof Collection<?> collection) {
            return collection;
        }
        return value != null && value.getClass().isArray() ? Arrays.asList(ObjectUtils.toObjectArray(value)) : null;
    }

    private List<String> textsOf(Expression part, Collection<?> values) {
        if (values.isEmpty()) {
            throw refused(part, "an empty collection", "at least one element");
        }
        List<String> texts = new ArrayList<>(values.size());
        for (Object value : values) {
            Object element = present(value);
            if (collection(element) != null) {
                throw refused(part, "a collection within a collection", "one of texts");
            }
            texts.add(textOf(part, element));
        }
        return texts;
    }

    private String textOf(Expression part, @Nullable Object value) {
        if (value == null) {
            throw refused(part, "null", "a value");
        }
        if (value instanceof Map) {
            throw refused(part, "a map", "its keys or its values");
        }
        if (!HAS_TEXT.get(value.getClass())) {
            throw refused(
                    part, "a " + value.getClass().getName() + ", which has no text of its own", "a property of it");
        }
        String own = value.toString();
        if (own == null) {
            throw refused(part, "a " + value.getClass().getName() + ", which has a text of null", "a property of it");
        }
        return own;
    }

    private IllegalArgumentException refused(Expression part, String is, String expected) {
        return new IllegalArgumentException(Printable.message(
                where + ": #{" + part.getExpressionString() + "} is " + is + " (expected: " + expected + ")"));
    }

    private static boolean hasText(Class<?> type) {
        try {
            Method toString = type.getMethod("toString");
            return toString.getDeclaringClass() != Object.class;
        } catch (NoSuchMethodException impossible) {
            return false;
        }
    }
}
