package io.leasehold.benchmarks.process;

import java.io.EOFException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.PrintStream;

/**
 * A process that runs the tasks that it reads from its standard input, one after the other, until the input or the
 * parent ends.
 */
final class WorkerMain {

    private WorkerMain() {}

    public static void main(String[] arguments) throws Exception {
        ProcessHandle.current()
                .parent()
                .ifPresent(parent ->
                        parent.onExit().thenRun(() -> Runtime.getRuntime().halt(1)));
        PrintStream answers = System.out;
        System.setOut(System.err);
        Workbench bench = new Workbench();
        ObjectOutputStream out = new ObjectOutputStream(answers);
        out.flush();
        try (ObjectInputStream in = new ObjectInputStream(System.in)) {
            while (true) {
                Task<?> task = (Task<?>) in.readObject();
                out.writeObject(answer(task, bench));
                out.reset();
                out.flush();
            }
        } catch (EOFException done) {
            Runtime.getRuntime().halt(0);
        }
    }

    private static Answer answer(Task<?> task, Workbench bench) {
        try {
            return Answer.of(task.run(bench));
        } catch (Throwable ex) {
            return Answer.failed(ex);
        }
    }
}
