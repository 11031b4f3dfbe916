package io.leasehold.architecture;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;

/** Counts the source files of each package. A package of many files has more than one concept. */
final class HaveFewFiles extends ArchCondition<JavaClass> {

    private final int most;

    private final Map<String, SortedSet<String>> files = new HashMap<>();

    HaveFewFiles(int most) {
        super("be in a package of at most " + most + " files");
        this.most = most;
    }

    @Override
    public void init(Collection<JavaClass> all) {
        files.clear();
        all.forEach(type -> files.computeIfAbsent(type.getPackageName(), name -> new TreeSet<>())
                .add(file(type)));
    }

    /** Reports a package once, by the class of its first file. */
    @Override
    public void check(JavaClass item, ConditionEvents events) {
        SortedSet<String> own = files.get(item.getPackageName());
        if (item.isTopLevelClass() && own.first().equals(file(item))) {
            String message = "package '" + item.getPackageName() + "' has " + own.size() + " files";
            events.add(new SimpleConditionEvent(item, own.size() <= most, message));
        }
    }

    private static String file(JavaClass type) {
        return type.getSource().flatMap(source -> source.getFileName()).orElse(type.getName());
    }
}
