package io.leasehold.jdbc.table;

import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;

/**
 * Parameter lists whose length is rounded up to a power of two, so that few distinct statements are prepared. The
 * surplus parameters repeat the last value.
 */
public final class InListPadding {

    private InListPadding() {}

    public static int slots(int values) {
        return values == 1 ? 1 : Integer.highestOneBit(values - 1) << 1;
    }

    public static String list(int slots) {
        return "?" + ", ?".repeat(slots - 1);
    }

    public static void bind(PreparedStatement statement, int first, int slots, List<byte[]> values)
            throws SQLException {
        for (int i = 0; i < slots; i++) {
            statement.setBytes(first + i, values.get(Math.min(i, values.size() - 1)));
        }
    }
}
