package io.leasehold.aop.spec;

import io.leasehold.support.NearestName;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.RecordComponent;
import java.util.Collection;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.expression.spel.SpelEvaluationException;
import org.springframework.expression.spel.SpelMessage;
import org.springframework.util.ClassUtils;
import org.springframework.util.StringUtils;

/**
 * The next step after a call whose arguments gave no key. It names arguments and properties, but no values, because
 * values are data of the application.
 */
final class LockKeyAdvice {

    /** A text in quotes, or an argument with the properties that are read from it. */
    private static final Pattern TEXT_OR_PATH = Pattern.compile("'(?:[^']|'')*'|#\\w+(?:\\??\\.\\w+)*");

    /** What {@link #TEXT_OR_PATH} leaves of sums and lists. In other expressions a default may have another meaning. */
    private static final Pattern SUM_OR_LIST = Pattern.compile("[\\s+,{}()]*");

    /** An index that is too large. */
    private static final Set<SpelMessage> ELEMENTS = EnumSet.of(
            SpelMessage.ARRAY_INDEX_OUT_OF_BOUNDS,
            SpelMessage.COLLECTION_INDEX_OUT_OF_BOUNDS,
            SpelMessage.STRING_INDEX_OUT_OF_BOUNDS);

    private final Method method;

    private final String text;

    private final LockKeyParameters parameters;

    private final @Nullable Object[] arguments;

    LockKeyAdvice(LockSpec spec, @Nullable Object[] arguments) {
        this.method = spec.method();
        this.text = spec.key().text().strip();
        this.parameters = spec.key().parameters();
        this.arguments = arguments;
    }

    /** The advice after a failure, as a sentence after a full stop and without its own; empty if none is known. */
    String after(Exception failure) {
        if (String.valueOf(failure.getMessage()).endsWith(KeyTextConverter.OPTIONAL)) {
            return valueOfOptional();
        }
        if (!(failure instanceof SpelEvaluationException ex)) {
            return checkedForNull(failure, null).orElse("");
        }
        if (ELEMENTS.contains(ex.getMessageCode())) {
            return existingElement();
        }
        String property =
                ex.getMessageCode() == SpelMessage.PROPERTY_OR_FIELD_NOT_READABLE_ON_NULL ? insert(ex, 0) : null;
        return checkedForNull(ex, property)
                .orElseGet(() -> property == null ? readableProperty(ex) : checkedForNull(property, nullsRead(ex)));
    }

    private static @Nullable String insert(SpelEvaluationException failure, int index) {
        var inserts = failure.getInserts();
        return inserts == null || inserts.length <= index ? null : String.valueOf(inserts[index]);
    }

    private String valueOfOptional() {
        for (String name : parameters.namesIn(text)) {
            if (argument(name) instanceof Optional<?>) {
                String value = name + " ?: 'none'";
                return ". " + name + " is an Optional: write its value with a default, as in \""
                        + (text.equals(name) ? value : text.replaceAll(name + "\\b", "(" + value + ")")) + "\"";
            }
        }
        return ". Write its value with a default, as in \"#id ?: 'none'\"";
    }

    /** After an index was too large for the argument, or for a list in it. */
    private String existingElement() {
        for (String name : parameters.namesIn(text)) {
            Object argument = argument(name);
            if (text.contains(name + "[") && (argument instanceof Collection<?> || argument instanceof Object[])) {
                return ". " + name + " has no such element: check it before the call"
                        + (argument instanceof Collection<?> elements && elements.isEmpty()
                                ? ", or give the key a default, such as \"" + name + ".empty ? 'none' : " + text + "\""
                                : "");
            }
        }
        return ". There is no such element: check the list before the call";
    }

    /**
     * After arguments that are null.
     *
     * @param property the property that was read from {@code null}, if that is the failure
     */
    private Optional<String> checkedForNull(Exception failure, @Nullable String property) {
        List<String> nulls = nullsRead(failure);
        List<String> atFault = nulls.stream()
                .filter(name -> property == null || text.contains(name + "." + property))
                .toList();
        return atFault.isEmpty()
                ? Optional.empty()
                : Optional.of(". " + String.join(", ", atFault)
                        + (atFault.size() == 1 ? " is null: check it" : " are null: check them") + " before the call"
                        + orDefault(nulls, null));
    }

    /** After a property was read from {@code null} that is no argument. */
    private String checkedForNull(String property, List<String> nulls) {
        return ". The value before '." + property + "' is null: check it before the call" + orDefault(nulls, property);
    }

