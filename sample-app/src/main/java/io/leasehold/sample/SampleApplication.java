package io.leasehold.sample;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.scheduling.annotation.EnableScheduling;

/** One instance of the sample. Start it again for a second one, which joins the first. */
@SpringBootApplication
@EnableScheduling
public class SampleApplication {

    /**
     * Starts an instance.
     *
     * @param args properties as {@code --name=value}
     */
    public static void main(String[] args) {
        SpringApplication.run(SampleApplication.class, args);
    }
}
