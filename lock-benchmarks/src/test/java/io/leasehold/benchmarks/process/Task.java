package io.leasehold.benchmarks.process;

import java.io.Serializable;

/**
 * Work for a worker process: a record that is sent to the process, run there, and answered.
 *
 * @param <T> the type of the answer
 */
public interface Task<T extends Serializable> extends Serializable {

    /**
     * Does the work.
     *
     * @param bench the state that earlier tasks have left in this process
     * @return the answer
     * @throws Exception reaches the sender of the task as text
     */
    T run(Workbench bench) throws Exception;
}
