package io.holdfast.lock.rules;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.lang.conditions.ArchConditions.onlyDependOnClassesThat;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.lang.ArchRule;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The layers of the two published modules, under a root package: the project's own, or that of the fixtures which break
 * the rules.
 */
record LayerRules(String root) {
    private static final List<String> JDK = List.of("java..", "org.jspecify..");

    /** Types of the API with static methods that reach what is below it. */
    private static final Set<String> DOORS = Set.of(".LockClient", ".ClientOptions", ".RedLock", ".MultiLock");

    private static final Set<String> BEHIND_DOORS =
            Set.of(".spi.client.LockProvider", ".engine.EngineClient", ".options.OptionTexts");

    /** Public types outside the API and the SPI that have to be: others put them together, or run them. */
    private static final Set<String> PUBLIC_ENTRANCES =
            Set.of(".engine.EngineClient", ".jfr.FlightRecording", ".netty.NettyLockProvider", ".netty.ScriptFiles");

    ArchRule api() {
        return classes()
                .that()
                .resideInAPackage(root)
                .and(not(named(DOORS)))
                .should(onlyDependOnClassesThat(inPackages(and("javax.net.ssl.."), "", ".text")))
                .because("the API knows nothing else of ours but how text is shown");
    }

    /** The static methods by which an application gets its first objects have to know where those come from. */
    ArchRule doors() {
        return classes()
                .that(named(DOORS))
                .should(onlyDependOnClassesThat(inPackages(JDK, "", ".text").or(named(BEHIND_DOORS))))
                .because("a door of the API knows what is right behind it, and nothing else");
    }

    ArchRule clients() {
        return layer(
                "what makes clients of backends knows the engine, and no transport",
                ".spi.client",
                JDK,
                "",
                ".spi",
                ".text",
                ".engine",
                ".spi.client");
    }

    ArchRule spi() {
        return layer("the SPI knows the JDK only, and how text is shown", ".spi", JDK, ".spi", ".text");
    }

    ArchRule text() {
        return layer("how text is shown knows the JDK only", ".text", JDK, ".text");
    }

    ArchRule options() {
        return layer("options as text know the API", ".options", and("org.slf4j.."), "", ".text", ".options");
    }

    ArchRule engine() {
        return layer(
                "the engine knows the API and the SPI, and no transport",
                ".engine",
                and("org.slf4j.."),
                "",
                ".spi",
                ".text",
                ".jfr",
                ".engine..");
    }

    ArchRule recordings() {
        return layer("what is recorded is what the API tells of", ".jfr", and("jdk.jfr.."), "", ".text", ".jfr");
    }

    /** The rooms of the engine, each with those that it may import besides the API, the SPI and itself. */
    static final Map<String, List<String>> ROOMS = Map.ofEntries(
            Map.entry("key", List.of()),
            Map.entry("call", List.of("key")),
            Map.entry("kind", List.of("key")),
            Map.entry("hold", List.of("key", "call", "kind")),
            Map.entry("preflight", List.of("key", "call", "kind", "hold")),
            Map.entry("step", List.of("key", "call", "kind", "hold")),
            Map.entry("tell", List.of("key", "call", "kind", "hold")),
            Map.entry("upkeep", List.of("key", "call", "kind", "hold", "tell", "step")),
            Map.entry("quorum", List.of("key", "call", "kind", "hold", "step", "upkeep")),
            Map.entry("wait", List.of("key", "call", "kind", "hold", "tell", "step", "upkeep")),
            Map.entry("operation", List.of("key", "call", "kind", "hold", "tell", "step", "upkeep", "wait")),
            Map.entry("inspect", List.of("key", "call", "kind", "hold", "step", "quorum")),
            Map.entry("latch", List.of("key", "call", "kind", "hold", "step", "wait", "inspect")),
            Map.entry("lock", List.of("key", "call", "kind", "hold", "tell", "wait", "operation", "inspect")),
            Map.entry(
                    "permit",
                    List.of("key", "call", "kind", "hold", "tell", "step", "wait", "operation", "inspect", "lock")),
            Map.entry("election", List.of("key", "call", "kind", "hold", "step", "wait", "inspect", "latch", "lock")),
            Map.entry("multi", List.of("key", "call", "kind", "hold", "tell", "wait", "operation", "inspect", "lock")));

