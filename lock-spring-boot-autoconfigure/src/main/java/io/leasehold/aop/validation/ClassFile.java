package io.leasehold.aop.validation;

import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.HashSet;
import java.util.Set;
import org.springframework.util.ClassUtils;

/** The class as it was compiled, before the weaver of this JVM has changed it. */
final class ClassFile {

    private ClassFile() {}

    /**
     * The names and other texts of a class, which its constant pool has: see chapter 4.4 of the specification of the JVM.
     * Empty for a class without a file.
     */
    static Set<String> constants(Class<?> type) {
        Set<String> constants = new HashSet<>();
        try (InputStream file = type.getResourceAsStream(ClassUtils.getClassFileName(type))) {
            if (file != null) {
                read(new DataInputStream(file), constants);
            }
            return constants;
        } catch (IOException ex) {
            return Set.of();
        }
    }

    private static void read(DataInputStream file, Set<String> constants) throws IOException {
        file.readLong(); // magic number and version
        int count = file.readUnsignedShort();
        for (int i = 1; i < count; i++) {
            int tag = file.readUnsignedByte();
            switch (tag) {
                case 1 -> constants.add(file.readUTF());
                case 3, 4, 9, 10, 11, 12, 17, 18 -> file.readInt();
                case 5, 6 -> {
                    file.readLong();
                    i++; // numbers of 64 bits have two entries
                }
                case 7, 8, 16, 19, 20 -> file.readUnsignedShort();
                case 15 -> {
                    file.readUnsignedByte();
                    file.readUnsignedShort();
                }
                default -> throw new IOException("Unknown tag " + tag);
            }
        }
    }
}
