package io.holdfast.lock.boot;

import io.holdfast.lock.text.NearestName;
import io.holdfast.lock.text.Printable;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.UnboundConfigurationPropertiesException;
import org.springframework.boot.context.properties.source.ConfigurationProperty;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;

/** Names the property that a misspelt one of {@code holdfast.*} was probably meant to be. Its value is not shown. */
@Order(Ordered.HIGHEST_PRECEDENCE)
final class UnknownPropertyFailureAnalyzer extends AbstractFailureAnalyzer<UnboundConfigurationPropertiesException> {

    private static final ConfigurationPropertyName OURS = ConfigurationPropertyName.of(HoldfastProperties.PREFIX);

    @Override
    protected @Nullable FailureAnalysis analyze(Throwable rootFailure, UnboundConfigurationPropertiesException cause) {
        List<ConfigurationProperty> ours = cause.getUnboundProperties().stream()
                .filter(property -> OURS.isAncestorOf(property.getName()))
                .toList();
        if (ours.isEmpty()) {
            return null;
        }
        return new FailureAnalysis(
                "Holdfast: "
                        + ours.stream()
                                .map(UnknownPropertyFailureAnalyzer::shown)
                                .collect(Collectors.joining("; ")),
                "Correct the name, or leave the property out.",
                cause);
    }

    private static String shown(ConfigurationProperty property) {
        String name = property.getName().toString();
        String origin = property.getOrigin() == null ? "" : ", in " + Printable.of(property.getOrigin());
        return "property " + Printable.of(name) + " is unknown (" + hint(name) + ")" + origin;
    }

    private static String hint(String name) {
        String room = HoldfastProperties.PREFIX + ".";
        String clients = room + "clients.";
        List<String> known = PropertyNames.ALL;
        if (name.startsWith(clients) && name.indexOf('.', clients.length()) > 0) {
            room = name.substring(0, name.indexOf('.', clients.length()) + 1);
            known = PropertyNames.OF_A_CLIENT;
        }
        String shown = Printable.of(room);
        return NearestName.of(name.substring(room.length()), known)
                .map(nearest -> "the nearest is " + shown + nearest)
                .orElse("expected: one of docs/spring-boot.md; the address is " + shown + "url");
    }
}
