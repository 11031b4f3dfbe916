import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.xml.stream.XMLInputFactory;
import javax.xml.stream.XMLStreamConstants;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;

/**
 * Reads surefire's reports, prints how many tests ran per backend, and fails (exit code 1) if a test was skipped, or if
 * one of the named backends ran fewer contract tests than the memory backend, which is the specification and runs in a
 * module of its own.
 *
 * <p>Where surefire was told to run failed tests again, each test that needed it is named. That is no way out for
 * safety: it fails too if the first run found two holders or a fencing token that does not rise, or if many tests
 * needed it.
 *
 * <p>Usage: {@code java TestReport.java <backends, separated by commas, or none> <surefire-reports folder of the memory
 * backend> <surefire-reports folder>...}
 *
 * <p>The backend of a class is the first package below {@code io.leasehold}; {@code <Store>LockBackendTests} is a
 * contract suite, in whichever package of it, so {@code io.leasehold.redis.JedisLockBackendTests} is the suite of
 * {@code redis-jedis}.
 */
public final class TestReport {

    private static final Pattern BACKEND_CLASS = Pattern.compile("io\\.leasehold\\.(memory|redis|redlock|jdbc|etcd)\\.(.+)");

    private static final Pattern SUITE = Pattern.compile("(\\w*?)LockBackend(Contract)?Tests");

    /** In the message of a failure, or in the name of a test whose assertions have no words of their own. */
    private static final Pattern UNSAFE = Pattern.compile(
            "overlap|does not rise|is not greater than|two holders|both hold|held by two"
                    + "|#\\w*([Ff]enc|[Ee]xactlyOne|[Nn]extHolder|oneOfThemGetsTheLock)");

    private static final int MOST_SECOND_CHANCES = 3;

    private static final class Row {
        int contract;
        int own;
    }

    private final Map<String, Row> backends = new TreeMap<>();

    private final List<String> skipped = new ArrayList<>();

    private final List<String> secondChances = new ArrayList<>();

    private int run;
    private int failures;
    private int errors;
    private int elsewhere;

    public static void main(String[] args) throws IOException, XMLStreamException {
        TestReport specification = new TestReport();
        specification.readAll(Path.of(args[1]));
        TestReport report = new TestReport();
        for (String folder : Arrays.asList(args).subList(2, args.length)) {
            report.readAll(Path.of(folder));
        }
        List<String> complaints = report.complaints(
                args[0].equals("none") ? List.of() : List.of(args[0].split(",")), specification.row("memory").contract);
        report.print();
        complaints.forEach(complaint -> System.out.println("[ERROR] " + complaint));
        System.exit(complaints.isEmpty() ? 0 : 1);
    }

    private void readAll(Path folder) throws IOException, XMLStreamException {
        if (!Files.isDirectory(folder)) {
            return;
        }
        try (Stream<Path> files = Files.list(folder)) {
            for (Path file : files.filter(path -> path.getFileName().toString().matches("TEST-.*\\.xml")).toList()) {
                try (InputStream content = Files.newInputStream(file)) {
                    read(XMLInputFactory.newFactory().createXMLStreamReader(content), folder);
                }
            }
        }
    }

    private void read(XMLStreamReader xml, Path folder) throws XMLStreamException {
        String test = "";
        while (xml.hasNext()) {
            if (xml.next() != XMLStreamConstants.START_ELEMENT) {
                continue;
            }
            switch (xml.getLocalName()) {
                case "testsuite" -> {
                    if (isStale(value(xml, "name"), folder)) {
                        return;
                    }
                    countSuite(xml);
                }
                case "testcase" -> test = value(xml, "classname") + "#" + value(xml, "name");
                case "skipped" -> skipped.add(test + ": " + value(xml, "message"));
                case "flakyFailure", "flakyError" -> secondChances.add(test + ": " + value(xml, "message"));
                default -> {}
            }
        }
    }

    /** Surefire leaves the report of a class that has gone since then. */
    private static boolean isStale(String type, Path folder) {
        return !Files.exists(folder.resolveSibling("test-classes").resolve(type.replace('.', '/') + ".class"));
    }

    private void countSuite(XMLStreamReader xml) {
        int tests = number(xml, "tests");
        run += tests;
        failures += number(xml, "failures");
        errors += number(xml, "errors");
        int executed = tests - number(xml, "skipped");
        Matcher backendClass = BACKEND_CLASS.matcher(value(xml, "name"));
        if (!backendClass.matches()) {
            elsewhere += executed;
            return;
        }
        String backend = backendClass.group(1);
        String type = backendClass.group(2).replaceFirst("\\$.*", "").replaceFirst(".*\\.", "");
        Matcher suite = SUITE.matcher(type);
        if (suite.matches()) {
            row(backend(backend, suite.group(1))).contract += executed;
        } else {
            row(backend).own += executed;
        }
    }

    private static String backend(String family, String store) {
        String name = store.toLowerCase(Locale.ROOT).replace(family, "");
        return name.isEmpty() ? family : family + "-" + name;
    }

    private Row row(String backend) {
        return backends.computeIfAbsent(backend, name -> new Row());
    }

    private List<String> complaints(List<String> expected, int specified) {
        List<String> complaints = new ArrayList<>();
        skipped.forEach(test -> complaints.add("skipped: " + test));
        secondChances.stream()
                .filter(failure -> UNSAFE.matcher(failure).find())
                .forEach(failure -> complaints.add("unsafe, even if only once: " + failure));
        if (secondChances.size() > MOST_SECOND_CHANCES) {
            complaints.add(secondChances.size() + " tests failed at first, more than " + MOST_SECOND_CHANCES);
        }
        if (!expected.isEmpty() && specified == 0) {
            complaints.add("the memory backend has not run the contract suite: build lock-test too (-am)");
        }
        for (String backend : expected) {
            int ran = row(backend).contract;
            if (ran < specified) {
                complaints.add("backend '" + backend + "' ran " + ran + " contract tests, not " + specified
                        + ". Counted are the classes <Store>LockBackendTests in " + BACKEND_CLASS + ", by .ci/TestReport.java");
            }
        }
        return complaints;
    }

    private void print() {
        if (run == 0 && backends.isEmpty()) {
            return;
        }
        System.out.println("Tests per backend          contract     own");
        backends.forEach((name, row) -> System.out.printf("  %-22s %10d %7d%n", name, row.contract, row.own));
        System.out.printf("  %-22s %18d%n", "(all others)", elsewhere);
        System.out.printf(
                "Tests run: %d, Failures: %d, Errors: %d, Skipped: %d%n", run, failures, errors, skipped.size());
        secondChances.forEach(test -> System.out.println("  FAILED AT FIRST, a fault to be found: " + test));
    }

    private static int number(XMLStreamReader xml, String attribute) {
        return Integer.parseInt(value(xml, attribute));
    }

    private static String value(XMLStreamReader xml, String attribute) {
        String value = xml.getAttributeValue(null, attribute);
        return value == null ? "" : value;
    }
}
