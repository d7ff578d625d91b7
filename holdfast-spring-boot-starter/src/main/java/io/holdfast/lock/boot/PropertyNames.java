package io.holdfast.lock.boot;

import java.lang.reflect.Method;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import org.springframework.boot.context.properties.bind.DataObjectPropertyName;

/** The names of the properties behind {@code holdfast.}, as Spring Boot writes them. */
final class PropertyNames {

    /** Those of a client. */
    static final List<String> OF_A_CLIENT = in(ClientProperties.class);

    /** Those of the default client, and those that are of no client. */
    static final List<String> ALL = in(HoldfastProperties.class);

    private PropertyNames() {}

    private static List<String> in(Class<?> type) {
        List<String> names = new ArrayList<>();
        if (type.isRecord()) {
            for (RecordComponent component : type.getRecordComponents()) {
                add(names, component.getName(), component.getType());
            }
        } else {
            Arrays.stream(type.getMethods())
                    .filter(method -> method.getName().startsWith("set") && method.getParameterCount() == 1)
                    .sorted(Comparator.comparing(Method::getName))
                    .forEach(setter -> add(names, setter.getName().substring(3), setter.getParameterTypes()[0]));
        }
        return List.copyOf(names);
    }

    private static void add(List<String> names, String name, Class<?> type) {
        String dashed = DataObjectPropertyName.toDashedForm(name);
        if (type.getPackage() == PropertyNames.class.getPackage() && !type.isEnum()) {
            in(type).forEach(inner -> names.add(dashed + "." + inner));
        } else {
            names.add(dashed);
        }
    }
}
