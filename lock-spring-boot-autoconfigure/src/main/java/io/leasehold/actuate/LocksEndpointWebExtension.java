package io.leasehold.actuate;

import io.leasehold.ForcedRelease;
import io.leasehold.ForcedRelease.Outcome;
import io.leasehold.actuate.LocksEndpoint.LocksDescriptor;
import java.security.Principal;
import java.util.Set;
import java.util.concurrent.CompletionException;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.endpoint.SecurityContext;
import org.springframework.boot.actuate.endpoint.Show;
import org.springframework.boot.actuate.endpoint.annotation.DeleteOperation;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;
import org.springframework.boot.actuate.endpoint.annotation.Selector.Match;
import org.springframework.boot.actuate.endpoint.web.WebEndpointResponse;
import org.springframework.boot.actuate.endpoint.web.annotation.EndpointWebExtension;

/** The {@link LocksEndpoint} over HTTP. Whether keys are shown depends on the user. */
@EndpointWebExtension(endpoint = LocksEndpoint.class)
public class LocksEndpointWebExtension {

    private static final int STATUS_FORBIDDEN = 403;

    private static final int STATUS_CONFLICT = 409;

    private static final int STATUS_NOT_IMPLEMENTED = 501;

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

    /** Returns the lockers with their held locks, and the stores. */
    @ReadOperation
    public LocksDescriptor locks(SecurityContext user) {
        return delegate.describe(showValues.isShown(user, roles));
    }

    /**
     * Reads the state of one lock from its store. A path is split at slashes and normalized on its way, so not every key
     * can be part of one. {@link #list} takes any key.
     *
     * @param user the user of the request
     * @param path the locker's name, and the key of the lock as the list shows it, split at its slashes
     * @return the state; 404 if no locker has that name, 400 if the key is not valid, 503 if the store did not answer
     */
    @ReadOperation
    public WebEndpointResponse<LockDescriptor> lock(
            SecurityContext user, @Selector(match = Match.ALL_REMAINING) String... path) {
        return answer(
                LocksEndpoint.locker(path),
                () -> delegate.describe(
                        LocksEndpoint.locker(path), LocksEndpoint.key(path), showValues.isShown(user, roles)),
                reason -> LockDescriptor.without("unknown", reason));
    }

    /**
     * Reads from the store which locks of a locker's namespace are held, or the state of one lock.
     *
     * @param user the user of the request
     * @param locker the locker's name
     * @param limit the greatest number of locks, 100 if it is missing
     * @param key the key of the only lock to return, whether it is held or free; {@code null} for all that are held
     * @return the locks; 404 if no locker has that name, 400 if the limit or the key is not valid, 503 if the store did
     *     not answer
     */
    @ReadOperation
    public WebEndpointResponse<ListingDescriptor> list(
            SecurityContext user, @Selector String locker, @Nullable Integer limit, @Nullable String key) {
        return answer(
                locker,
                () -> delegate.list(locker, limit, key, showValues.isShown(user, roles)),
                ListingDescriptor::failed);
    }

    /**
     * Takes a lock from a holder that does not end, as {@link #forceRelease(SecurityContext, String, long, String)}
     * does. Not every key can be part of a path.
     *
     * @param user the user of the request
     * @param fencingToken the fencing token of the holder in the state of the lock
     * @param path the locker's name, and the key of the lock as the list shows it, split at its slashes
     * @return the outcome
     */
    @DeleteOperation
    public WebEndpointResponse<ForcedReleaseDescriptor> forceRelease(
            SecurityContext user, long fencingToken, @Selector(match = Match.ALL_REMAINING) String... path) {
        return forceRelease(user, LocksEndpoint.locker(path), fencingToken, LocksEndpoint.key(path));
    }

    /**
     * Takes a lock from a holder that does not end. An endpoint with read-only access does not have this operation.
     *
     * @param user the user of the request
     * @param locker the locker's name
     * @param fencingToken the fencing token of the holder in the state of the lock
     * @param key the key of the lock, as the list shows it
     * @return the outcome; 404 if no locker has that name or the lock is free, 409 if another holder has it, 400 if the
     *     key is not valid, 403 if forced releases are not enabled, 501 if the store does not support them, 503 if the
     *     store did not answer
     */
    @DeleteOperation
    public WebEndpointResponse<ForcedReleaseDescriptor> forceRelease(
            SecurityContext user, @Selector String locker, long fencingToken, String key) {
        if (!delegate.names().contains(locker)) {
            return notDone(
                    WebEndpointResponse.STATUS_NOT_FOUND,
                    "refused",
                    "no locker has this name; the names are " + delegate.names());
        }
        Principal principal = user.getPrincipal();
        String requestedBy = principal == null ? "an anonymous user" : "user '" + principal.getName() + "'";
        try {
            ForcedRelease release = delegate.forceRelease(locker, key, fencingToken, requestedBy);
            return new WebEndpointResponse<>(
                    ForcedReleaseDescriptor.of(release, showValues.isShown(user, roles)), status(release.outcome()));
        } catch (IllegalArgumentException ex) {
            return notDone(WebEndpointResponse.STATUS_BAD_REQUEST, "refused", ex.getMessage());
        } catch (RuntimeException ex) {
            Throwable cause = cause(ex);
            return cause instanceof IllegalStateException
                    ? notDone(STATUS_FORBIDDEN, "refused", cause.getMessage())
                    : notDone(WebEndpointResponse.STATUS_SERVICE_UNAVAILABLE, "unknown", cause.getMessage());
        }
    }

    private static int status(Outcome outcome) {
        return switch (outcome) {
            case REVOKED, REMOVED -> WebEndpointResponse.STATUS_OK;
            case FREE -> WebEndpointResponse.STATUS_NOT_FOUND;
            case OTHER_HOLDER, FOREIGN -> STATUS_CONFLICT;
            case UNSUPPORTED -> STATUS_NOT_IMPLEMENTED;
        };
    }

    private static WebEndpointResponse<ForcedReleaseDescriptor> notDone(
            int status, String outcome, @Nullable String reason) {
        return new WebEndpointResponse<>(ForcedReleaseDescriptor.without(outcome, reason), status);
    }

    private <T> WebEndpointResponse<T> answer(
            String locker, Supplier<T> question, Function<@Nullable String, T> failed) {
        if (!delegate.names().contains(locker)) {
            return new WebEndpointResponse<>(
                    failed.apply("no locker has this name; the names are " + delegate.names()),
                    WebEndpointResponse.STATUS_NOT_FOUND);
        }
        try {
            return new WebEndpointResponse<>(question.get());
        } catch (IllegalArgumentException ex) {
            return new WebEndpointResponse<>(failed.apply(ex.getMessage()), WebEndpointResponse.STATUS_BAD_REQUEST);
        } catch (RuntimeException ex) {
            return new WebEndpointResponse<>(
                    failed.apply(cause(ex).getMessage()), WebEndpointResponse.STATUS_SERVICE_UNAVAILABLE);
        }
    }

    /** The failure of the store, or that of a locker that cannot be created, as a default one without a store. */
    private static Throwable cause(RuntimeException failure) {
        return failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
    }
}