    ArchRule room(String room) {
        Stream<String> neighbours = ROOMS.get(room).stream();
        Stream<String> ours = Stream.concat(Stream.of(room), neighbours).map(name -> ".engine." + name);
        return layer(
                "the engine's room '" + room + "' knows " + ROOMS.get(room),
                ".engine." + room,
                and("org.slf4j.."),
                Stream.concat(Stream.of("", ".spi", ".text", room.equals("tell") ? ".jfr" : ""), ours)
                        .toArray(String[]::new));
    }

    /** Every type of the engine but the way in and the wiring is in a room. */
    ArchRule noTypeOutsideOfTheRooms() {
        return classes()
                .that()
                .resideInAPackage(root + ".engine")
                .and()
                .areTopLevelClasses()
                .and()
                .doNotHaveSimpleName("package-info")
                .should()
                .haveNameMatching(".*\\.(Engine|EngineClient)")
                .because("a newcomer finds a class by its room");
    }

    ArchRule codec() {
        return layer(
                "the codec knows the SPI and buffers",
                ".netty.resp",
                and("io.netty.buffer..", "io.netty.util.."),
                ".spi",
                ".text",
                ".netty.resp");
    }

    ArchRule tls() {
        return layer(
                "TLS knows no connections",
                ".netty.tls",
                and("javax.net.ssl..", "javax.crypto..", "org.slf4j..", "io.netty.."),
                "",
                ".text",
                ".netty.tls");
    }

    /** Its jar is optional: where it is missing, the class that mentions it is the one that can't be used. */
    ArchRule onlyTheEnginesKnowTheOptionalHandler() {
        return noClasses()
                .that()
                .resideInAPackage(root + ".netty..")
                .and()
                .haveNameNotMatching(".*\\.netty\\.tls\\.NettyEngines(\\$.*)?")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("io.netty.handler..")
                .because("netty-handler is optional, so one class alone may mention it");
    }

    ArchRule addresses() {
        return transport("addresses know nothing of connections", ".netty.address", ".netty.guest", ".netty.address");
    }

    ArchRule guests() {
        return layer("calls into code of users know nothing of ours", ".netty.guest", JDK, ".netty.guest");
    }

    ArchRule connections() {
        return transport(
                "connections know addresses, TLS, the codec, and who the client is",
                ".netty.connection",
                ".netty.address",
                ".netty.tls",
                ".netty.resp",
                ".netty.credentials",
                ".netty.connection");
    }

    ArchRule credentials() {
        return transport(
                "who the client is knows no connection", ".netty.credentials", ".netty.guest", ".netty.credentials");
    }

    ArchRule pubsub() {
        return transport(
                "messages know connections and the codec",
                ".netty.pubsub",
                ".netty.resp",
                ".netty.credentials",
                ".netty.connection",
                ".netty.pubsub");
    }

    ArchRule replication() {
        return transport(
                "what waits for replicas knows addresses, connections and the codec",
                ".netty.replication",
                ".netty.address",
                ".netty.resp",
                ".netty.credentials",
                ".netty.connection",
                ".netty.replication");
    }

    ArchRule sentinels() {
        return transport(
                "Sentinels know addresses, connections and the codec",
                ".netty.sentinel",
                ".netty.address",
                ".netty.resp",
                ".netty.credentials",
                ".netty.connection",
                ".netty.sentinel");
    }

    ArchRule cluster() {
        return transport(
                "which node a call is sent to is decided by what nodes say of slots",
                ".netty.cluster",
                ".netty.address",
                ".netty.resp",
                ".netty.connection",
                ".netty.pubsub",
                ".netty.replication",
                ".netty.cluster");
    }

    ArchRule topology() {
        return transport(
                "topologies know addresses, connections, messages, replicas and the slots of clusters",
                ".netty.topology",
                ".netty.cluster",
                ".netty.address",
                ".netty.resp",
                ".netty.connection",
                ".netty.pubsub",
                ".netty.replication",
                ".netty.topology");
    }

