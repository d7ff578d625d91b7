package io.holdfast.lock.engine.preflight;

import io.holdfast.lock.Finding.Code;
import io.holdfast.lock.Finding.Severity;
import io.holdfast.lock.spi.ServerReport;
import io.holdfast.lock.text.Printable;

/** Versions in which a user who may run scripts can take over the server (CVE-2025-49844). */
final class KnownHoles {

    private static final String HOLE = "CVE-2025-49844";

    /** A branch that ended before the hole was known. Some distributions have mended theirs. */
    private static final String ENDED = "7.0";

    private KnownHoles() {}

    static void of(ServerReport report, Findings findings) {
        String valkey = report.info("valkey_version");
        String version = valkey.isEmpty() ? report.info("redis_version") : valkey;
        String[] parts = version.split("\\.", 3);
        if (parts.length < 3) {
            return;
        }
        String branch = parts[0] + "." + parts[1];
        boolean ended = branch.equals(ENDED);
        long first = valkey.isEmpty() ? mendedInRedis(branch) : mendedInValkey(branch);
        long patch = Numbers.of(parts[2]);
        if (!ended && (patch < 0 || patch >= first)) {
            return;
        }
        findings.add(
                Code.KNOWN_VULNERABILITY,
                ended ? Severity.NOTE : Severity.WARNING,
                report.node(),
                "Version " + Printable.of(version) + " has " + HOLE
                        + (ended ? " unless its distributor mended it" : ""),
                "A user who may run scripts can run any program on the server's host",
                ended ? "Update to a later branch, or ask the distributor" : "Update to " + branch + "." + first);
    }

    /** The first patch of a branch that has the fix. Later branches began with it. */
    private static long mendedInRedis(String branch) {
        return switch (branch) {
            case "6.2" -> 20;
            case "7.2" -> 11;
            case "7.4" -> 6;
            case "8.0" -> 4;
            case "8.2" -> 2;
            default -> 0;
        };
    }

    private static long mendedInValkey(String branch) {
        return switch (branch) {
            case "7.2" -> 11;
            case "8.0" -> 6;
            case "8.1" -> 4;
            default -> 0;
        };
    }
}
