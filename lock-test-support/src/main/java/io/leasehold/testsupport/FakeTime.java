package io.leasehold.testsupport;

import io.leasehold.servers.DebianPackage;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;

/** The time of day of other processes. A test moves it while they run. Their monotonic clock does not change. */
public final class FakeTime {

    private static final String LIBRARY = "faketime/libfaketimeMT.so.1";

    private final Path file;

    /** Creates a clock that starts at the real time of day. A file in the directory has its offset. */
    public FakeTime(Path directory) {
        this.file = directory.resolve("faketime");
        move(Duration.ZERO);
    }

    /** Returns the command to start in place of the given one, so that its process reads this clock. */
    public List<String> command(List<String> command) {
        List<String> all = new ArrayList<>(List.of(
                "env",
                "LD_PRELOAD=" + library(),
                "FAKETIME_TIMESTAMP_FILE=" + file,
                "FAKETIME_CACHE_DURATION=1",
                // a workaround for an old glibc, with which timed waits of this JVM return immediately
                "FAKETIME_FORCE_MONOTONIC_FIX=0",
                "FAKETIME_DONT_FAKE_MONOTONIC=1",
                "NO_FAKE_STAT=1"));
        all.addAll(command);
        return all;
    }

    /** Sets how far the clock is ahead of the real time of day, in whole seconds; negative if it is behind. */
    public void move(Duration offset) {
        try {
            Path fresh = file.resolveSibling("faketime.new");
            Files.writeString(
                    fresh, (offset.isNegative() ? "-" : "+") + offset.abs().toSeconds() + "s\n");
            Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException ex) {
            throw new UncheckedIOException(ex);
        }
    }

    private static Path library() {
        String folder = "lib/"
                + Objects.requireNonNullElse(System.getProperty("os.arch"), "").replace("amd64", "x86_64")
                + "-linux-gnu/";
        Path installed = Path.of("/usr", folder, LIBRARY);
        return Stream.of(installed)
                .filter(Files::isRegularFile)
                .findFirst()
                .orElseGet(() -> new DebianPackage("libfaketime").file("usr/" + folder + LIBRARY));
    }
}
