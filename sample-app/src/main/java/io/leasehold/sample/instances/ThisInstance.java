package io.leasehold.sample.instances;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.web.server.context.WebServerInitializedEvent;
import org.springframework.context.event.ContextClosedEvent;
import org.springframework.context.event.EventListener;
import org.springframework.stereotype.Component;

/** The instance that this process is, known from the moment its web server listens. */
@Component
public class ThisInstance {

    private static final Logger log = LoggerFactory.getLogger(ThisInstance.class);

    private volatile @Nullable Instance instance;

    private volatile boolean leaving;

    /**
     * This instance.
     *
     * @return its name, page and process
     */
    public Instance get() {
        Instance known = instance;
        if (known == null) {
            throw new IllegalStateException("the web server has not started yet");
        }
        return known;
    }

    /**
     * The short name, by which the others know it.
     *
     * @return the name
     */
    public String name() {
        return get().name();
    }

    /**
     * Whether this instance is shutting down, so that a job had better not begin something new.
     *
     * @return true once the shutdown has begun
     */
    public boolean isLeaving() {
        return leaving;
    }

    @EventListener
    void started(WebServerInitializedEvent event) {
        if (event.getApplicationContext().getParent() == null) {
            int port = event.getWebServer().getPort();
            Instance started = new Instance(
                    ":" + port,
                    "http://127.0.0.1:" + port + "/",
                    ProcessHandle.current().pid());
            instance = started;
            log.info("Page:     {}", started.url());
            log.info("To see a take-over, start another instance, and end this one: kill -9 {}", started.pid());
        }
    }

    @EventListener(ContextClosedEvent.class)
    void leaves() {
        leaving = true;
    }
}
