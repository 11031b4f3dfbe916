package io.leasehold.autoconfigure.locker;

import io.leasehold.support.NearestName;
import java.util.Set;

/** A locker was requested by a name that no locker has. */
public final class NoSuchLockerException extends IllegalArgumentException {

    private static final long serialVersionUID = 1L;

    private final String description;

    private final String nextStep;

    public NoSuchLockerException(String locker, Set<String> known) {
        this(
                "there is no locker '" + locker + "'; there are " + known,
                NearestName.of(locker, known)
                        .map(nearest -> nearest.equalsIgnoreCase(locker)
                                ? "Write '" + nearest + "': upper case counts in the name of a locker."
                                : "Did you mean '" + nearest + "'? Otherwise add 'lock.lockers." + locker
                                        + "' to the configuration.")
                        .orElse("Correct the name, or add 'lock.lockers." + locker + "' to the configuration."));
    }

    private NoSuchLockerException(String description, String nextStep) {
        super(description + ". " + nextStep);
        this.description = description;
        this.nextStep = nextStep;
    }

    public String description() {
        return description;
    }

    public String nextStep() {
        return nextStep;
    }
}
