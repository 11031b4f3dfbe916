package io.leasehold.servers;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A Debian package that is downloaded and unpacked into the user's cache folder. It is not installed, so no service is
 * started and no root permission is needed.
 *
 * <p>One process at a time downloads. It unpacks next to the target and renames the result, so an existing folder is
 * complete. Each download first removes the remains of processes that were killed during theirs. Each release of the
 * system has packages of its own. A newer version of a package for the same release is not fetched: tests need any
 * version of that release.
 */
public final class DebianPackage {

    private static final String DOWNLOAD = "download-";

    /**
     * Downloads packages of the backports of a release. The sources of the machine need not have them, and are not
     * changed. The arguments are the name of the release and the packages.
     */
    private static final String BACKPORTS = String.join(
            "\n",
            "mirror=$(apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' | grep '/debian/*$' | head -1)",
            "keys=/usr/share/keyrings/debian-archive-keyring.gpg",
            "echo \"deb [signed-by=$keys] $mirror $1-backports main\" > backports.list",
            "backports() {",
            "  apt-get -q -o Dir::Etc::SourceList=\"$PWD/backports.list\" -o Dir::Etc::SourceParts=/dev/null \\",
            "    -o Dir::State::Lists=\"$PWD/lists\" -o Dir::Cache::pkgcache= -o Dir::Cache::srcpkgcache= \\",
            "    -o APT::Sandbox::User=root -o Acquire::Languages=none \"$@\"",
            "}",
            "shift && mkdir -p lists/partial",
            "backports update && backports download \"$@\"");

    private final String name;

    private final String nextStep;

    private final Path cache;

    private final Source source;

    /** A package of the release of this machine. */
    public DebianPackage(String name) {
        this(name, installation(name), usersCache(), work -> download(work, null, List.of(name)));
    }

    /** A package from another source, for tests. */
    DebianPackage(String name, Path cache, Source source) {
        this(name, installation(name), cache, source);
    }

    private DebianPackage(String name, String nextStep, Path cache, Source source) {
        this.name = name;
        this.nextStep = nextStep;
        this.cache = cache;
        this.source = source;
    }

    /**
     * A package of the release of this machine or, if it has none of that name, of its backports.
     *
     * @param needed packages that it needs and that a machine may lack; their files are in the same folder
     */
    public static DebianPackage orBackport(String name, String... needed) {
        String release = osRelease("VERSION_CODENAME=");
        List<String> names = new ArrayList<>(List.of(name));
        names.addAll(List.of(needed));
        String nextStep = installation(name) + ". If the release of this machine does not have it, add '" + release
                + "-backports' to the sources of apt first";
        return new DebianPackage(name, nextStep, usersCache(), work -> download(work, release, names));
    }

    private static String installation(String name) {
        return "install it with 'apt-get install " + name + "'";
    }

    /** Returns the path of a file of the package. Downloads the package first if the file is missing. */
    public Path file(String path) {
        Path target = cache.resolve(name);
        Path file = target.resolve(path);
        if (!Files.isRegularFile(file)) {
            try {
                fetchAlone(target, file);
            } catch (IOException ex) {
                throw missing(ex);
            }
        }
        if (!Files.isRegularFile(file)) {
            throw missing(null);
        }
        return file;
    }

