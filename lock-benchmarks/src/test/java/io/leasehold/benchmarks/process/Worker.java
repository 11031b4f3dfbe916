package io.leasehold.benchmarks.process;

import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.Serializable;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A process that runs tasks for this process. It ends with this process, or when it is closed. */
public final class Worker implements AutoCloseable {

    private static final int LONGEST_END_SECONDS = 5;

    private final Process process;

    private final ObjectOutputStream tasks;

    private final ObjectInputStream answers;

    private Worker(Process process) throws IOException {
        this.process = process;
        this.tasks = new ObjectOutputStream(process.getOutputStream());
        tasks.flush();
        this.answers = new ObjectInputStream(process.getInputStream());
    }

    /**
     * Starts a process with the same Java and class path as this one.
     *
     * @return the process, ready for tasks
     */
    public static Worker start() {
        List<String> command = new ArrayList<>();
        command.add(System.getProperty("java.home") + "/bin/java");
        command.addAll(List.of("-Xmx1g", "-XX:+UseG1GC", "-cp", System.getProperty("java.class.path")));
        command.add(WorkerMain.class.getName());
        try {
            return new Worker(new ProcessBuilder(command)
                    .redirectError(ProcessBuilder.Redirect.INHERIT)
                    .start());
        } catch (IOException ex) {
            throw new UncheckedIOException(ex);
        }
    }

    /**
     * Runs a task in the worker process.
     *
     * @param task the task
     * @param <T> the type of its answer
     * @return the answer
     * @throws TaskFailedException if the task failed
     */
    public <T extends Serializable> T run(Task<T> task) {
        send(task);
        return receive(task);
    }

    /** Sends a task. Its answer has to be received before the next task is sent. */
    <T extends Serializable> void send(Task<T> task) {
        try {
            tasks.writeObject(task);
            tasks.reset();
            tasks.flush();
        } catch (IOException ex) {
            throw new UncheckedIOException(ex);
        }
    }

    @SuppressWarnings("unchecked")
    <T extends Serializable> T receive(Task<T> task) {
        try {
            Answer answer = (Answer) answers.readObject();
            if (answer.failure() != null) {
                throw new TaskFailedException(task, answer.failure());
            }
            return (T) answer.value();
        } catch (IOException | ClassNotFoundException ex) {
            throw new IllegalStateException("worker " + process.pid() + " has ended during " + task, ex);
        }
    }

    @Override
    public void close() {
        try {
            tasks.close();
            if (!process.waitFor(LONGEST_END_SECONDS, TimeUnit.SECONDS)) {
                process.destroyForcibly();
            }
        } catch (IOException gone) {
            process.destroyForcibly();
        } catch (InterruptedException ex) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }
}
