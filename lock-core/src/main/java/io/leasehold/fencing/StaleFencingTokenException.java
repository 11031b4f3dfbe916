package io.leasehold.fencing;

/**
 * A resource refused somebody whose lock is no longer the newest: a later holder has been there already. Nothing was
 * changed. Whoever is refused must not repeat the work with the same token: give up, or get the lock again and begin from
 * the start.
 */
public class StaleFencingTokenException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final String resource;

    private final long fencingToken;

    private final long newest;

    /**
     * Creates the exception.
     *
     * @param resource what refused, in words
     * @param fencingToken the token that was too old
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
     * What refused.
     *
     * @return the resource, in words
     */
    public String resource() {
        return resource;
    }

    /**
     * What was refused.
     *
     * @return the token that was too old
     */
    public long fencingToken() {
        return fencingToken;
    }

    /**
     * Why it was refused.
     *
     * @return the highest token that the resource has seen, greater than {@link #fencingToken()}
     */
    public long newest() {
        return newest;
    }
}
