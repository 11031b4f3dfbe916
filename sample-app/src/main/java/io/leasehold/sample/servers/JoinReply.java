package io.leasehold.sample.servers;

import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What the server host answers to an instance that connects.
 *
 * @param index the lowest number that no other instance has
 * @param databasePort where the database listens, 0 if it was not asked for
 * @param redisPorts where each redis-server listens, none if they were not asked for
 */
record JoinReply(int index, int databasePort, List<Integer> redisPorts) {

    static JoinReply parse(String line) {
        try {
            List<Integer> numbers =
                    Arrays.stream(line.split(" ")).map(Integer::valueOf).toList();
            return new JoinReply(numbers.get(0), numbers.get(1), numbers.subList(2, numbers.size()));
        } catch (NumberFormatException | IndexOutOfBoundsException ex) {
            throw new IllegalStateException("the servers could not be started: " + line, ex);
        }
    }

    @Override
    public String toString() {
        return Stream.concat(Stream.of(index, databasePort), redisPorts.stream())
                .map(String::valueOf)
                .collect(Collectors.joining(" "));
    }
}
