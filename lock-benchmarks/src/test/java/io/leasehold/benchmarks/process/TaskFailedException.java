package io.leasehold.benchmarks.process;

/** Thrown when a worker process failed to run a task. */
public final class TaskFailedException extends RuntimeException {

    private static final long serialVersionUID = 1;

    TaskFailedException(Task<?> task, String trace) {
        super(task + " failed: " + trace);
    }

    /** The first line of the reason. */
    public String reason() {
        String message = String.valueOf(getMessage());
        return message.lines().findFirst().orElse(message);
    }
}
