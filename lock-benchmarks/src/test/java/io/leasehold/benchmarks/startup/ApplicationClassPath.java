package io.leasehold.benchmarks.startup;

import io.leasehold.servers.TemporaryDirectory;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.regex.Pattern;
import java.util.spi.ToolProvider;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The class path of an application that uses locks in Redis, as its users have it: with this library's modules in jars.
 * As directories they would have to be searched for each class of every library behind them.
 */
public final class ApplicationClassPath implements AutoCloseable {

    /** The modules of an application with locks in Redis, as folders of the build or as jars. */
    private static final Pattern OF_LOCKS = module("core|redis|spring-boot-autoconfigure|spring-boot-starter");

    /** The modules that such an application does not have. */
    private static final Pattern OF_OTHERS = module("jdbc|etcd|test");

    private final TemporaryDirectory directory = new TemporaryDirectory("leasehold-start-up");

    private final List<String> entries;

    /** Takes over the class path of this process. */
    public ApplicationClassPath() {
        entries = Stream.of(System.getProperty("java.class.path").split(File.pathSeparator))
                .filter(entry -> !OF_OTHERS.matcher(entry).find())
                .toList();
    }

    /** The class path with locks. */
    public String withLocks() {
        return entries.stream().map(this::packed).collect(Collectors.joining(File.pathSeparator));
    }

    /** The class path without this library. */
    public String withoutLocks() {
        return entries.stream()
                .filter(entry -> !OF_LOCKS.matcher(entry).find())
                .map(this::packed)
                .collect(Collectors.joining(File.pathSeparator));
    }

    @Override
    public void close() {
        directory.delete();
    }

    /** Returns the entry, or a jar of its files if it is a directory. */
    private String packed(String entry) {
        Path classes = Path.of(entry).toAbsolutePath();
        if (!Files.isDirectory(classes)) {
            return entry;
        }
        String name =
                Objects.requireNonNull(classes.getParent()).getParent().getFileName() + "-" + classes.getFileName();
        Path jar = directory.path().resolve(name + ".jar");
        if (!Files.exists(jar)) {
            int result = ToolProvider.findFirst("jar")
                    .orElseThrow()
                    .run(System.out, System.err, "--create", "--file", jar.toString(), "-C", classes.toString(), ".");
            if (result != 0) {
                throw new IllegalStateException("jar ended with " + result + " for " + classes);
            }
        }
        return jar.toString();
    }

    private static Pattern module(String names) {
        return Pattern.compile("[/\\\\]lock-(" + names + ")([/\\\\]target[/\\\\]|-\\d)");
    }
}
