package io.leasehold.benchmarks.jmh;

/** A method that does next to nothing. */
public interface Work {

    /**
     * Does the work.
     *
     * @param user for the key of the lock
     * @return something that depends on the argument
     */
    long work(String user);
}
