package io.leasehold.sample.deploy;

import java.util.List;
import java.util.Set;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.server.ResponseStatusException;

/** Asks for a release, and shows how far each has come. */
@RestController
class DeployController {

    private static final Set<String> SERVICES = Set.of("shop", "search");

    private final Deployments deployments;

    private final int steps;

    DeployController(Deployments deployments, @Value("${sample.deploy.steps}") int steps) {
        this.deployments = deployments;
        this.steps = steps;
    }

    @PostMapping("/deployments")
    @ResponseStatus(HttpStatus.ACCEPTED)
    void request(@RequestParam(name = "service", defaultValue = "shop") String service) {
        if (!SERVICES.contains(service)) {
            throw new ResponseStatusException(
                    HttpStatus.NOT_FOUND, "No service '" + service + "'; there are " + SERVICES);
        }
        deployments.request(service, steps);
    }

    @GetMapping("/deployments")
    List<DeploymentState> latest() {
        return deployments.latest();
    }
}
