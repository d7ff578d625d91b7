package io.holdfast.lock.netty.connection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.lock.IoTransport;
import io.netty.channel.epoll.Epoll;
import java.io.File;
import java.io.IOException;
import java.lang.reflect.Method;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Enumeration;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadFactory;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

class IoLoopsTest {

    @Test
    @EnabledOnOs(OS.LINUX)
    void takesEpollOnLinux() {
        assertThat(chosen(IoTransport.AUTO)).isEqualTo(Epoll.isAvailable() ? IoTransport.EPOLL : IoTransport.NIO);
    }

    @Test
    void nioIsAlwaysThere() {
        assertThat(chosen(IoTransport.NIO)).isEqualTo(IoTransport.NIO);
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void saysWhyATransportCannotBeUsed() {
        assertThatThrownBy(() -> chosen(IoTransport.KQUEUE))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("KQUEUE")
                .hasMessageContaining("can't be used here");
    }

    /** As beside a framework that manages Netty's version: the classes that 4.2 has added are not there. */
    @Test
    void anOlderNettyIsNamedWithTheVersionThatIsNeeded() throws Exception {
        try (OlderNetty older = new OlderNetty()) {
            Class<?> loops = older.loadClass(IoLoops.class.getName());
            Object auto = older.loadClass(IoTransport.class.getName())
                    .getMethod("valueOf", String.class)
                    .invoke(null, "AUTO");
            Method open = loops.getMethod("open", auto.getClass(), int.class, ThreadFactory.class);
            assertThatThrownBy(() -> open.invoke(null, auto, 1, Executors.defaultThreadFactory()))
                    .cause()
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("Netty 4.1.137.Final is on the class path (expected: 4.2 or later");
        }
    }

    private static IoTransport chosen(IoTransport wanted) {
        IoLoops loops = IoLoops.open(wanted, 1, Executors.defaultThreadFactory());
        loops.shutdown();
        return loops.transport();
    }

    /** The class path of this test with Netty as if it were one of 4.1. */
    private static final class OlderNetty extends URLClassLoader {

        private static final String VERSIONS = "netty-transport.version=4.1.137.Final\n"
                + "netty-transport.buildDate=2026-01-01 00:00:00 +0000\n"
                + "netty-transport.commitDate=2026-01-01 00:00:00 +0000\n"
                + "netty-transport.shortCommitHash=0\n"
                + "netty-transport.longCommitHash=0\n"
                + "netty-transport.repoStatus=clean\n";

        private final Path versions;

        OlderNetty() throws IOException {
            super(classPath(), ClassLoader.getPlatformClassLoader());
            versions = Files.writeString(Files.createTempFile("netty", ".properties"), VERSIONS);
        }

        @Override
        protected Class<?> findClass(String name) throws ClassNotFoundException {
            if (name.startsWith("io.netty.channel.") && name.matches(".*[.](MultiThread)?(Nio)?Io(Handler|Event).*")) {
                throw new ClassNotFoundException(name);
            }
            return super.findClass(name);
        }

        @Override
        public Enumeration<URL> findResources(String name) throws IOException {
            return name.equals("META-INF/io.netty.versions.properties")
                    ? Collections.enumeration(List.of(versions.toUri().toURL()))
                    : super.findResources(name);
        }

        @Override
        public void close() throws IOException {
            super.close();
            Files.delete(versions);
        }

        private static URL[] classPath() throws IOException {
            List<URL> path = new ArrayList<>();
            for (String entry : System.getProperty("java.class.path").split(Pattern.quote(File.pathSeparator))) {
                path.add(Path.of(entry).toUri().toURL());
            }
            return path.toArray(URL[]::new);
        }
    }
}
