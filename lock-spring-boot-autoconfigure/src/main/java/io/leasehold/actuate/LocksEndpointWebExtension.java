package io.leasehold.actuate;

import io.leasehold.actuate.LocksEndpoint.LocksDescriptor;
import java.util.Set;
import org.springframework.boot.actuate.endpoint.SecurityContext;
import org.springframework.boot.actuate.endpoint.Show;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.web.annotation.EndpointWebExtension;

/** The {@link LocksEndpoint} over HTTP. Whether keys are shown depends on the user. */
@EndpointWebExtension(endpoint = LocksEndpoint.class)
public class LocksEndpointWebExtension {

    private final LocksEndpoint delegate;

    private final Show showValues;

    private final Set<String> roles;

    /**
     * Creates the extension.
     *
     * @param delegate the endpoint
     * @param showValues when to show keys
     * @param roles the authorized roles; if empty, all authenticated users are authorized
     */
    public LocksEndpointWebExtension(LocksEndpoint delegate, Show showValues, Set<String> roles) {
        this.delegate = delegate;
        this.showValues = showValues;
        this.roles = Set.copyOf(roles);
    }

    /**
     * Returns the lockers with their held locks, and the stores.
     *
     * @param user the user of the request
     * @return lockers and stores
     */
    @ReadOperation
    public LocksDescriptor locks(SecurityContext user) {
        return delegate.describe(showValues.isShown(user, roles));
    }
}
