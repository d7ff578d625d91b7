package io.holdfast.cli;

import java.io.Console;
import java.lang.reflect.InvocationTargetException;
import java.util.Optional;

/** Whether input and output are terminals. The start script knows it of each; without it the JDK says it of both together. */
final class Terminal {

    private Terminal() {}

    static boolean isOutput() {
        return is("holdfast.out");
    }

    static boolean isInput() {
        return is("holdfast.in");
    }

    /** Where a password can be asked for. */
    static Optional<Console> console() {
        return Optional.ofNullable(System.console()).filter(Terminal::isTerminal);
    }

    private static boolean is(String property) {
        String told = System.getProperty(property);
        return told == null ? console().isPresent() : told.equals("terminal");
    }

    /** From Java 22 on a console may exist without a terminal, and can be asked. */
    private static boolean isTerminal(Console console) {
        try {
            return (Boolean) Console.class.getMethod("isTerminal").invoke(console);
        } catch (NoSuchMethodException older) {
            return true;
        } catch (IllegalAccessException | InvocationTargetException unexpected) {
            throw new IllegalStateException("cannot ask the console whether it is a terminal", unexpected);
        }
    }
}
