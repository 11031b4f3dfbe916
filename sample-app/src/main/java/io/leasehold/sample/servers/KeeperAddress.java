package io.leasehold.sample.servers;

/**
 * Where the keeper listens, and the word that lets one in.
 *
 * @param port a port of the loopback interface
 * @param secret known to those who may read the directory; also the database's password
 */
record KeeperAddress(int port, String secret) {

    static KeeperAddress parse(String line) {
        int blank = line.indexOf(' ');
        return new KeeperAddress(Integer.parseInt(line.substring(0, blank)), line.substring(blank + 1));
    }

    @Override
    public String toString() {
        return port + " " + secret;
    }
}
