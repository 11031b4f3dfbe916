package io.leasehold.servers.database;

/** A database server that can be stopped, killed and restarted, for tests of several kinds of clients. */
public interface DatabaseServer extends AutoCloseable {

    /** The port on which the server listens. */
    int port();

    /** The address for drivers that connect through a proxy. */
    String url(int proxyPort);

    /** Suspends the server (SIGSTOP). Connections stay open, and the server does not answer. */
    void pause();

    /** Resumes a suspended server (SIGCONT). */
    void resume();

    /** Kills the server immediately (SIGKILL). */
    void kill();

    /** Restarts a server that was killed, on its port and with its data. Returns when the server answers. */
    void restart();

    /** Stops the server and removes its data. */
    @Override
    void close();
}
