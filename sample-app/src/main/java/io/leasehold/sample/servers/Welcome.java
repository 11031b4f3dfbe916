package io.leasehold.sample.servers;

import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What an instance is told when it joins.
 *
 * @param place its place among the instances that run
 * @param databasePort where the database listens, 0 if it was not asked for
 * @param redisPorts where each redis-server listens, none if they were not asked for
 */
record Welcome(int place, int databasePort, List<Integer> redisPorts) {

    static Welcome parse(String line) {
        try {
            List<Integer> numbers =
                    Arrays.stream(line.split(" ")).map(Integer::valueOf).toList();
            return new Welcome(numbers.get(0), numbers.get(1), numbers.subList(2, numbers.size()));
        } catch (NumberFormatException | IndexOutOfBoundsException ex) {
            throw new IllegalStateException("the servers could not be started: " + line, ex);
        }
    }

    @Override
    public String toString() {
        return Stream.concat(Stream.of(place, databasePort), redisPorts.stream())
                .map(String::valueOf)
                .collect(Collectors.joining(" "));
    }
}
