package io.holdfast.lock.examples;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.lock.examples.Commands.Outcome;
import io.holdfast.lock.testkit.RawRedis;
import io.holdfast.lock.testkit.RedisServer;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The commands that start several processes or servers, once, as a user runs them. */
class EndToEndTest {

    @Test
    @Tag("proof")
    void stockSellsExactlyWithHoldfastWhateverIsFrozen() {
        Outcome outcome = Commands.succeed(
                "stock",
                "--items",
                "60",
                "--buyers",
                "12",
                "--processes",
                "2",
                "--freezes",
                "1",
                "--lease",
                "500",
                "--freeze",
                "900");
        assertThat(outcome.text())
                .containsPattern("Round 1(?s:.*)Holdfast +60 +60 +0 (?s:.*)Round 2(?s:.*)Holdfast +60 +60 +0 ")
                .contains("no lock", "SETNX + GETSET", "SET NX PX", "Holdfast: exact");
    }

    @Test
    @Tag("proof")
    void stockLeavesNothingBehindOnAUsersServer() {
        try (RedisServer server = RedisServer.start();
                RawRedis redis = server.connect()) {
            Commands.succeed(
                    "stock",
                    "--redis",
                    server.url(),
                    "--items",
                    "10",
                    "--buyers",
                    "2",
                    "--processes",
                    "1",
                    "--freezes",
                    "0");
            assertThat(redis.command("KEYS", "*stock*")).isEqualTo(List.of());
        }
    }

    @Test
    @Tag("proof")
    void barrierWaitsForTheOneThatWasKilled() {
        try (RedisServer server = RedisServer.start();
                RawRedis redis = server.connect()) {
            Outcome outcome = Commands.succeed(
                    "barrier", "--redis", server.url(), "--processes", "3", "--work", "600", "--limit", "1500");
            assertThat(outcome.text())
                    .containsPattern("process 2 killed(?s:.*)await\\(1500, MILLISECONDS\\): false; getCount\\(\\): 1")
                    .containsPattern("process 4 does its work(?s:.*)2 +400 +killed +- +-")
                    .contains("exact: 3 processes went on, none before the last count")
                    .doesNotContain("\u001b");
            assertThat(redis.command("KEYS", "*barrier*")).isEqualTo(List.of());
        }
    }

    @Test
    @Tag("proof")
    void electionFollowsTheDeadAndThoseWhoResign() {
        Outcome outcome = Commands.succeed("election", "--processes", "3", "--lease", "1000", "--term", "300");
        assertThat(outcome.text())
                .containsPattern("process 1 is killed(?s:.*)no process leads(?s:.*)process 2 leads")
                .containsPattern("process 2 +\\d+ .* resigned ")
                .contains("one leader at a time, first come, first served", "Terms only increased")
                .doesNotContain("\u001b");
        assertThat(outcome.text().lines()).allMatch(line -> line.length() < 80 || line.contains("log:"));
    }

    @Test
    @Tag("proof")
    void fairKeepsTheOrderAndDoesNotWaitForTheFrozen() {
        Outcome outcome = Commands.succeed("fair", "--processes", "4", "--hold", "400");
        assertThat(outcome.text())
                .containsPattern("nobody is frozen +1 2 3 4 ")
                .containsPattern("process 3 is frozen +1 2 4 3 ")
                .containsPattern("process 3 +\\.+z+\\.*#+")
                .contains("first come, first served", "Tokens only increased.")
                .doesNotContain("\u001b");
        assertThat(outcome.text().lines()).allSatisfy(line -> assertThat(line).hasSizeLessThan(80));
    }

    @Test
    @Tag("proof")
    void readwriteReadsTogetherAndWholeAndLeavesNothingBehind() {
        try (RedisServer server = RedisServer.start();
                RawRedis redis = server.connect()) {
            Outcome outcome = Commands.succeed(
                    "readwrite", "--redis", server.url(), "--readers", "6", "--processes", "2", "--seconds", "1");
            assertThat(outcome.text())
                    .containsPattern("plain lock +[0-9,]+ +0 ")
                    .containsPattern("read/write lock +[0-9,]+ +0 ")
                    .doesNotContain("\u001b");
            assertThat(outcome.text().lines())
                    .allSatisfy(line -> assertThat(line).hasSizeLessThan(81));
            assertThat(redis.command("KEYS", "*cache*")).isEqualTo(List.of());
        }
    }

    @Test
    @Tag("proof")
    void permitsOfTheKilledComeBackAndThoseOfACounterDoNot() {
        try (RedisServer server = RedisServer.start();
                RawRedis redis = server.connect()) {
            Outcome outcome = Commands.succeed("permits", "--redis", server.url(), "--limit", "4", "--processes", "3");
            assertThat(outcome.text())
                    .containsPattern("counter +process 3 killed; it had [1-4] connection")
                    .containsPattern("permits +process 4 killed; it had [1-4] connection")
                    .containsPattern("counter +4 +[1-4] +[0-3] +never")
                    .containsPattern("permits +4 +[1-4] +[0-3] +[0-9.]+ s")
                    .containsPattern("permits +[0-4]{64}\\R")
                    .contains("kept: never more than 4 connections")
                    .doesNotContain("\u001b");
            assertThat(outcome.text().lines()).allMatch(line -> line.length() < 80 || line.contains("log:"));
            assertThat(redis.command("KEYS", "*connections-*")).isEqualTo(List.of());
        }
    }

