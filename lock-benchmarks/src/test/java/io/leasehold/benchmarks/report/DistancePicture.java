package io.leasehold.benchmarks.report;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/**
 * Draws rates against the distance of the store as SVG, one line for each contestant. Both axes are logarithmic. The
 * loopback interface is drawn as a tenth of a millisecond.
 */
public final class DistancePicture {

    private static final List<String> COLOURS =
            List.of("#1b6ca8", "#4aa3df", "#555555", "#c0392b", "#e67e22", "#8e44ad", "#16a085", "#7f8c8d", "#b7950b");

    private static final int WIDTH = 760;

    private static final int HEIGHT = 420;

    private static final int LEFT = 70;

    private static final int RIGHT = 220;

    private static final int TOP = 40;

    private static final int BOTTOM = 50;

    private static final double LOOPBACK_MILLIS = 0.1;

    private final String title;

    private final Map<String, TreeMap<Double, Double>> lines = new LinkedHashMap<>();

    /**
     * Creates an empty picture.
     *
     * @param title the title of the picture
     */
    public DistancePicture(String title) {
        this.title = title;
    }

    /**
     * Adds a point.
     *
     * @param contestant the contestant with this rate
     * @param millis the round trip to the store
     * @param perSecond locks per second
     */
    public void add(String contestant, double millis, double perSecond) {
        if (perSecond > 0) {
            lines.computeIfAbsent(contestant, unused -> new TreeMap<>())
                    .put(Math.max(LOOPBACK_MILLIS, millis), perSecond);
        }
    }

    /** Whether there are rates at two distances at least. */
    public boolean isWorthDrawing() {
        return lines.values().stream().anyMatch(points -> points.size() > 1);
    }

    /** Returns the picture as an SVG document. */
    public String svg() {
        double nearest = extreme(true, true);
        double farthest = extreme(true, false);
        double lowest = powerOfTen(Math.floor(Math.log10(extreme(false, true))));
        double highest = powerOfTen(Math.ceil(Math.log10(extreme(false, false))));
        StringBuilder svg = new StringBuilder();
        svg.append(format(
                "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" font-family=\"sans-serif\" font-size=\"12\">%n",
                WIDTH, HEIGHT));
        svg.append(format("<rect width=\"%d\" height=\"%d\" fill=\"white\"/>%n", WIDTH, HEIGHT));
        text(svg, LEFT, TOP / 2, title, "");
        for (double rate = lowest; rate <= highest * 1.01; rate *= 10) {
            double y = y(rate, lowest, highest);
            svg.append(format(
                    "<line x1=\"%d\" y1=\"%.1f\" x2=\"%d\" y2=\"%.1f\" stroke=\"#dddddd\"/>%n",
                    LEFT, y, WIDTH - RIGHT, y));
            text(svg, LEFT - 6, y + 4, String.format(Locale.ROOT, "%,.0f", rate), " text-anchor=\"end\"");
        }
        for (double millis : distances()) {
            String name = millis <= LOOPBACK_MILLIS ? "loopback" : Numbers.of(millis) + " ms";
            text(svg, x(millis, nearest, farthest), HEIGHT - BOTTOM + 20, name, " text-anchor=\"middle\"");
        }
        text(svg, LEFT, HEIGHT - 8, "locks per second, by the round trip to the store", "");
        int number = 0;
        for (Map.Entry<String, TreeMap<Double, Double>> line : lines.entrySet()) {
            String colour = COLOURS.get(number % COLOURS.size());
            StringBuilder points = new StringBuilder();
            line.getValue()
                    .forEach((millis, rate) -> points.append(
                            format("%.1f,%.1f ", x(millis, nearest, farthest), y(rate, lowest, highest))));
            svg.append(format(
                    "<polyline points=\"%s\" fill=\"none\" stroke=\"%s\" stroke-width=\"2\"/>%n",
                    points.toString().trim(), colour));
            text(svg, WIDTH - RIGHT + 12, TOP + 16.0 * number, line.getKey(), " fill=\"" + colour + "\"");
            number++;
        }
        return svg.append("</svg>\n").toString();
    }

    private List<Double> distances() {
        return lines.values().stream()
                .flatMap(points -> points.keySet().stream())
                .distinct()
                .sorted()
                .toList();
    }

    private double extreme(boolean distance, boolean least) {
        var values = lines.values().stream()
                .flatMap(points -> (distance ? points.keySet() : points.values()).stream())
                .mapToDouble(Double::doubleValue);
        return (least ? values.min() : values.max()).orElse(1);
    }

    private static double x(double millis, double nearest, double farthest) {
        double share = farthest == nearest ? 0 : Math.log(millis / nearest) / Math.log(farthest / nearest);
        return LEFT + 20 + share * (WIDTH - LEFT - RIGHT - 40);
    }

    private static double y(double rate, double lowest, double highest) {
        double share = highest == lowest ? 0 : Math.log(rate / lowest) / Math.log(highest / lowest);
        return HEIGHT - BOTTOM - share * (HEIGHT - TOP - BOTTOM);
    }

    private static double powerOfTen(double exponent) {
        return Math.pow(10, exponent);
    }

    private static void text(StringBuilder svg, double x, double y, String text, String attributes) {
        svg.append(format(
                "<text x=\"%.1f\" y=\"%.1f\"%s>%s</text>%n",
                x, y, attributes, text.replace("&", "&amp;").replace("<", "&lt;")));
    }

    private static String format(String format, Object... arguments) {
        return String.format(Locale.ROOT, format, arguments);
    }
}
