package io.leasehold.sample.deploy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.leasehold.sample.SampleTest;
import io.leasehold.sample.deploy.DeploymentState.Turn;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.jdbc.core.simple.JdbcClient;

/** The database refuses a holder whose lock has passed to another. */
@SampleTest
class DeploymentsTests {

    @Autowired
    private Deployments deployments;

    @Autowired
    private JdbcClient database;

    @Test
    void takesNoStepFromAHolderWithAnEarlierToken() {
        Deployment deployment = finishedDeployment();
        deployments.record(deployment, new Progress(1, "late", 41, 1000, 0));
        deployments.record(deployment, new Progress(2, "current", 42, 1000, 0));

        assertThatThrownBy(() -> deployments.record(deployment, new Progress(3, "late", 41, 1000, 0)))
                .isInstanceOf(StaleHolderException.class)
                .hasMessageContaining("higher fencing token than 41");

        assertThat(deployments.stepsDone(deployment)).isEqualTo(2);
        assertThat(deployments.latest().get(0).turns())
                .containsExactly(new Turn("late", 41, 1), new Turn("current", 42, 1));
    }

    @Test
    void aNewHolderEntersBeforeItReadsWhatIsDone() {
        Deployment deployment = finishedDeployment();
        deployments.record(deployment, new Progress(1, "late", 41, 1000, 0));

        assertThat(deployments.enter(deployment, 42)).isEqualTo(1);

        assertThatThrownBy(() -> deployments.record(deployment, new Progress(2, "late", 41, 1000, 0)))
                .isInstanceOf(StaleHolderException.class);
        assertThatThrownBy(() -> deployments.enter(deployment, 41)).isInstanceOf(StaleHolderException.class);
        deployments.record(deployment, new Progress(2, "current", 42, 1000, 0));
        assertThat(deployments.latest().get(0).turns())
                .containsExactly(new Turn("late", 41, 1), new Turn("current", 42, 1));
    }

    /** The application's pool has ten connections, and gives up after 30 s. */
    @Test
    void manyReadersNeedOneConnectionEach() {
        finishedDeployment();
        ExecutorService readers = Executors.newFixedThreadPool(20);
        try {
            List<CompletableFuture<?>> read = new ArrayList<>();
            for (int i = 0; i < 200; i++) {
                read.add(CompletableFuture.runAsync(() -> deployments.latest(), readers));
            }
            assertThat(CompletableFuture.allOf(read.toArray(CompletableFuture[]::new)))
                    .succeedsWithin(Duration.ofSeconds(25));
        } finally {
            readers.shutdownNow();
        }
    }

    /** Finished, so that no job works at it. */
    private Deployment finishedDeployment() {
        database.sql("insert into deployment (service, steps, finished, fencing_token, remaining_millis, renewals)"
                        + " values ('shop', 1, true, 0, 0, 0)")
                .update();
        long id = deployments.latest().get(0).id();
        return new Deployment(id, "shop", 1);
    }
}
