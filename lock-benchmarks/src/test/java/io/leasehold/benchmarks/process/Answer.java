package io.leasehold.benchmarks.process;

import java.io.PrintWriter;
import java.io.Serializable;
import java.io.StringWriter;
import org.jspecify.annotations.Nullable;

/** The result of a task: its answer, or the text of its failure, because not every exception can be sent. */
record Answer(@Nullable Serializable value, @Nullable String failure) implements Serializable {

    static Answer of(Serializable value) {
        return new Answer(value, null);
    }

    static Answer failed(Throwable ex) {
        StringWriter text = new StringWriter();
        ex.printStackTrace(new PrintWriter(text));
        return new Answer(null, text.toString());
    }
}
