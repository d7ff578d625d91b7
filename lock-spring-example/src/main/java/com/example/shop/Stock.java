package com.example.shop;

import java.util.List;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;
import org.springframework.transaction.annotation.Transactional;

/** What the database knows of items and sales. */
@Repository
class Stock {

    private final JdbcClient database;

    Stock(JdbcClient database) {
        this.database = database;
    }

    void fill(String item, int stock) {
        database.sql("merge into item (name, stock) values (?, ?)")
                .param(item)
                .param(stock)
                .update();
    }

    /** How many of the item are there; 0 of one that the shop has never had. */
    int left(String item) {
        return database.sql("select stock from item where name = ?")
                .param(item)
                .query(Integer.class)
                .optional()
                .orElse(0);
    }

    /**
     * Writes a sale. The transaction begins while the lock is held, so it is rolled back if the lock is lost before the
     * commit, and the next owner of the lock sees all of it.
     */
    @Transactional
    public Sale sold(String item, String buyer, int left) {
        database.sql("update item set stock = ? where name = ?")
                .param(left)
                .param(item)
                .update();
        Sale sale = new Sale(item, buyer, ProcessHandle.current().pid());
        database.sql("insert into sale (item, buyer, process_id) values (:item, :buyer, :processId)")
                .paramSource(sale)
                .update();
        return sale;
    }

    List<Sale> sales(String item) {
        return database.sql("select item, buyer, process_id from sale where item = ? order by id")
                .param(item)
                .query(Sale.class)
                .list();
    }
}
