package io.leasehold;

import java.util.List;

/** Names the code of the application that works under a lock of {@link LockContext}, from the stack of this thread. */
final class ApplicationFrame {

    private static final String CONTEXT = "io.leasehold.LockContext";

    private static final String CALL = "callWithin";

    private static final List<String> NOT_OF_APPLICATION = List.of(
            "java.",
            "jdk.",
            "kotlin.",
            "org.springframework.",
            CONTEXT,
            "io.leasehold.LockedWork",
            "io.leasehold.Locker",
            "io.leasehold.aop.",
            "io.leasehold.engine.");

    private ApplicationFrame() {}

    /**
     * The outermost frame of the application inside of a call of {@link LockContext}. A coroutine has the frames of
     * Kotlin around its own.
     *
     * @param depth which call, 1 for the innermost one
     */
    static String ofCall(int depth) {
        return StackWalker.getInstance().walk(frames -> {
            int[] calls = {0};
            return frames.takeWhile(frame -> !isOfCoroutines(frame) && (!isCall(frame) || ++calls[0] < depth))
                    .filter(ApplicationFrame::isOfApplication)
                    .reduce((inner, outer) -> outer)
                    .map(Object::toString)
                    .orElse("the call of LockContext.call");
        });
    }

    private static boolean isCall(StackWalker.StackFrame frame) {
        return frame.getMethodName().equals(CALL) && frame.getClassName().equals(CONTEXT);
    }

    private static boolean isOfCoroutines(StackWalker.StackFrame frame) {
        return frame.getClassName().startsWith("kotlin.coroutines.")
                || frame.getClassName().startsWith("kotlinx.coroutines.");
    }

    private static boolean isOfApplication(StackWalker.StackFrame frame) {
        String type = frame.getClassName();
        return !type.contains("$$") && NOT_OF_APPLICATION.stream().noneMatch(type::startsWith);
    }
}
