package io.leasehold.sample.deploy;

import java.util.List;
import org.springframework.jdbc.core.DataClassRowMapper;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;
import org.springframework.transaction.annotation.Transactional;

/** The releases. It remembers the highest fencing token of each, and takes no step from a holder with a lower one. */
@Repository
class Deployments {

    private final JdbcClient database;

    Deployments(JdbcClient database) {
        this.database = database;
    }

    void request(String service, int steps) {
        database.sql("insert into deployment (service, steps, finished, fencing_token, remaining_millis, renewals)"
                        + " values (?, ?, false, 0, 0, 0)")
                .params(service, steps)
                .update();
    }

    /** The oldest unfinished release of each service. */
    List<Deployment> next() {
        return database.sql("select id, service, steps from deployment where id in"
                        + " (select min(id) from deployment where not finished group by service)")
                .query(DataClassRowMapper.newInstance(Deployment.class))
                .list();
    }

    int stepsDone(Deployment deployment) {
        return database.sql("select coalesce(max(number), 0) from deployment_step where deployment_id = ?")
                .param(deployment.id())
                .query(Integer.class)
                .single();
    }

    @Transactional
    public void record(Deployment deployment, Progress progress) {
        int updated = database.sql("update deployment set instance = ?, fencing_token = ?, remaining_millis = ?,"
                        + " renewals = ?, finished = ? where id = ? and fencing_token <= ?")
                .params(
                        progress.instance(),
                        progress.fencingToken(),
                        progress.remainingMillis(),
                        progress.renewals(),
                        progress.step() == deployment.steps(),
                        deployment.id(),
                        progress.fencingToken())
                .update();
        if (updated == 0) {
            throw new StaleHolderException(deployment, progress.fencingToken());
        }
        database.sql("insert into deployment_step (deployment_id, number, instance, fencing_token) values (?, ?, ?, ?)")
                .params(deployment.id(), progress.step(), progress.instance(), progress.fencingToken())
                .update();
    }

    List<DeploymentState> latest() {
        return database.sql(
                        "select d.id, d.service, d.steps, d.finished, d.remaining_millis, d.renewals from deployment d"
                                + " order by d.id desc limit 6")
                .query((row, number) -> new DeploymentState(
                        row.getLong("id"),
                        row.getString("service"),
                        row.getInt("steps"),
                        row.getBoolean("finished"),
                        row.getLong("remaining_millis"),
                        row.getLong("renewals"),
                        turns(row.getLong("id"))))
                .list();
    }

    private List<DeploymentState.Turn> turns(long id) {
        return database.sql("select instance, fencing_token, count(*) as steps from deployment_step"
                        + " where deployment_id = ? group by instance, fencing_token order by fencing_token")
                .param(id)
                .query(DataClassRowMapper.newInstance(DeploymentState.Turn.class))
                .list();
    }
}
