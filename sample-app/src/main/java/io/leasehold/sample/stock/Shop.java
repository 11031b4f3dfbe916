package io.leasehold.sample.stock;

import io.leasehold.annotation.DistributedLock;
import io.leasehold.sample.instances.ThisInstance;
import java.time.Duration;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.stereotype.Service;

/** Sells one item. */
@Service
class Shop {

    private final Warehouse warehouse;

    private final ThisInstance thisInstance;

    private final Duration thinking;

    Shop(Warehouse warehouse, ThisInstance thisInstance, @Value("${sample.stock.thinking}") Duration thinking) {
        this.warehouse = warehouse;
        this.thisInstance = thisInstance;
        this.thinking = thinking;
    }

    /** Sells an item if there is one, while no other buyer looks at the shelf. */
    @DistributedLock(locker = "stock", key = "#rush.id")
    public boolean buy(Rush rush) throws InterruptedException {
        return buyUnlocked(rush);
    }

    /** The same without the lock: others take items between our look at the shelf and our grip. */
    boolean buyUnlocked(Rush rush) throws InterruptedException {
        int left = warehouse.itemsLeft(rush);
        if (left == 0) {
            return false;
        }
        Thread.sleep(thinking.toMillis());
        warehouse.setItemsLeft(rush, left - 1);
        warehouse.recordSale(rush, thisInstance.name());
        return true;
    }
}
