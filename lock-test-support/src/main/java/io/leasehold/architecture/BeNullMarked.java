package io.leasehold.architecture;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import org.jspecify.annotations.NullMarked;

/** Checks the package of each class for the annotation. */
final class BeNullMarked extends ArchCondition<JavaClass> {

    BeNullMarked() {
        super("be in a package that is @NullMarked");
    }

    @Override
    public void check(JavaClass item, ConditionEvents events) {
        boolean marked = item.getPackage().isAnnotatedWith(NullMarked.class);
        String message = "package '" + item.getPackageName() + "' of " + item.getSimpleName() + " is"
                + (marked ? "" : " not") + " @NullMarked";
        events.add(new SimpleConditionEvent(item, marked, message));
    }
}
