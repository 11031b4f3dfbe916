package io.leasehold.benchmarks.startup;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * Runs one of the applications in a process of its own.
 *
 * @param application the class with the main method
 * @param classPath its class path
 * @param redis the address of its Redis
 */
public record ApplicationProcess(Class<?> application, String classPath, String redis) {

    /**
     * Runs the application to its end.
     *
     * @param arguments further arguments
     * @param observer receives each line of its output as soon as it is printed
     * @return all lines of its output
     */
    public List<String> run(List<String> arguments, Consumer<String> observer) {
        List<String> command = Stream.concat(
                        Stream.of(
                                Path.of(System.getProperty("java.home"), "bin", "java")
                                        .toString(),
                                "-cp",
                                classPath,
                                application.getName(),
                                "--spring.data.redis.url=" + redis),
                        arguments.stream())
                .toList();
        List<String> output = new ArrayList<>();
        try {
            Process process =
                    new ProcessBuilder(command).redirectErrorStream(true).start();
            try (BufferedReader lines = process.inputReader()) {
                for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                    output.add(line);
                    observer.accept(line);
                }
            }
        } catch (IOException ex) {
            throw new UncheckedIOException(ex);
        }
        return output;
    }
}
