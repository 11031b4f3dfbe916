package io.leasehold.sample.deploy;

import io.leasehold.LockHandle;
import io.leasehold.Locker;
import io.leasehold.sample.instances.ThisInstance;
import java.time.Duration;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.stereotype.Service;

/** Works at a release, from where it was left, while it holds the lock of the service. */
@Service
class Deployer {

    private static final Logger log = LoggerFactory.getLogger(Deployer.class);

    private static final Duration WAIT_TIME = Duration.ofSeconds(30);

    private final Locker deployLocker;

    private final Deployments deployments;

    private final RenewalCount renewals;

    private final ThisInstance thisInstance;

    private final Duration step;

    Deployer(
            Locker deployLocker,
            Deployments deployments,
            RenewalCount renewals,
            ThisInstance thisInstance,
            @Value("${sample.deploy.step}") Duration step) {
        this.deployLocker = deployLocker;
        this.deployments = deployments;
        this.renewals = renewals;
        this.thisInstance = thisInstance;
        this.step = step;
    }

    /** Waits for the service's lock; then does what is left to do, which may be nothing. */
    void deploy(Deployment deployment) throws InterruptedException {
        Optional<LockHandle> granted = deployLocker.tryLock(deployment.service(), WAIT_TIME);
        if (granted.isEmpty()) {
            return;
        }
        try (LockHandle lock = granted.get()) {
            int done = deployments.enter(deployment, lock.fencingToken());
            if (done < deployment.steps()) {
                log.info(
                        "Release {} of '{}' goes on from step {} under fencing token {}",
                        deployment.id(),
                        deployment.service(),
                        done + 1,
                        lock.fencingToken());
            }
            for (int number = done + 1; number <= deployment.steps(); number++) {
                Thread.sleep(step.toMillis());
                lock.requireHeld();
                deployments.record(deployment, progress(number, lock));
            }
        }
    }

    private Progress progress(int number, LockHandle lock) {
        return new Progress(
                number,
                thisInstance.name(),
                lock.fencingToken(),
                lock.remaining().toMillis(),
                renewals.of(lock));
    }
}
