package io.leasehold.sample.deploy;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.event.ContextClosedEvent;
import org.springframework.context.event.EventListener;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.stereotype.Component;

/**
 * Has this instance work at every service that waits for a release. All instances do so; the lock decides which one
 * works. When this instance stops, its work is interrupted first, so that another one continues immediately.
 */
@Component
class DeployJob {

    private static final Logger log = LoggerFactory.getLogger(DeployJob.class);

    private final ExecutorService workers = Executors.newCachedThreadPool();

    private final Set<String> services = ConcurrentHashMap.newKeySet();

    private final Deployments deployments;

    private final Deployer deployer;

    DeployJob(Deployments deployments, Deployer deployer) {
        this.deployments = deployments;
        this.deployer = deployer;
    }

    @Scheduled(fixedDelay = 200)
    void look() {
        for (Deployment next : deployments.next()) {
            if (!workers.isShutdown() && services.add(next.service())) {
                workers.execute(() -> work(next));
            }
        }
    }

    private void work(Deployment deployment) {
        try {
            deployer.deploy(deployment);
        } catch (InterruptedException ex) {
            Thread.currentThread().interrupt();
        } catch (RuntimeException ex) {
            log.warn("Release {} of '{}' stops here: {}", deployment.id(), deployment.service(), ex.toString());
        } finally {
            services.remove(deployment.service());
        }
    }

    @EventListener(ContextClosedEvent.class)
    void stop() {
        workers.shutdownNow();
    }
}
