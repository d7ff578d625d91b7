package io.holdfast.lock.tests.chaos;

import static io.holdfast.lock.tests.chaos.Row.Trait.IN_TURN;
import static io.holdfast.lock.tests.chaos.Row.Trait.NETWORK;
import static io.holdfast.lock.tests.chaos.Row.Trait.QUORUM;
import static io.holdfast.lock.tests.chaos.Row.Trait.SHORT;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** How the rows of the fault matrix are played. What they are about is on the {@link FaultPage}. */
final class Matrix {

    private static final FaultPage PAGE = FaultPage.find(Path.of(""));
    private static final List<Row> ROWS = new ArrayList<>();

    static {
        play("1", ServerRows::crash, SHORT);
        play("2", ServerRows::crashWithFile, SHORT);
        play("3", ServerRows::powerLoss);
        play("4", ServerRows::frozen, SHORT);
        play("5", ServerRows::frozenWithAcquireInFlight, SHORT);
        play("6", ReplyRows::replyLost, SHORT);
        play("7", ReplyRows::lateCopy, SHORT);
        play("8", ReplyRows::releaseUnheard, SHORT);
        play("9", ReplyRows::releaseTooLate, SHORT);
        play("14", ClusterRows::moved);
        play("15", ClusterRows::triedAgain, SHORT);
        play("16", ClusterRows::braces);
        play("17", ClusterRows::movedAway, SHORT);
        play("18", ClusterRows::replaced, SHORT);
        play("19", ClusterRows::down, SHORT);
        play("20", MessageRows::messagesCut, SHORT);
        play("21", MessageRows::subscribersKilled, SHORT);
        play("22", MessageRows::releasedBeforeSubscribed);
        play("23", MessageRows::messagesOverrun);
        play("24", NetworkRows::halfOpen, SHORT, NETWORK);
        play("25", NetworkRows::slow);
        play("26", NetworkRows::lossy, SHORT, NETWORK);
        play("27", AnswerRows::scriptsForgotten);
        play("28", AnswerRows::busy, SHORT);
        play("29", AnswerRows::loading);
        play("30", AnswerRows::replica);
        play("31", LimitRows::memoryFull, SHORT);
        play("32", LimitRows::evicted, SHORT);
        play("33", LimitRows::noClientsAdmitted);
        play("34", LimitRows::credentials);
        play("35", PipelineRows::commandConnectionKilled, SHORT);
        play("36", PipelineRows::givenUp);
        play("37", ClientRows::paused, SHORT);
        play("38", ClockRows::clientsClock);
        play("39", ClockRows::serversClock, SHORT);
        play("40", InterruptRows::everywhere, SHORT);
        play("41", ClientRows::threadDies);
        play("42", ClientRows::closed, SHORT);
        play("43", CrowdRows::waiters);
        play("44", CrowdRows::watched);
        play("45a", QuorumRows::minorityDown, SHORT, QUORUM);
        play("45b", QuorumRows::splitVote, SHORT, QUORUM);
        play("45c", QuorumRows::forgetful, QUORUM);
        play("45d", QuorumRows::oneClockSteps, QUORUM);
        play("45e", QuorumRows::releaseLostOnTwo, SHORT, QUORUM);
        play("46", ClientRows::onEventLoop);
        play("49a", QueueRows::killed, SHORT, IN_TURN);
        play("49b", QueueRows::frozen, IN_TURN);
        play("49c", MessageRows::messagesCut, IN_TURN);
        play("49d", MessageRows::subscribersKilled, IN_TURN);
        play("49e", ServerRows::crash, SHORT, IN_TURN);
        play("49f", QueueRows::memoryFull, IN_TURN);
        play("49g", QueueRows::forced, IN_TURN);
        play("49h", AnswerRows::scriptsForgotten, IN_TURN);
        play("49i", QueueRows::noChannels, IN_TURN);
        play("51a", PermitRows::holderKilled, SHORT);
        play("51b", PermitRows::waiterKilled);
        play("51c", PermitRows::frozen);
        play("51d", PermitRows::unheard);
        play("51e", PermitRows::forgotten);
        play("51f", PermitRows::memoryFull);
        play("51g", PermitRows::scriptsForgotten);
    }

    private Matrix() {}

    static List<Row> rows() {
        return List.copyOf(ROWS);
    }

    static Row row(String name) {
        return ROWS.stream()
                .filter(row -> row.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("no row " + name));
    }

    private static void play(String name, Row.Scenario scenario, Row.Trait... traits) {
        FaultPage.Line line = PAGE.line(name);
        ROWS.add(new Row(
                name,
                line.fault(),
                line.cause().replace("`", ""),
                line.must().replace("`", ""),
                Set.of(traits),
                scenario));
    }
}
