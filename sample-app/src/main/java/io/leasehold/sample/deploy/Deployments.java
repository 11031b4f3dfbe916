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

    /**
     * Raises the token of a release to that of its new holder, and then reads the steps that are done. In the other order,
     * the former holder could still record the step that the new one is going to take.
     */
    @Transactional
    public int enter(Deployment deployment, long fencingToken) {
        int updated = database.sql("update deployment set fencing_token = ? where id = ? and fencing_token <= ?")
                .params(fencingToken, deployment.id(), fencingToken)
                .update();
        if (updated == 0) {
            throw new StaleHolderException(deployment, fencingToken);
        }
        return stepsDone(deployment);
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
        List<Row> rows = database.sql("select id, service, steps, finished, remaining_millis, renewals from deployment"
                        + " order by id desc limit 6")
                .query(DataClassRowMapper.newInstance(Row.class))
                .list();
        // after the first query has given its connection back: each of them needs one
        return rows.stream().map(row -> row.with(turns(row.id()))).toList();
    }

    private List<DeploymentState.Turn> turns(long id) {
        return database.sql("select instance, fencing_token, count(*) as steps from deployment_step"
                        + " where deployment_id = ? group by instance, fencing_token order by fencing_token")
                .param(id)
                .query(DataClassRowMapper.newInstance(DeploymentState.Turn.class))
                .list();
    }

    record Row(long id, String service, int steps, boolean finished, long remainingMillis, long renewals) {

        DeploymentState with(List<DeploymentState.Turn> turns) {
            return new DeploymentState(id, service, steps, finished, remainingMillis, renewals, turns);
        }
    }
}