    @Test
    @Tag("proof")
    void redlockSurvivesTwoNodesTellsOfTheThirdAndComesBack() {
        Outcome outcome = Commands.succeed("redlock", "--clients", "3", "--lease", "800", "--round", "1000");
        assertThat(outcome.text())
                .contains("node 4 killed", "node 5 killed", "still held after a whole lease", "node 3 killed")
                .containsPattern(
                        "told [0-9.]+ m?s after the kill(?s:.*)NOT_RENEWED(?s:.*)node 3: (?s:.*)node 5: UNREACH")
                .contains("LockUnavailableException, NO_MAJORITY", "left out after a restart")
                .containsPattern("granted [0-9.]+ m?s after the restart")
                .contains("no update lost, tokens only increased, the loss was told, the lock came back")
                .doesNotContain("\u001b");
    }

    @Test
    @Tag("proof")
    void failoverLosesLocksAndNoUpdate() {
        Outcome outcome = Commands.succeed("failover", "--articles", "2", "--processes", "2", "--sale", "500");
        assertThat(outcome.text())
                .containsPattern("primary A, named by 3 of 3 Sentinels(?s:.*)primary A killed")
                .containsPattern(
                        "[BC] is named the primary by 3 of 3 Sentinels(?s:.*)" + "bread +granted to another buyer")
                .containsPattern("bread +process [12] is told of the loss: FAILED_OVER")
                .containsPattern("apples +written(?s:.*)apples +[0-9]+ +kept +written ")
                .containsPattern("bread +refused(?s:.*)bread +[0-9]+ +FAILED_OVER +refused ")
                .contains("every piece that was sold is missing in the stock, and no other")
                .doesNotContain("\u001b");
    }

    /** The tokens are what saves the updates, and a lost update is noticed. */
    @Test
    @Tag("proof")
    void failoverLosesUpdatesWhereNoTokenIsChecked() {
        Outcome outcome =
                Commands.run("failover", "--articles", "2", "--processes", "2", "--sale", "500", "--unfenced");
        assertThat(outcome.text())
                .containsPattern("bread +written over [0-9]+ later sales?")
                .containsPattern("bread .* [1-9][0-9]*\\R")
                .containsPattern("[0-9]+ updates? lost");
        assertThat(outcome.exitCode()).isEqualTo(1);
    }

    /** Without a token: the guard keeps owners apart that look before they write. */
    @Test
    @Tag("proof")
    void failoverWithTheGuardLosesNoUpdate() {
        Outcome outcome = Commands.succeed(
                "failover", "--articles", "2", "--processes", "2", "--sale", "500", "--guard", "--unfenced");
        assertThat(outcome.text())
                .containsPattern("primary A killed(?s:.*)PAUSED: the primary is new")
                .containsPattern("bread +process [12] is told of the loss: FAILED_OVER(?s:.*)the pause is over")
                .containsPattern("bread +granted to another buyer 1[0-9]")
                .containsPattern("apples +written: its lock was kept(?s:.*)apples +[0-9]+ +kept +written ")
                .containsPattern("bread +not written(?s:.*)bread +[0-9]+ +FAILED_OVER +not written ")
                .containsPattern("guard +[-xn]*p+-")
                .contains("every piece that was sold is missing in the stock, and no other");
    }

    @Test
    @Tag("proof")
    void clusterKeepsLocksWhoseSlotMovesAndWhosePrimaryDies() {
        Outcome outcome =
                Commands.succeed("cluster", "--locks", "6", "--processes", "2", "--work", "1000", "--move", "1000");
        assertThat(outcome.text())
                .containsPattern("slot 14,859 is open(?s:.*)at A now: holdfast:token:(?s:.*)the slot is at A")
                .containsPattern("A killed(?s:.*)D is the primary of its slots(?s:.*)all its locks are granted again")
                .containsPattern("node A .*x+\\R")
                .containsPattern("move +>+\\R")
                .containsPattern("A +primary +killed +0 +[0-9,]+\\R(?s:.*)D +replica +primary +5,46[12] +[0-9,]+\\R")
                .containsPattern("carrots +14,859 +C > A > D +[0-9,]+ +[0-9,]+ ")
                .contains("tokens only rose", "no watched lock was lost", "each number is what was counted")
                .doesNotContain("\u001b");
        assertThat(outcome.text().lines())
                .allMatch(line -> line.length() < 80 || line.contains("log:") || line.matches(" +[0-9.]+ s .*"));
    }
}
