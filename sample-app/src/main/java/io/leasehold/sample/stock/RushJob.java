package io.leasehold.sample.stock;

import io.leasehold.sample.instances.ThisInstance;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.stereotype.Component;

/** Sends this instance's buyers to rushes that another instance has opened. */
@Component
class RushJob {

    private static final int NOT_LOOKED_YET = -1;

    private final Warehouse warehouse;

    private final Crowd crowd;

    private final ThisInstance thisInstance;

    private long seen = NOT_LOOKED_YET;

    RushJob(Warehouse warehouse, Crowd crowd, ThisInstance thisInstance) {
        this.warehouse = warehouse;
        this.crowd = crowd;
        this.thisInstance = thisInstance;
    }

    @Scheduled(fixedDelay = 20)
    void look() throws InterruptedException {
        if (seen == NOT_LOOKED_YET) {
            seen = warehouse.latest().map(Rush::id).orElse(0L);
        }
        for (Rush rush : warehouse.after(seen)) {
            seen = rush.id();
            if (!rush.startedBy().equals(thisInstance.name())) {
                crowd.run(rush);
            }
        }
    }
}
