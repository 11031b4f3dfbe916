package io.leasehold.sample.servers;

/**
 * Where the server host listens, and what an instance must send first.
 *
 * @param port a port of the loopback interface
 * @param secret known to those who may read the directory; also the database's password
 */
record ServerHostAddress(int port, String secret) {

    static ServerHostAddress parse(String line) {
        int blank = line.indexOf(' ');
        return new ServerHostAddress(Integer.parseInt(line.substring(0, blank)), line.substring(blank + 1));
    }

    @Override
    public String toString() {
        return port + " " + secret;
    }
}
