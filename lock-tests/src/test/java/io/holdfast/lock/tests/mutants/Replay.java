package io.holdfast.lock.tests.mutants;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Runs the simulator on a mutant within this JVM, which takes a fraction of the time that a new one needs to start. */
final class Replay {
    private static final String OURS = "io.holdfast.";

    private final Project project;

    Replay(Project project) {
        this.project = project;
    }

    /** Runs some seeds, up to the first that fails. */
    Result run(Mutant mutant, Path classes, String workload, long from, long count)
            throws IOException, ReflectiveOperationException {
        long startNanos = System.nanoTime();
        List<String> program = SeedRun.program(workload, from, count);
        ByteArrayOutputStream said = new ByteArrayOutputStream();
        int code;
        ClassLoader before = Thread.currentThread().getContextClassLoader();
        try (Isolated isolated = new Isolated(places(classes));
                PrintStream out = new PrintStream(said, true, StandardCharsets.UTF_8)) {
            Thread.currentThread().setContextClassLoader(isolated);
            Method run = isolated.loadClass(program.get(0)).getDeclaredMethod("run", PrintStream.class, String[].class);
            run.setAccessible(true);
            code = (int)
                    run.invoke(null, out, program.subList(1, program.size()).toArray(String[]::new));
        } catch (InvocationTargetException failure) {
            throw new IllegalStateException("the simulator failed on " + mutant.name(), failure.getCause());
        } finally {
            Thread.currentThread().setContextClassLoader(before);
        }
        double seconds = (System.nanoTime() - startNanos) / 1e9;
        return Result.read(mutant, code, said.toString(StandardCharsets.UTF_8), seconds);
    }

    /** The mutant's classes, then ours; the jars of others are shared with this JVM. */
    private URL[] places(Path classes) throws MalformedURLException {
        List<URL> places = new ArrayList<>(List.of(classes.toUri().toURL()));
        for (Path place : project.classPath()) {
            if (Files.isDirectory(place)) {
                places.add(place.toUri().toURL());
            }
        }
        return places.toArray(URL[]::new);
    }

    /** Has classes of its own for everything of ours, for the code under test and the simulator refer to each other. */
    private static final class Isolated extends URLClassLoader {

        Isolated(URL[] places) {
            super(places, Replay.class.getClassLoader());
        }

        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            if (!name.startsWith(OURS)) {
                return super.loadClass(name, resolve);
            }
            synchronized (getClassLoadingLock(name)) {
                Class<?> loaded = findLoadedClass(name);
                return loaded == null ? findClass(name) : loaded;
            }
        }

        @Override
        public URL getResource(String name) {
            URL own = findResource(name);
            return own == null ? super.getResource(name) : own;
        }
    }
}
