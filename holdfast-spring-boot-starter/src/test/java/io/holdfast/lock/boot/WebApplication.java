package io.holdfast.lock.boot;

import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;

/** An application as Spring Boot assembles it, with a web server on a free port. */
final class WebApplication implements AutoCloseable {

    private final HttpClient http = HttpClient.newHttpClient();
    private final ConfigurableApplicationContext context;

    private WebApplication(ConfigurableApplicationContext context) {
        this.context = context;
    }

    static WebApplication start(List<Class<?>> sources, String... properties) {
        List<Class<?>> all = new ArrayList<>(sources);
        all.add(Main.class);
        SpringApplication application = new SpringApplication(all.toArray(Class<?>[]::new));
        List<String> arguments = new ArrayList<>(List.of(
                "--server.port=0",
                "--spring.main.banner-mode=off",
                "--logging.level.root=warn",
                "--spring.application.name=shop",
                "--management.endpoints.web.exposure.include=holdfast,health"));
        for (String property : properties) {
            arguments.add("--" + property);
        }
        return new WebApplication(application.run(arguments.toArray(String[]::new)));
    }

    ConfigurableApplicationContext context() {
        return context;
    }

    HttpResponse<String> get(String path) throws IOException, InterruptedException {
        return send("GET", path);
    }

    /** From the port that is for management alone. */
    HttpResponse<String> getManaged(String path) throws IOException, InterruptedException {
        return send("local.management.port", "GET", path);
    }

    HttpResponse<String> send(String method, String path) throws IOException, InterruptedException {
        return send("local.server.port", method, path);
    }

    private HttpResponse<String> send(String portName, String method, String path)
            throws IOException, InterruptedException {
        String port = context.getEnvironment().getRequiredProperty(portName);
        return http.send(
                HttpRequest.newBuilder(URI.create("http://localhost:" + port + path))
                        .method(method, HttpRequest.BodyPublishers.noBody())
                        .build(),
                HttpResponse.BodyHandlers.ofString());
    }

    static String encoded(String name) {
        return URLEncoder.encode(name, StandardCharsets.UTF_8).replace("+", "%20");
    }

    @Override
    public void close() {
        context.close();
    }

    /** Without what is on the class path of these tests for others of them. */
    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration(
            excludeName = {
                "org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration",
                "org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration",
                "org.springframework.boot.data.redis.autoconfigure.DataRedisReactiveAutoConfiguration",
                "org.springframework.boot.data.redis.autoconfigure.DataRedisRepositoriesAutoConfiguration"
            })
    static class Main {}
}
