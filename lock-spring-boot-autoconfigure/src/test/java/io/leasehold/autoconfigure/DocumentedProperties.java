package io.leasehold.autoconfigure;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The properties that the documentation names. */
final class DocumentedProperties {

    private static final Path DOCS = Path.of("..", "docs");

    private static final Pattern CODE = Pattern.compile("`([^`]+)`");

    private static final Pattern NAMED = Pattern.compile("`(lock\\.[a-z][a-z.<>\\[\\]-]*[a-z>\\]])");

    private DocumentedProperties() {}

    /** The keys of the tables of configuration.md. */
    static List<String> ofTables() {
        List<String> keys = new ArrayList<>();
        List<String> prefixes = List.of();
        boolean inTable = false;
        for (String line : lines(DOCS.resolve("configuration.md"))) {
            String first = line.startsWith("|") ? line.substring(1, line.indexOf('|', 1)) : "";
            if (!inTable) {
                prefixes = prefixes(first);
            } else if (!first.startsWith("---")) {
                prefixes.forEach(prefix -> keys.addAll(keys(prefix, first)));
            }
            inTable = line.startsWith("|");
        }
        return keys;
    }

    /** The prefixes of the keys of a table, by its title; none if it has other content. */
    private static List<String> prefixes(String title) {
        return title.contains("property")
                ? List.of("")
                : code(title)
                        .filter(prefix -> prefix.endsWith(".*"))
                        .map(prefix -> prefix.replace("*", ""))
                        .toList();
    }

    /** The keys of a row: {@code .port} after {@code lock.redis.host} has the same parent. */
    private static List<String> keys(String prefix, String cell) {
        List<String> keys = new ArrayList<>();
        code(cell).forEach(text -> {
            String parent =
                    keys.isEmpty() ? "" : keys.get(0).substring(0, keys.get(0).lastIndexOf('.'));
            keys.add(text.startsWith(".") ? parent + text : prefix + text.replace(".*", ""));
        });
        return keys;
    }

    private static Stream<String> code(String markdown) {
        return CODE.matcher(markdown).results().map(found -> found.group(1));
    }

    /** What all pages name in their text, but for that of mistakes. */
    static List<Named> ofPages() {
        try (Stream<Path> files = Files.walk(DOCS)) {
            return Stream.concat(files, Stream.of(Path.of("..", "README.md")))
                    .filter(file -> file.toString().endsWith(".md"))
                    .filter(file -> !file.endsWith("mistakes.md"))
                    .flatMap(file -> lines(file).stream()
                            .flatMap(line -> NAMED.matcher(line).results())
                            .map(MatchResult::group)
                            .map(found -> new Named(file.getFileName().toString(), found.substring(1))))
                    .toList();
        } catch (IOException ex) {
            throw new UncheckedIOException(ex);
        }
    }

    private static List<String> lines(Path file) {
        try {
            return Files.readAllLines(file);
        } catch (IOException ex) {
            throw new UncheckedIOException(ex);
        }
    }

    /** A key on a page. */
    record Named(String page, String key) {}
}
