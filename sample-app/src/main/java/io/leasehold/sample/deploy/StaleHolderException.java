package io.leasehold.sample.deploy;

/** Another instance has worked at this release under a later lock than this one. */
class StaleHolderException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    StaleHolderException(Deployment deployment, long fencingToken) {
        super("the database has seen a higher fencing token than " + fencingToken + " for release " + deployment.id()
                + " of '" + deployment.service() + "'");
    }
}
