package io.leasehold.sample.servers;

/**
 * What an instance is told when it joins.
 *
 * @param place its place among the instances that run
 * @param redisPort where Redis listens, 0 if it was not asked for
 * @param databasePort where the database listens, 0 if it was not asked for
 */
record Welcome(int place, int redisPort, int databasePort) {

    static Welcome parse(String line) {
        String[] parts = line.split(" ");
        try {
            return new Welcome(Integer.parseInt(parts[0]), Integer.parseInt(parts[1]), Integer.parseInt(parts[2]));
        } catch (NumberFormatException | ArrayIndexOutOfBoundsException ex) {
            throw new IllegalStateException("the servers could not be started: " + line, ex);
        }
    }

    @Override
    public String toString() {
        return place + " " + redisPort + " " + databasePort;
    }
}
