package io.leasehold.benchmarks.process;

/** A worker process could not do a task. */
public final class TaskFailedException extends RuntimeException {

    private static final long serialVersionUID = 1;

    TaskFailedException(Task<?> task, String trace) {
        super(task + " failed: " + trace);
    }

    /** The first line of what went wrong. */
    public String reason() {
        String message = String.valueOf(getMessage());
        return message.lines().findFirst().orElse(message);
    }
}
