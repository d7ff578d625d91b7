package com.example.shop;

import io.holdfast.lock.spring.Locked;
import io.holdfast.lock.spring.OnTimeout;
import java.util.List;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.stereotype.Component;

/** Counts the sales each night, in one of the instances. */
@Component
class NightlyReport {

    private final JdbcClient database;

    NightlyReport(JdbcClient database) {
        this.database = database;
    }

    /**
     * All instances come here at the same time, by their own clocks. The first one gets the lock, and keeps it for
     * longer than those clocks differ, even if it ends or is killed before; the others skip the run.
     */
    @Scheduled(cron = "${shop.report.cron}")
    @Locked(value = "nightly-report", waitFor = "0s", onTimeout = OnTimeout.SKIP, atLeast = "${shop.report.at-least}")
    public void write() {
        database.sql(
                        """
                        insert into report (written_at, sales, process_id)
                        select current_timestamp, count(*), ? from sale
                        """)
                .param(ProcessHandle.current().pid())
                .update();
    }

    List<Report> written() {
        return database.sql("select written_at, sales, process_id from report order by id")
                .query(Report.class)
                .list();
    }
}
