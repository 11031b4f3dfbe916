package io.leasehold.actuate;

import io.leasehold.actuate.LocksEndpoint.LocksDescriptor;
import java.util.Set;
import org.springframework.boot.actuate.endpoint.SecurityContext;
import org.springframework.boot.actuate.endpoint.Show;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.web.annotation.EndpointWebExtension;

/** The {@link LocksEndpoint} over HTTP, where it depends on the user whether keys are shown. */
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
     * @param roles who is authorized; everybody who is authenticated if empty
     */
    public LocksEndpointWebExtension(LocksEndpoint delegate, Show showValues, Set<String> roles) {
        this.delegate = delegate;
        this.showValues = showValues;
        this.roles = Set.copyOf(roles);
    }

    /**
     * What is locked here, and where.
     *
     * @param user who asks
     * @return lockers and stores
     */
    @ReadOperation
    public LocksDescriptor locks(SecurityContext user) {
        return delegate.describe(showValues.isShown(user, roles));
    }
}