    private void fetchAlone(Path target, Path file) throws IOException {
        Files.createDirectories(cache);
        // a file lock excludes other processes, but not other threads of this process
        synchronized (DebianPackage.class) {
            try (FileChannel channel = FileChannel.open(
                            cache.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
                    FileLock lock = channel.lock()) {
                if (lock.isValid() && !Files.isRegularFile(file)) {
                    fetch(target);
                }
            }
        }
    }

    private void fetch(Path target) throws IOException {
        removeWhatWasLeft();
        Path work = Files.createTempDirectory(cache, DOWNLOAD);
        try {
            Path unpacked = source.unpackInto(work);
            delete(target);
            Files.move(unpacked, target, StandardCopyOption.ATOMIC_MOVE);
        } finally {
            delete(work);
        }
    }

    private void removeWhatWasLeft() throws IOException {
        List<Path> left;
        try (Stream<Path> content = Files.list(cache)) {
            left = content.filter(path -> path.getFileName().toString().startsWith(DOWNLOAD))
                    .toList();
        }
        for (Path path : left) {
            delete(path);
        }
    }

    private static void delete(Path folder) throws IOException {
        if (!Files.exists(folder)) {
            return;
        }
        List<Path> all;
        try (Stream<Path> content = Files.walk(folder)) {
            all = content.sorted(Comparator.reverseOrder()).toList();
        }
        for (Path path : all) {
            Files.delete(path);
        }
    }

    private static Path usersCache() {
        String home = Objects.requireNonNullElseGet(
                System.getenv("XDG_CACHE_HOME"), () -> System.getProperty("user.home") + "/.cache");
        return Path.of(home, "leasehold-tests", release());
    }

    /** Returns the release, such as {@code debian-13}. */
    private static String release() {
        return osRelease("ID=") + "-" + osRelease("VERSION_ID=");
    }

    private static String osRelease(String name) {
        try (Stream<String> lines = Files.lines(Path.of("/etc/os-release"))) {
            return value(lines.map(line -> line.replace("\"", "")).toList(), name);
        } catch (IOException unknown) {
            return "unknown";
        }
    }

    private static String value(List<String> lines, String name) {
        return lines.stream()
                .filter(line -> line.startsWith(name))
                .map(line -> line.substring(name.length()))
                .findFirst()
                .orElse("unknown");
    }

    /** Downloads packages, and unpacks them into one folder. Those of the backports only if a release is given. */
    private static Path download(Path work, @Nullable String backports, List<String> names) throws IOException {
        List<String> missing = missing(work, names);
        if (!missing.isEmpty()) {
            run(work, "apt-get", "update", "-qq");
            missing = missing(work, missing);
        }
        if (!missing.isEmpty()) {
            List<String> command =
                    new ArrayList<>(List.of("sh", "-c", BACKPORTS, "backports", String.valueOf(backports)));
            command.addAll(missing);
            require(backports != null && run(work, command.toArray(String[]::new)), work);
        }
        List<Path> archives;
        try (Stream<Path> files = Files.list(work)) {
            archives = files.filter(file -> file.toString().endsWith(".deb")).toList();
        }
        for (Path archive : archives) {
            require(run(work, "dpkg", "-x", archive.getFileName().toString(), "unpacked"), work);
        }
        return work.resolve("unpacked");
    }

    /** Downloads packages. Returns those that apt does not have. */
    private static List<String> missing(Path work, List<String> names) throws IOException {
        List<String> missing = new ArrayList<>();
        for (String name : names) {
            if (!run(work, "apt-get", "download", name)) {
                missing.add(name);
            }
        }
        return missing;
    }

    private static void require(boolean done, Path work) throws IOException {
        if (!done) {
            throw new IOException(Files.readString(work.resolve("log")));
        }
    }

    private static boolean run(Path folder, String... command) throws IOException {
        Process process = new ProcessBuilder(List.of(command))
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectOutput(
                        ProcessBuilder.Redirect.appendTo(folder.resolve("log").toFile()))
                .start();
        try {
            if (!process.waitFor(120, TimeUnit.SECONDS)) {
                process.destroyForcibly();
                return false;
            }
            return process.exitValue() == 0;
        } catch (InterruptedException ex) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
            return false;
        }
    }

    private IllegalStateException missing(@Nullable IOException cause) {
        return new IllegalStateException("Debian's package '" + name + "' could not be downloaded; " + nextStep, cause);
    }

    /** The source of the package's files. */
    @FunctionalInterface
    interface Source {

        /**
         * Unpacks the package.
         *
         * @param work an empty folder, which is removed afterwards
         * @return the folder with the files, inside {@code work}
         */
        Path unpackInto(Path work) throws IOException;
    }
}
