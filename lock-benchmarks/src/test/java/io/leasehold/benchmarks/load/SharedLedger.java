package io.leasehold.benchmarks.load;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * A page of memory that processes share: how often the section under the lock was entered, and when it was last left.
 * Reading and writing is not atomic together, so that two who are in the section at once lose an entry.
 */
public final class SharedLedger {

    private static final int ENTRIES = 0;

    private static final int LEFT_AT = Long.BYTES;

    private final MappedByteBuffer page;

    private SharedLedger(MappedByteBuffer page) {
        this.page = page;
    }

    /**
     * Makes a page.
     *
     * @return the file that it is mapped to; removed when this JVM ends
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
     * @param file what {@link #create} has made
     * @return the page, as all who map it see it
     */
    public static SharedLedger open(String file) {
        try (FileChannel channel = FileChannel.open(Path.of(file), StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            return new SharedLedger(channel.map(FileChannel.MapMode.READ_WRITE, 0, 2 * Long.BYTES));
        } catch (IOException ex) {
            throw new UncheckedIOException(ex);
        }
    }

    /** How often the section was entered. */
    public long entries() {
        return page.getLong(ENTRIES);
    }

    /** Begins anew. */
    public void clear() {
        entries(0);
        leftAt(0);
    }

    void entries(long entries) {
        page.putLong(ENTRIES, entries);
    }

    /** By {@link System#nanoTime}, which on Linux is the same clock in all processes; 0 if nobody has left yet. */
    long leftAt() {
        return page.getLong(LEFT_AT);
    }

    void leftAt(long nanoTime) {
        page.putLong(LEFT_AT, nanoTime);
    }
}
