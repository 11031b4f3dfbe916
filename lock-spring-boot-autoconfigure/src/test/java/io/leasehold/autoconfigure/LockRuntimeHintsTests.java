package io.leasehold.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.Locker;
import io.leasehold.actuate.StoreProbe;
import io.leasehold.autoconfigure.property.LockSslProperties;
import io.leasehold.autoconfigure.property.LockerProperties;
import io.leasehold.autoconfigure.property.RedisServerProperties;
import io.leasehold.etcd.EtcdLockBackend;
import io.leasehold.jdbc.JdbcLockBackend;
import io.leasehold.redis.RedisLockBackend;
import java.io.IOException;
import java.io.InputStream;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.aot.hint.MemberCategory;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.predicate.RuntimeHintsPredicates;
import org.springframework.asm.ClassReader;
import org.springframework.asm.ClassVisitor;
import org.springframework.asm.MethodVisitor;
import org.springframework.asm.Opcodes;
import org.springframework.core.io.Resource;
import org.springframework.core.io.support.PathMatchingResourcePatternResolver;
import org.springframework.util.ClassUtils;

/** What a native image finds by name. */
class LockRuntimeHintsTests {

    private static final RuntimeHints HINTS = hints();

    /** A native image has no mocks. The others are compared with the name of a class that is there. */
    private static final Set<String> NOT_DETECTED = Set.of(
            "java.lang.Void",
            "java.util.Optional",
            "kotlin.Unit",
            "org.mockito.Mockito",
            "reactor.core.publisher.Flux",
            "reactor.core.publisher.Mono");

    /** Without a hint, a native image takes a library for absent, and so releases a lock before the commit. */
    @Test
    void everyLibraryThatIsDetectedByTheNameOfAClassHasAHint() throws IOException {
        Set<String> detected = new TreeSet<>();
        for (Class<?> module : List.of(
                LockRuntimeHints.class,
                Locker.class,
                RedisLockBackend.class,
                JdbcLockBackend.class,
                EtcdLockBackend.class)) {
            detected.addAll(detectedIn(module));
        }
        detected.removeAll(NOT_DETECTED);
        assertThat(detected)
                .contains(
                        "com.zaxxer.hikari.HikariDataSource",
                        "io.leasehold.etcd.EtcdLockBackend",
                        "io.micrometer.observation.Observation",
                        "kotlin.reflect.full.KClassifiers",
                        "org.springframework.transaction.support.TransactionSynchronizationManager")
                .allSatisfy(name -> assertThat(RuntimeHintsPredicates.reflection()
                                .onType(ClassUtils.resolveClassName(name, null))
                                .test(HINTS))
                        .as("LockRuntimeHints has a hint for " + name)
                        .isTrue());
    }

    @ParameterizedTest
    @ValueSource(classes = {LockerProperties.class, RedisServerProperties.class, LockSslProperties.class})
    void anEntryIsBoundWithAllItsGroups(Class<?> group) {
        assertThat(RuntimeHintsPredicates.reflection()
                        .onType(group)
                        .withMemberCategory(MemberCategory.INVOKE_DECLARED_CONSTRUCTORS)
                        .or(RuntimeHintsPredicates.reflection()
                                .onConstructorInvocation(group.getDeclaredConstructors()[0]))
                        .test(HINTS))
                .isTrue();
    }

    /** The endpoint, whose answers have hints of their own, need not be exposed. */
    @ParameterizedTest
    @ValueSource(classes = {StoreProbe.StoreState.class, StoreProbe.StoreFigures.class})
    void aDetailOfTheHealthIsWritten(Class<?> detail) {
        assertThat(Stream.of(detail.getRecordComponents())
                        .allMatch(component -> RuntimeHintsPredicates.reflection()
                                .onMethodInvocation(component.getAccessor())
                                .test(HINTS)))
                .isTrue();
    }

    private static RuntimeHints hints() {
        RuntimeHints hints = new RuntimeHints();
        new LockRuntimeHints().registerHints(hints, LockRuntimeHintsTests.class.getClassLoader());
        return hints;
    }

    /** The names in each method that looks for a class; those of the whole file if the name is not in the method. */
    private static Set<String> detectedIn(Class<?> module) throws IOException {
        String place =
                module.getProtectionDomain().getCodeSource().getLocation().toString();
        Map<String, NamesOfFile> files = new HashMap<>();
        for (Resource file :
                new PathMatchingResourcePatternResolver().getResources("classpath*:io/leasehold/**/*.class")) {
            if (file.getURL().toString().contains(place)) {
                try (InputStream bytes = file.getInputStream()) {
                    ClassReader reader = new ClassReader(bytes);
                    String source = reader.getClassName().replaceAll("\\$.*", "");
                    reader.accept(files.computeIfAbsent(source, name -> new NamesOfFile()), ClassReader.SKIP_DEBUG);
                }
            }
        }
        assertThat(files).as(place).isNotEmpty();
        Set<String> detected = new TreeSet<>();
        files.values().forEach(names -> detected.addAll(names.detected()));
        return detected;
    }

    /** The names of classes among the texts of a source file. */
    private static final class NamesOfFile extends ClassVisitor {

        private static final Pattern NAME_OF_CLASS = Pattern.compile("([a-z][a-z0-9_]*\\.)+[A-Z][A-Za-z0-9$]*");

        private static final Map<String, Set<String>> PROBES = Map.of(
                "org/springframework/util/ClassUtils", Set.of("isPresent", "forName", "resolveClassName"),
                "java/lang/Class", Set.of("forName"),
                "java/lang/ClassLoader", Set.of("loadClass"));

        private final Set<String> all = new TreeSet<>();

        private final Set<String> probed = new TreeSet<>();

        private boolean isProbedElsewhere;

        NamesOfFile() {
            super(Opcodes.ASM9);
        }

        Set<String> detected() {
            return isProbedElsewhere ? all : probed;
        }

        @Override
        public MethodVisitor visitMethod(
                int access, String method, String descriptor, String signature, String[] exceptions) {
            Set<String> inMethod = new TreeSet<>();
            return new MethodVisitor(api) {

                private boolean probes;

                @Override
                public void visitLdcInsn(Object constant) {
                    if (constant instanceof String text
                            && NAME_OF_CLASS.matcher(text).matches()
                            && ClassUtils.isPresent(text, null)) {
                        inMethod.add(text);
                        all.add(text);
                    }
                }

                @Override
                public void visitMethodInsn(
                        int opcode, String owner, String name, String descriptor, boolean isInterface) {
                    probes |= PROBES.getOrDefault(owner, Set.of()).contains(name);
                }

                @Override
                public void visitEnd() {
                    if (probes) {
                        probed.addAll(inMethod);
                        isProbedElsewhere |= inMethod.isEmpty();
                    }
                }
            };
        }
    }
}
