package io.leasehold.servers.database;

/** A database server that can be stopped, killed and started again, as clients of several kinds see it. */
public interface DatabaseServer extends AutoCloseable {

    /** Where it listens. */
    int port();

    /** The address for drivers that are led through a proxy. */
    String url(int proxyPort);

    /** Stops the server's clock (SIGSTOP): connections stay open, and nothing answers. */
    void pause();

    /** Lets a paused server go on (SIGCONT). */
    void resume();

    /** Ends the server at once (SIGKILL). */
    void kill();

    /** Starts a server that was killed again, on its port and with its data; returns when it answers. */
    void restart();

    /** Ends the server and removes its data. */
    @Override
    void close();
}