    /** The arguments that are null among those that the failure names, or else among those that the key reads. */
    private List<String> nullsRead(Exception failure) {
        List<String> named = parameters.namesIn(String.valueOf(failure.getMessage()));
        return (named.isEmpty() ? parameters.namesIn(text) : named)
                .stream().filter(name -> argument(name) == null).toList();
    }

    /**
     * The end of a sentence: the key with a default in place of each path that may be null. Empty if the key is more than
     * paths, texts, sums and lists.
     *
     * @param nulls the arguments that are null
     * @param property the property that was read from {@code null}
     */
    private String orDefault(List<String> nulls, @Nullable String property) {
        if (!SUM_OR_LIST.matcher(TEXT_OR_PATH.matcher(text).replaceAll("")).matches()) {
            return "";
        }
        String withDefault = TEXT_OR_PATH.matcher(text).replaceAll(found -> {
            String path = found.group();
            String safe = nullSafe(path, nulls, property);
            if (safe == null) {
                return Matcher.quoteReplacement(path);
            }
            String value = safe + " ?: 'none'";
            return Matcher.quoteReplacement(path.equals(text) ? value : "(" + value + ")");
        });
        return withDefault.equals(text) ? "" : ", or give the key a default, such as \"" + withDefault + "\"";
    }

    /** The path, without a failure on {@code null}; {@code null} if it has to stay as it is. */
    private static @Nullable String nullSafe(String path, List<String> nulls, @Nullable String property) {
        if (nulls.contains(path.replaceFirst("\\??\\..*", ""))) {
            return path.replaceAll("\\??\\.", "?.");
        }
        Matcher rest = Pattern.compile("\\." + property + "\\b.*").matcher(path);
        return path.startsWith("#") && rest.find()
                ? path.substring(0, rest.start()) + rest.group().replaceAll("\\??\\.", "?.")
                : null;
    }

    /** After a property that the value does not have. */
    private String readableProperty(SpelEvaluationException failure) {
        String name = insert(failure, 0);
        String typeName = insert(failure, 1);
        if (failure.getMessageCode() != SpelMessage.PROPERTY_OR_FIELD_NOT_READABLE
                || name == null
                || typeName == null) {
            return "";
        }
        Optional<String> ofClass = classAmongArguments();
        if (ofClass.isPresent()) {
            return ". A key reads no properties of a class: write " + ofClass.get()
                    + " itself, which stands for its name";
        }
        Class<?> type = type(typeName);
        if (type != null && Map.class.isAssignableFrom(type)) {
            return ". Write ['" + name + "'] in place of '." + name + "' for an entry of a map";
        }
        SortedSet<String> readable = type == null ? new TreeSet<>() : propertiesOf(type);
        if (readable.isEmpty()) {
            return ". Give the type a public getter for '" + name + "', or use another property";
        }
        return ". "
                + NearestName.of(name, readable)
                        .map(near -> "Did you mean '" + near + "'? ")
                        .orElse("")
                + "Its properties are " + String.join(", ", readable);
    }

    /** The name of the argument that is a class and of which the key reads a property. */
    private Optional<String> classAmongArguments() {
        return parameters.namesIn(text).stream()
                .filter(name -> text.contains(name + ".") && argument(name) instanceof Class<?>)
                .findFirst();
    }

    private @Nullable Object argument(String name) {
        return parameters.argument(name, arguments);
    }

    private @Nullable Class<?> type(String name) {
        try {
            return ClassUtils.forName(name, method.getDeclaringClass().getClassLoader());
        } catch (ClassNotFoundException | LinkageError ex) {
            return null;
        }
    }

    private static SortedSet<String> propertiesOf(Class<?> type) {
        SortedSet<String> names = new TreeSet<>();
        for (Method method : type.getMethods()) {
            String property = property(method);
            if (!property.isEmpty()) {
                names.add(property);
            }
        }
        for (Field field : type.getFields()) {
            names.add(field.getName());
        }
        if (type.isRecord()) {
            for (RecordComponent component : type.getRecordComponents()) {
                names.add(component.getName());
            }
        }
        return names;
    }

    private static String property(Method method) {
        String name = method.getName();
        if (method.getParameterCount() > 0
                || method.getDeclaringClass() == Object.class
                || method.getReturnType() == void.class) {
            return "";
        }
        if (name.startsWith("get")) {
            return StringUtils.uncapitalizeAsProperty(name.substring(3));
        }
        return name.startsWith("is") && method.getReturnType() == boolean.class
                ? StringUtils.uncapitalizeAsProperty(name.substring(2))
                : "";
    }
}
