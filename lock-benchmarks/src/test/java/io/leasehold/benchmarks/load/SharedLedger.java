package io.leasehold.benchmarks.load;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * A page of memory that processes share. It holds the number of sections under the lock, and the time at which the last
 * one ended. Reading and writing together are not atomic, so two threads that are in the section at the same time lose
 * an entry.
 */
public final class SharedLedger {

    private static final int ENTRIES = 0;

    private static final int LEFT_AT = Long.BYTES;

    private final MappedByteBuffer page;

    private SharedLedger(MappedByteBuffer page) {
        this.page = page;
    }

    /**
     * Creates a page.
     *
     * @return the file that the page is mapped to; removed when this JVM ends
     */
    public static String create() {
        try {
            Path file = Files.createTempFile("ledger-", ".bin");
            Files.write(file, new byte[2 * Long.BYTES]);
            file.toFile().deleteOnExit();
            return file.toString();
        } catch (IOException ex) {
            throw new UncheckedIOException(ex);
        }
    }

    /**
     * Maps a page.
     *
     * @param file the file from {@link #create}
     * @return the page, shared with all processes that map it
     */
    public static SharedLedger open(String file) {
        try (FileChannel channel = FileChannel.open(Path.of(file), StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            return new SharedLedger(channel.map(FileChannel.MapMode.READ_WRITE, 0, 2 * Long.BYTES));
        } catch (IOException ex) {
            throw new UncheckedIOException(ex);
        }
    }

    /** The number of entries into the section. */
    public long entries() {
        return page.getLong(ENTRIES);
    }

    /** Resets the page. */
    public void clear() {
        entries(0);
        leftAt(0);
    }

    void entries(long entries) {
        page.putLong(ENTRIES, entries);
    }

    /**
     * A time of {@link System#nanoTime}, which on Linux is the same clock in all processes; 0 before the first section
     * has ended.
     */
    long leftAt() {
        return page.getLong(LEFT_AT);
    }

    void leftAt(long nanoTime) {
        page.putLong(LEFT_AT, nanoTime);
    }
}
