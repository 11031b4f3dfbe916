package io.leasehold.operations;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The samples of one scrape in Prometheus's text format. */
record Scrape(List<Sample> samples) {

    private static final Pattern LINE = Pattern.compile("([a-z_]+)(?:\\{(.*)})? (\\S+)");

    private static final Pattern LABEL = Pattern.compile("([a-z_]+)=\"([^\"]*)\"");

    static Scrape of(String text) {
        return new Scrape(text.lines()
                .filter(line -> !line.startsWith("#"))
                .map(Scrape::sample)
                .toList());
    }

    private static Sample sample(String line) {
        Matcher matcher = LINE.matcher(line);
        if (!matcher.matches()) {
            throw new IllegalArgumentException("not a sample: " + line);
        }
        return new Sample(
                matcher.group(1),
                labels(matcher.group(2) == null ? "" : matcher.group(2)),
                Double.parseDouble(matcher.group(3)));
    }

    static Map<String, String> labels(String text) {
        Map<String, String> labels = new HashMap<>();
        Matcher matcher = LABEL.matcher(text);
        while (matcher.find()) {
            labels.put(matcher.group(1), matcher.group(2));
        }
        return labels;
    }

    Stream<Sample> select(String name, Map<String, String> labels) {
        return samples.stream()
                .filter(sample -> sample.name().equals(name))
                .filter(sample -> sample.labels().entrySet().containsAll(labels.entrySet()));
    }

    /** The value of the same series, 0 if it has not begun. */
    double valueOf(Sample series) {
        return samples.stream()
                .filter(sample -> sample.name().equals(series.name()))
                .filter(sample -> sample.labels().equals(series.labels()))
                .mapToDouble(Sample::value)
                .findFirst()
                .orElse(0);
    }

    record Sample(String name, Map<String, String> labels, double value) {}
}
