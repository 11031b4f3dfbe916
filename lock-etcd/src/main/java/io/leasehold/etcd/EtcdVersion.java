package io.leasehold.etcd;

import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A server's version. The recommended versions are the first of each release line that never report an expired lease as
 * alive (etcd-io/etcd, pull request 20813).
 */
record EtcdVersion(int major, int minor, int patch) {

    private static final Pattern NUMBERS = Pattern.compile("(\\d{1,6})\\.(\\d{1,6})\\.(\\d{1,6}).*");

    private static final List<EtcdVersion> RECOMMENDED =
            List.of(new EtcdVersion(3, 4, 38), new EtcdVersion(3, 5, 23), new EtcdVersion(3, 6, 5));

    static EtcdVersion parse(String text) {
        Matcher numbers = NUMBERS.matcher(text);
        if (!numbers.matches()) {
            throw new IllegalArgumentException("'version' must begin with three numbers: '" + text + "'");
        }
        return new EtcdVersion(
                Integer.parseInt(numbers.group(1)),
                Integer.parseInt(numbers.group(2)),
                Integer.parseInt(numbers.group(3)));
    }

    boolean isRecommended() {
        if (major > 3 || major == 3 && minor > 6) {
            return true;
        }
        return RECOMMENDED.stream().anyMatch(that -> major == that.major && minor == that.minor && patch >= that.patch);
    }
}
