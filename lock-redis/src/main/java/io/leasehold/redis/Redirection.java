package io.leasehold.redis;

import org.jspecify.annotations.Nullable;

/** Which node of a cluster a script is sent to, and how often it was sent elsewhere before. */
record Redirection(String host, int port, boolean asking, int count) {

    private static final int MOST = 5;

    static Redirection to(String host, int port) {
        return new Redirection(host, port, false, 0);
    }

    /** Where an error reply sends the script; {@code null} if nowhere. */
    @Nullable
    Redirection next(Throwable failure) {
        String[] words = RedisFailures.errorReply(failure).split(" ");
        boolean moved = words[0].equals("MOVED");
        if (count == MOST || words.length < 3 || !moved && !words[0].equals("ASK")) {
            return null;
        }
        int colon = words[2].lastIndexOf(':');
        String named = words[2].substring(0, colon);
        return new Redirection(
                named.isEmpty() ? host : named, Integer.parseInt(words[2].substring(colon + 1)), !moved, count + 1);
    }
}
