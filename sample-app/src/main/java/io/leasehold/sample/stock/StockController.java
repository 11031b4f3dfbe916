package io.leasehold.sample.stock;

import io.leasehold.sample.instances.ThisInstance;
import java.util.Map;
import java.util.Optional;
import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.server.ResponseStatusException;

/** Opens a rush, and shows what was sold. */
@RestController
class StockController {

    private static final int MOST = 200;

    private final Warehouse warehouse;

    private final Crowd crowd;

    private final ThisInstance thisInstance;

    StockController(Warehouse warehouse, Crowd crowd, ThisInstance thisInstance) {
        this.warehouse = warehouse;
        this.crowd = crowd;
        this.thisInstance = thisInstance;
    }

    /** Answers when the buyers of this instance are done; those of other instances may still be buying. */
    @PostMapping("/stock/rushes")
    Report open(
            @RequestParam(name = "items", defaultValue = "30") int items,
            @RequestParam(name = "buyers", defaultValue = "40") int buyers,
            @RequestParam(name = "lock", defaultValue = "true") boolean locked)
            throws InterruptedException {
        requireInRange("items", items);
        requireInRange("buyers", buyers);
        Rush rush = warehouse.open(items, buyers, locked, thisInstance.name());
        crowd.run(rush);
        return report(rush);
    }

    @GetMapping("/stock/rushes/latest")
    Optional<Report> latest() {
        return warehouse.latest().map(this::report);
    }

    private Report report(Rush rush) {
        Map<String, Integer> sold = warehouse.soldByInstance(rush);
        int total = sold.values().stream().mapToInt(Integer::intValue).sum();
        return new Report(rush, total, Math.max(0, total - rush.stock()), sold);
    }

    private static void requireInRange(String name, int value) {
        if (value < 1 || value > MOST) {
            throw new ResponseStatusException(
                    HttpStatus.BAD_REQUEST, "'" + name + "' must be 1 to " + MOST + ": " + value);
        }
    }

    record Report(Rush rush, int sold, int oversold, Map<String, Integer> soldBy) {}
}
