package io.leasehold.fencing;

/**
 * A resource refused a holder whose lock is no longer the newest, because a later holder has already used the resource.
 * Nothing was changed. The refused holder must not retry the work with the same token. It gives up, or acquires the
 * lock again and restarts the work.
 */
public class StaleFencingTokenException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final String resource;

    private final long fencingToken;

    private final long newest;

    /**
     * Creates the exception.
     *
     * @param resource the description of the resource
     * @param fencingToken the refused token
     * @param newest the highest token that the resource has seen
     */
    public StaleFencingTokenException(String resource, long fencingToken, long newest) {
        super(resource + " refused fencing token " + fencingToken + ": it has seen " + newest
                + ", so a later holder of the lock was there already");
        this.resource = resource;
        this.fencingToken = fencingToken;
        this.newest = newest;
    }

    /**
     * Returns the resource that refused the token.
     *
     * @return the description of the resource
     */
    public String resource() {
        return resource;
    }

    /**
     * Returns the refused token.
     *
     * @return the fencing token that was too old
     */
    public long fencingToken() {
        return fencingToken;
    }

    /**
     * Returns the token because of which the resource refused.
     *
     * @return the highest token that the resource has seen, greater than {@link #fencingToken()}
     */
    public long newest() {
        return newest;
    }
}
