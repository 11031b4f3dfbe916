package io.leasehold.benchmarks.process;

import java.io.Serializable;

/**
 * Work for a worker process: a record that is sent there, done, and answered.
 *
 * @param <T> the answer
 */
public interface Task<T extends Serializable> extends Serializable {

    /**
     * Does the work.
     *
     * @param bench what earlier tasks have left in this process
     * @return the answer
     * @throws Exception reaches whoever sent the task, as text
     */
    T run(Workbench bench) throws Exception;
}
