package io.leasehold.sample.instances;

import java.util.List;
import org.springframework.jdbc.core.DataClassRowMapper;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** The instances that have shown a sign of life within the last seconds. */
@RestController
class Instances {

    private final JdbcClient database;

    private final ThisInstance thisInstance;

    Instances(JdbcClient database, ThisInstance thisInstance) {
        this.database = database;
        this.thisInstance = thisInstance;
    }

    @Scheduled(fixedDelay = 1000)
    void showSignOfLife() {
        Instance me = thisInstance.get();
        int updated = database.sql("update instance set url = ?, pid = ?, seen_at = current_timestamp where name = ?")
                .params(me.url(), me.pid(), me.name())
                .update();
        if (updated == 0) {
            database.sql("insert into instance (name, url, pid, seen_at) values (?, ?, ?, current_timestamp)")
                    .params(me.name(), me.url(), me.pid())
                    .update();
        }
    }

    @GetMapping("/instances")
    Overview overview() {
        List<Instance> alive = database.sql(
                        "select name, url, pid from instance where seen_at > current_timestamp - interval '3' second"
                                + " order by name")
                .query(DataClassRowMapper.newInstance(Instance.class))
                .list();
        return new Overview(thisInstance.get(), alive);
    }

    record Overview(Instance here, List<Instance> alive) {}
}
