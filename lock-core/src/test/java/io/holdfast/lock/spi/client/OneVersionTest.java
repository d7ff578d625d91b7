package io.holdfast.lock.spi.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.lock.spi.OtherVersionProvider;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.reflect.InvocationTargetException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A core and a transport of two versions are refused at start, by the names of their jars. */
class OneVersionTest {

    private static final String PROVIDER = OtherVersionProvider.class.getName();

    @TempDir
    Path directory;

    @Test
    void twoVersionsAreRefusedByTheNamesOfTheirJars() {
        assertThatThrownBy(() -> serving("0.1.0", "0.2.0"))
                .isInstanceOf(InvocationTargetException.class)
                .cause()
                .isInstanceOf(IllegalStateException.class)
                .hasMessageStartingWith("two versions of Holdfast are on the class path: ")
                .hasMessageContaining("/core-0.1.0.jar and ")
                .hasMessageContaining("/transport-0.2.0.jar (expected: one version");
    }

    @Test
    void oneVersionServes() throws Exception {
        assertThat(serving("0.1.0", "0.1.0")).isEqualTo(PROVIDER);
    }

    private String serving(String coreVersion, String transportVersion) throws Exception {
        String folder = "io/holdfast/lock/spi/";
        Path core = jar("core", coreVersion);
        try (JarOutputStream out = open(core, coreVersion)) {
            Path classes = location(LockProvider.class);
            try (Stream<Path> all = Files.walk(classes)) {
                for (Path file : all.filter(Files::isRegularFile).toList()) {
                    String name = classes.relativize(file).toString().replace('\\', '/');
                    if (name.endsWith(".class")) {
                        add(out, name, Files.readAllBytes(file));
                    }
                }
            }
        }
        Path transport = jar("transport", transportVersion);
        try (JarOutputStream out = open(transport, transportVersion)) {
            String name = folder + "OtherVersionProvider.class";
            add(
                    out,
                    name,
                    Files.readAllBytes(location(OtherVersionProvider.class).resolve(name)));
            add(out, "META-INF/services/" + LockProvider.class.getName(), PROVIDER.getBytes(StandardCharsets.UTF_8));
        }
        URL[] urls = {transport.toUri().toURL(), core.toUri().toURL()};
        try (URLClassLoader loader = new URLClassLoader(urls, ClassLoader.getPlatformClassLoader())) {
            return loader.loadClass(LockProvider.class.getName())
                    .getMethod("servingAll", List.class)
                    .invoke(null, List.of("redis://localhost"))
                    .getClass()
                    .getName();
        }
    }

    private Path jar(String name, String version) {
        return directory.resolve(name + "-" + version + ".jar");
    }

    private static JarOutputStream open(Path jar, String version) throws IOException {
        Manifest manifest = new Manifest();
        manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
        manifest.getMainAttributes().put(Attributes.Name.IMPLEMENTATION_VERSION, version);
        OutputStream out = Files.newOutputStream(jar);
        return new JarOutputStream(out, manifest);
    }

    private static void add(JarOutputStream out, String name, byte[] bytes) throws IOException {
        out.putNextEntry(new JarEntry(name));
        out.write(bytes);
    }

    private static Path location(Class<?> type) throws Exception {
        return Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI());
    }
}
