package io.leasehold.sample.stock;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import org.springframework.jdbc.core.DataClassRowMapper;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.support.GeneratedKeyHolder;
import org.springframework.stereotype.Repository;

/** Rushes, what is left of their items, and what was sold. */
@Repository
class Warehouse {

    private static final String RUSH = "select id, stock, buyers, locked, started_by from rush ";

    private final JdbcClient database;

    Warehouse(JdbcClient database) {
        this.database = database;
    }

    Rush open(int stock, int buyers, boolean locked, String startedBy) {
        GeneratedKeyHolder id = new GeneratedKeyHolder();
        database.sql("insert into rush (stock, items_left, buyers, locked, started_by) values (?, ?, ?, ?, ?)")
                .params(stock, stock, buyers, locked, startedBy)
                .update(id, "id");
        long rushId = Objects.requireNonNull(id.getKey()).longValue();
        return new Rush(rushId, stock, buyers, locked, startedBy);
    }

    Optional<Rush> latest() {
        return database.sql(RUSH + "order by id desc limit 1").query(Rush.class).optional();
    }

    List<Rush> after(long id) {
        return database.sql(RUSH + "where id > ? order by id")
                .param(id)
                .query(DataClassRowMapper.newInstance(Rush.class))
                .list();
    }

    int itemsLeft(Rush rush) {
        return database.sql("select items_left from rush where id = ?")
                .param(rush.id())
                .query(Integer.class)
                .single();
    }

    void setItemsLeft(Rush rush, int items) {
        database.sql("update rush set items_left = ? where id = ?")
                .params(items, rush.id())
                .update();
    }

    void recordSale(Rush rush, String instance) {
        database.sql("insert into sale (rush_id, instance) values (?, ?)")
                .params(rush.id(), instance)
                .update();
    }

    Map<String, Integer> soldByInstance(Rush rush) {
        Map<String, Integer> sold = new TreeMap<>();
        database.sql("select instance, count(*) from sale where rush_id = ? group by instance")
                .param(rush.id())
                .query(row -> {
                    sold.put(row.getString(1), row.getInt(2));
                });
        return sold;
    }
}
