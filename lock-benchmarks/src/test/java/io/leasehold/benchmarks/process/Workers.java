package io.leasehold.benchmarks.process;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** Several worker processes that do the same kind of work at the same time. */
public final class Workers implements AutoCloseable {

    private final List<Worker> workers;

    /**
     * Starts processes.
     *
     * @param count the number of processes
     */
    public Workers(int count) {
        workers = Stream.generate(Worker::start).limit(count).toList();
    }

    /**
     * Runs one task in each process, all at the same time.
     *
     * @param tasks one task for each process, or fewer
     * @param <T> the type of their answers
     * @return the answers, in the same order
     * @throws TaskFailedException if one of them failed
     */
    public <T extends Serializable> List<T> run(List<? extends Task<T>> tasks) {
        for (int i = 0; i < tasks.size(); i++) {
            workers.get(i).send(tasks.get(i));
        }
        List<T> answers = new ArrayList<>();
        TaskFailedException failed = null;
        for (int i = 0; i < tasks.size(); i++) {
            try {
                answers.add(workers.get(i).receive(tasks.get(i)));
            } catch (TaskFailedException ex) {
                failed = ex;
            }
        }
        if (failed != null) {
            throw failed;
        }
        return answers;
    }

    /**
     * Runs the same task in each process.
     *
     * @param task the task
     * @param <T> the type of its answer
     * @return the answers
     */
    public <T extends Serializable> List<T> runOnEach(Task<T> task) {
        return run(workers.stream().map(unused -> task).toList());
    }

    @Override
    public void close() {
        workers.forEach(Worker::close);
    }
}
