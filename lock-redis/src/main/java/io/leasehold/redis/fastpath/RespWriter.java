package io.leasehold.redis.fastpath;

import io.netty.buffer.ByteBuf;

/**
 * Writes a command as an array of bulk strings (Redis serialization protocol, version 2). Lettuce's {@code CommandArgs}
 * has an object for each argument, of which a batch has up to a hundred.
 */
final class RespWriter {

    private final ByteBuf buffer;

    RespWriter(ByteBuf buffer) {
        this.buffer = buffer;
    }

    /** Begins a command with this number of strings, its own name included. */
    void start(int strings) {
        buffer.writeByte('*');
        writeDigits(strings);
        endLine();
    }

    RespWriter string(byte[] value) {
        startString(value.length);
        buffer.writeBytes(value);
        endLine();
        return this;
    }

    /** Writes a number that is not negative as a string of its decimal digits. */
    RespWriter string(long number) {
        int digits = 1;
        for (long rest = number; rest >= 10; rest /= 10) {
            digits++;
        }
        startString(digits);
        writeDigits(number);
        endLine();
        return this;
    }

    private void startString(int length) {
        buffer.writeByte('$');
        writeDigits(length);
        endLine();
    }

    private void writeDigits(long number) {
        if (number >= 10) {
            writeDigits(number / 10);
        }
        buffer.writeByte('0' + (int) (number % 10));
    }

    private void endLine() {
        buffer.writeByte('\r').writeByte('\n');
    }
}
