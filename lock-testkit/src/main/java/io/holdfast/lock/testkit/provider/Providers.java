package io.holdfast.lock.testkit.provider;

import io.holdfast.lock.testkit.FrameFate;
import io.holdfast.lock.testkit.ServerMode;
import java.util.List;

/**
 * Providers and proxies whose refusals are known. None was tried itself: a profile shows what follows from the refusals that its
 * sources name, and nothing else.
 *
 * <p>Where the sources give no words of a refusal, those of a server that has no such command stand for them.
 */
public final class Providers {
    private static final String UNKNOWN = "ERR unknown command '%s', with args beginning with: ";
    private static final String NO_RIGHT = "-NOPERM this user has no permissions to run the '%s' command";

    /** A server that refuses nothing, for comparison. */
    public static final ProviderProfile NONE = new ProviderProfile("a server", List.of(), List::of);

    /** Tair and Redis by Alibaba Cloud, behind its proxy or as a cluster, with {@code script_check_enable}. */
    public static final ProviderProfile ALIBABA = new ProviderProfile(
            "Alibaba Cloud Tair",
            List.of(
                    "https://help.aliyun.com/en/redis/support/usage-of-lua-scripts",
                    "https://github.com/redisson/redisson/issues/4221",
                    "https://github.com/ulule/limiter/issues/190"),
            () -> List.of(
                    Refusals.of(UNKNOWN, "HELLO"),
                    Refusals.ofScripts(
                            "ERR bad lua script for redis cluster, all the keys that the script uses should be passed"
                                    + " using the KEYS array, and KEYS should not be in expression",
                            script -> !LiteralKeys.complaints(script).isEmpty()),
                    Refusals.ofKeylessCalls(FrameFate.refused(
                            "ERR for redis cluster, eval/evalsha number of keys can't be negative or zero"))));

    /** Envoy's Redis proxy. It answers PING itself, without the word that came with it, and has no publish and subscribe. */
    public static final ProviderProfile ENVOY = new ProviderProfile(
            "Envoy",
            List.of(
                    "https://github.com/envoyproxy/envoy/blob/00fd86bd9deda63cbe0f3b0761c6d2e3dd9aeb5e/source/extensions/filters/network/common/redis/supported_commands.h",
                    "https://github.com/envoyproxy/envoy/issues/17571",
                    "https://github.com/envoyproxy/envoy/issues/38517",
                    "https://github.com/envoyproxy/envoy/issues/38492"),
            () -> List.of(
                    words -> ProviderRule.is(words, "PING") && words.size() > 1
                            ? FrameFate.instead(List.of("PING"))
                            : FrameFate.PASS,
                    words -> words.size() < 4 && ProviderRule.command(words).startsWith("EVAL")
                            ? FrameFate.refused("wrong number of arguments for '" + words.get(0) + "' command")
                            : FrameFate.PASS,
                    Refusals.ofAllBut(UNKNOWN, "PING", "AUTH", "EVAL", "EVALSHA", "PUBLISH", "ECHO", "TIME", "QUIT")));

    /** twemproxy, which closes the connection of a client that sends what it does not know. */
    public static final ProviderProfile TWEMPROXY = new ProviderProfile(
            "twemproxy",
            List.of(
                    "https://github.com/twitter/twemproxy/blob/master/notes/redis.md",
                    "https://github.com/redis/go-redis/issues/2616",
                    "https://github.com/twitter/twemproxy/issues/133"),
            () -> List.of(
                    Refusals.disconnectAtAllBut("AUTH", "PING", "EVAL", "EVALSHA"),
                    Refusals.ofKeylessCalls(FrameFate.cutAfter(0))));

    /** Redis Cloud and Redis Software; Azure Managed Redis is the same. */
    public static final ProviderProfile REDIS_CLOUD = new ProviderProfile(
            "Redis Cloud, Azure Managed Redis",
            List.of(
                    "https://redis.io/docs/latest/operate/rs/references/compatibility/commands/connection",
                    "https://redis.io/docs/latest/operate/rs/references/compatibility/commands/cluster",
                    "https://redis.io/docs/latest/operate/rs/references/compatibility/commands/server/",
                    "https://learn.microsoft.com/en-us/training/modules/implement-data-operations-azure-managed-redis/3-client-libraries-best-practices",
                    "https://github.com/hibiken/asynqmon/issues/210"),
            () -> List.of(
                    Refusals.of(
                            UNKNOWN, "CLIENT PAUSE", "CLIENT NO-EVICT", "ASKING", "CLUSTER MYID", "ACL LOG", "DEBUG"),
                    Refusals.ofCommandInScripts("INFO", "ERR This Redis command is not allowed from scripts")));

