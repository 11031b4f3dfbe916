package io.leasehold.benchmarks.report;

import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Writes Markdown to standard output and a file, raw figures to a CSV file, and progress to standard error. */
public final class Report implements AutoCloseable {

    private static final Path DIRECTORY = Path.of("target");

    private final List<PrintStream> documents;

    private final PrintStream csv;

    private final List<String> faults = new ArrayList<>();

    private final Map<String, DistancePicture> pictures = new LinkedHashMap<>();

    private Report(List<PrintStream> documents, PrintStream csv) {
        this.documents = documents;
        this.csv = csv;
    }

    /**
     * Opens the files {@code target/benchmarks.md} and {@code target/benchmarks.csv}. Closing the report writes the
     * pictures.
     *
     * @return the report
     */
    public static Report open() {
        try {
            Files.createDirectories(DIRECTORY);
            Report report = new Report(List.of(System.out, file("benchmarks.md")), file("benchmarks.csv"));
            report.csv.println("row,contestant,round,figure,value");
            return report;
        } catch (IOException ex) {
            throw new UncheckedIOException(ex);
        }
    }

    /**
     * Adds a paragraph, a heading or a table to the document.
     *
     * @param text Markdown
     */
    public void paragraph(Object text) {
        documents.forEach(document -> {
            document.println(text);
            document.println();
            document.flush();
        });
    }

    /**
     * Adds a raw figure.
     *
     * @param row the row's name
     * @param contestant the contestant's label
     * @param round the number of the round
     * @param figure the name of the figure
     * @param value the value of the figure
     */
    public void raw(String row, String contestant, int round, String figure, double value) {
        // quoted, because the names of contestants have commas
        String quoted = "\"" + contestant + "\"";
        csv.println(String.join(",", row, quoted, Integer.toString(round), figure, Double.toString(value)));
        csv.flush();
    }

    /**
     * Adds a point to a row's picture of rates by distance.
     *
     * @param row the row's name without the distance
     * @param contestant the contestant's label
     * @param roundTrip the distance
     * @param perSecond the median of the rounds
     */
    public void rate(String row, String contestant, Duration roundTrip, double perSecond) {
        pictures.computeIfAbsent(row, DistancePicture::new).add(contestant, roundTrip.toNanos() / 1e6, perSecond);
    }

    /**
     * Prints progress.
     *
     * @param text the current step
     */
    public void progress(String text) {
        System.err.println(text);
    }

    /**
     * Records a violated promise of this library, which fails the run.
     *
     * @param fault a description of the fault
     */
    public void fault(String fault) {
        faults.add(fault);
        progress("FAULT: " + fault);
    }

    /** The recorded faults of this library. */
    public List<String> faults() {
        return List.copyOf(faults);
    }

    @Override
    public void close() {
        pictures.forEach((row, picture) -> {
            if (picture.isWorthDrawing()) {
                write(row + ".svg", picture.svg());
            }
        });
        csv.close();
        documents.stream().filter(document -> document != System.out).forEach(PrintStream::close);
    }

    private static void write(String name, String text) {
        try {
            Files.writeString(DIRECTORY.resolve(name), text);
        } catch (IOException ex) {
            throw new UncheckedIOException(ex);
        }
    }

    private static PrintStream file(String name) throws IOException {
        return new PrintStream(Files.newOutputStream(DIRECTORY.resolve(name)), false, StandardCharsets.UTF_8);
    }
}