    ArchRule onlyTheRootSeesTheEngine() {
        return noClasses()
                .that()
                .resideInAPackage(root + ".netty.*..")
                .should()
                .dependOnClassesThat()
                .resideInAPackage(root + ".engine..")
                .because("only the composition root puts engine and transport together");
    }

    ArchRule noCycles() {
        return slices().matching(root + ".(**)").should().beFreeOfCycles();
    }

    ArchRule deterministicEngine() {
        return classes()
                .that()
                .resideInAPackage(root + ".engine..")
                .should(new NotCall(BannedCalls.ENGINE))
                .because(
                        "the engine takes time, timers, chance and threads from the SPI, so that a seed can replay it");
    }

    ArchRule noWallClock() {
        return classes()
                .that()
                .resideInAPackage(root + "..")
                .and(not(theWallClock()))
                .should(new NotCall(BannedCalls.EVERYWHERE))
                .because(
                        "leases are measured on the monotonic clock, nothing waits by sleeping, and logs go through SLF4J");
    }

    /** Credentials expire at a time of day, and one class says what time it is. */
    private DescribedPredicate<JavaClass> theWallClock() {
        return describe("the wall clock", type -> type.getName().startsWith(root + ".netty.credentials.WallClock"));
    }

    /** The packages below the roots of engine and transport are not exported; what is public there is seen by their neighbours only. */
    ArchRule noPublicTypesButTheIntended() {
        return noClasses()
                .that()
                .resideInAnyPackage(root + ".engine", root + ".netty")
                .and()
                .areTopLevelClasses()
                .and(not(entrances()))
                .should()
                .haveModifier(JavaModifier.PUBLIC)
                .because("types are package-private unless they are API, SPI or a listed entrance");
    }

    List<ArchRule> all() {
        return Stream.concat(layers().stream(), ROOMS.keySet().stream().sorted().map(this::room))
                .toList();
    }

    private List<ArchRule> layers() {
        return List.of(
                noTypeOutsideOfTheRooms(),
                api(),
                doors(),
                spi(),
                clients(),
                text(),
                options(),
                engine(),
                recordings(),
                codec(),
                tls(),
                onlyTheEnginesKnowTheOptionalHandler(),
                guests(),
                addresses(),
                connections(),
                credentials(),
                pubsub(),
                replication(),
                sentinels(),
                cluster(),
                topology(),
                onlyTheRootSeesTheEngine(),
                noCycles(),
                deterministicEngine(),
                noWallClock(),
                noPublicTypesButTheIntended());
    }

    private DescribedPredicate<JavaClass> entrances() {
        return named(PUBLIC_ENTRANCES);
    }

    private DescribedPredicate<JavaClass> named(Set<String> names) {
        return describe("named " + names, type -> names.stream()
                .anyMatch(name -> type.getName().equals(root + name)));
    }

    private ArchRule transport(String why, String layer, String... ours) {
        String[] withApi = new String[ours.length + 3];
        withApi[0] = "";
        withApi[1] = ".spi";
        withApi[2] = ".text";
        System.arraycopy(ours, 0, withApi, 3, ours.length);
        return layer(why, layer, and("org.slf4j..", "io.netty.."), withApi);
    }

    private ArchRule layer(String why, String layer, List<String> foreign, String... ours) {
        return classes()
                .that()
                .resideInAPackage(root + layer)
                .should(onlyDependOnClassesThat(inPackages(foreign, ours)))
                .because(why);
    }

    private DescribedPredicate<JavaClass> inPackages(List<String> foreign, String... ours) {
        DescribedPredicate<JavaClass> allowed = JavaClass.Predicates.resideInAnyPackage(foreign.toArray(String[]::new));
        for (String name : ours) {
            allowed = allowed.or(JavaClass.Predicates.resideInAPackage(root + name));
        }
        return allowed.or(arrayOfPrimitives());
    }

    private static DescribedPredicate<JavaClass> arrayOfPrimitives() {
        return describe("primitives and their arrays", type -> type.getBaseComponentType()
                .isPrimitive());
    }

    private static List<String> and(String... more) {
        return Stream.concat(JDK.stream(), Stream.of(more)).toList();
    }
}