    /** ElastiCache Serverless, a cluster of one virtual node: scripts need a key and have no TIME, and are forgotten. */
    public static final ProviderProfile ELASTICACHE_SERVERLESS = new ProviderProfile(
            "ElastiCache Serverless",
            List.of(
                    "https://docs.aws.amazon.com/AmazonElastiCache/latest/dg/RedisConfiguration.html",
                    "https://github.com/django/channels_redis/issues/379",
                    "https://github.com/cristipufu/aspnetcore-redis-rate-limiting/issues/154",
                    "https://github.com/spring-cloud/spring-cloud-gateway/issues/3379",
                    "https://github.com/Effect-TS/effect-smol/issues/2328"),
            ServerMode.CLUSTER,
            () -> List.of(
                    Refusals.ofKeylessCalls(
                            FrameFate.refused("ERR Lua scripts without any input keys are not supported.")),
                    Refusals.forgettingScripts(5),
                    Refusals.ofCommandInScripts("TIME", "ERR This Redis command is not allowed from script")));

    /** MemoryDB of AWS. */
    public static final ProviderProfile MEMORYDB = new ProviderProfile(
            "MemoryDB",
            List.of("https://docs.aws.amazon.com/memorydb/latest/devguide/restrictedcommands.html"),
            () -> List.of(Refusals.of(
                    UNKNOWN,
                    "ACL SETUSER",
                    "BGREWRITEAOF",
                    "BGSAVE",
                    "CLUSTER SETSLOT",
                    "CONFIG",
                    "DEBUG",
                    "MIGRATE",
                    "MODULE",
                    "REPLICAOF",
                    "SAVE",
                    "SHUTDOWN")));

    /** Memorystore for Valkey of Google Cloud. */
    public static final ProviderProfile MEMORYSTORE = new ProviderProfile(
            "Memorystore for Valkey",
            List.of("https://docs.cloud.google.com/memorystore/docs/valkey/supported-commands"),
            () -> List.of(Refusals.of(
                    NO_RIGHT, "ACL", "CONFIG", "CLIENT PAUSE", "CLIENT NO-EVICT", "DEBUG", "MODULE", "SHUTDOWN")));

    /** Aiven for Valkey. */
    public static final ProviderProfile AIVEN = new ProviderProfile(
            "Aiven for Valkey",
            List.of("https://aiven.io/docs/products/valkey/reference/restricted-commands"),
            () -> List.of(Refusals.of(
                    UNKNOWN, "ACL", "CLUSTER", "COMMAND", "CONFIG", "DEBUG", "FAILOVER", "MONITOR", "SHUTDOWN")));

    /** Redis and Valkey by Tencent Cloud. */
    public static final ProviderProfile TENCENT = new ProviderProfile(
            "Tencent Cloud",
            List.of(
                    "https://www.tencentcloud.com/document/product/239/50381",
                    "https://www.tencentcloud.com/document/product/239/77219"),
            () -> List.of(Refusals.of(
                    UNKNOWN, "HELLO", "ACL", "CLIENT KILL", "CLIENT PAUSE", "CLIENT REPLY", "CONFIG SET", "MODULE")));

    /** Upstash, a server of its own that knows a part of the commands for connections. */
    public static final ProviderProfile UPSTASH = new ProviderProfile(
            "Upstash",
            List.of(
                    "https://upstash.com/docs/redis/commands/connection/overview",
                    "https://upstash.com/docs/redis/overall/rediscompatibility",
                    "https://github.com/upstash/redis-js/issues/340"),
            () -> List.of(Refusals.of(
                    UNKNOWN,
                    "CLIENT KILL",
                    "CLIENT NO-EVICT",
                    "CLIENT NO-TOUCH",
                    "CLIENT PAUSE",
                    "CLIENT REPLY",
                    "CLIENT UNBLOCK")));

    /** OCI Cache of Oracle, with shards: no scripts at all. */
    public static final ProviderProfile OCI_SHARDED = new ProviderProfile(
            "OCI Cache, sharded",
            List.of("https://docs.oracle.com/iaas/Content/ocicache/restrictedcommands.htm"),
            () -> List.of(Refusals.of(
                    UNKNOWN, "EVAL", "EVALSHA", "EVAL_RO", "EVALSHA_RO", "SCRIPT", "FUNCTION", "FCALL", "CLUSTER")));

    private Providers() {}

    /** All of them, the server that refuses nothing first. */
    public static List<ProviderProfile> all() {
        return List.of(
                NONE,
                ALIBABA,
                ENVOY,
                TWEMPROXY,
                REDIS_CLOUD,
                ELASTICACHE_SERVERLESS,
                MEMORYDB,
                MEMORYSTORE,
                AIVEN,
                TENCENT,
                UPSTASH,
                OCI_SHARDED);
    }
}
