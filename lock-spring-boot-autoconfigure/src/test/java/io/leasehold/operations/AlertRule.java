package io.leasehold.operations;

import java.time.Duration;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * An alert whose expression compares a meter, or the increase of one, with a number. No other form is understood.
 *
 * @param lasting how long the expression has to be true
 */
record AlertRule(String name, String expression, Duration lasting) {

    private static final Pattern FORM =
            Pattern.compile("(increase\\()?([a-z_]+)(\\{[^}]*})?(?:\\[\\d+m]\\))? ([<>]) ([0-9.]+)");

    /**
     * Whether the rule can fire in time: one about a time that is left has to fire before that time is over, and needs
     * two evaluations.
     */
    boolean firesInTime() {
        Matcher form = FORM.matcher(expression);
        return !form.matches()
                || form.group(4).equals(">")
                || lasting.multipliedBy(2).toMillis() < 1_000 * Double.parseDouble(form.group(5));
    }

    /** Whether any series fires, given a scrape now and one at the beginning of the range. */
    boolean fires(Scrape before, Scrape now) {
        Matcher form = FORM.matcher(expression);
        if (!form.matches()) {
            throw new IllegalArgumentException("not a comparison of one meter: " + expression);
        }
        boolean increase = form.group(1) != null;
        Map<String, String> labels = Scrape.labels(form.group(3) == null ? "" : form.group(3));
        double threshold = Double.parseDouble(form.group(5));
        return now.select(form.group(2), labels)
                .mapToDouble(sample -> increase ? sample.value() - before.valueOf(sample) : sample.value())
                .anyMatch(value -> form.group(4).equals(">") ? value > threshold : value < threshold);
    }
}
