package io.leasehold.sample.billing;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.springframework.jdbc.core.DataClassRowMapper;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

/** Who was charged for which month. On purpose, nothing in it stops a user from being charged twice. */
@Repository
class Ledger {

    private final JdbcClient database;

    Ledger(JdbcClient database) {
        this.database = database;
    }

    Optional<Month> currentMonth() {
        return database.sql("select number, locked from billing_month order by number desc limit 1")
                .query(Month.class)
                .optional();
    }

    void begin(Month month) {
        database.sql("insert into billing_month (number, locked) values (?, ?)")
                .params(month.number(), month.locked())
                .update();
    }

    List<Charge> charges(Month month) {
        return database.sql("select user_id, instance, fencing_token from charge where month_number = ? order by id")
                .param(month.number())
                .query(DataClassRowMapper.newInstance(Charge.class))
                .list();
    }

    List<User> due(Month month) {
        Set<String> charged = charges(month).stream().map(Charge::userId).collect(Collectors.toSet());
        return User.ALL.stream().filter(user -> !charged.contains(user.id())).toList();
    }

    void enter(Month month, Charge charge) {
        database.sql("insert into charge (month_number, user_id, instance, fencing_token) values (?, ?, ?, ?)")
                .params(month.number(), charge.userId(), charge.instance(), charge.fencingToken())
                .update();
    }
}
