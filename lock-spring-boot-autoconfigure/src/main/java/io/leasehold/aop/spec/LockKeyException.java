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

/** A call of a {@code @DistributedLock} method has arguments that give no key. The method did not run. */
public class LockKeyException extends IllegalArgumentException {

    private static final long serialVersionUID = 1L;

    /** A text in quotes, or an argument with the properties that are read from it. */
    private static final Pattern TEXT_OR_PATH = Pattern.compile("'(?:[^']|'')*'|#\\w+(?:\\??\\.\\w+)*");

    /** An index that is too large. */
    private static final Set<SpelMessage> ELEMENTS = EnumSet.of(
            SpelMessage.ARRAY_INDEX_OUT_OF_BOUNDS,
            SpelMessage.COLLECTION_INDEX_OUT_OF_BOUNDS,
            SpelMessage.STRING_INDEX_OUT_OF_BOUNDS);

    /**
     * Creates the exception.
     *
     * @param problem the problem, as the end of a sentence that begins with the key
     */
    public LockKeyException(LockSpec spec, String problem, @Nullable Throwable cause) {
        super(
                "the key \"" + spec.key().text() + "\" of " + MethodDescriptions.describe(spec.method()) + " "
                        + problem,
                cause);
    }

    /** The evaluation of the key failed. */
    static LockKeyException of(LockSpec spec, @Nullable Object[] arguments, Exception cause) {
        return new LockKeyException(
                spec, "cannot be used for this call: " + cause.getMessage() + nextStep(spec, arguments, cause), cause);
    }

    /** Names the arguments that are null, but no values, because values are data of the application. */
    private static String nextStep(LockSpec spec, @Nullable Object[] arguments, Exception ex) {
        if (String.valueOf(ex.getMessage()).endsWith(KeyTextConverter.OPTIONAL)) {
            return valueOfOptional(spec, arguments);
        }
        if (ex instanceof SpelEvaluationException failure && ELEMENTS.contains(failure.getMessageCode())) {
            return existingElement(spec, arguments);
        }
        String property = propertyOfNull(ex);
        List<String> nulls = nullsRead(spec, arguments, ex);
        List<String> atFault = nulls.stream()
                .filter(name -> property == null || spec.key().text().contains(name + "." + property))
                .toList();
        if (!atFault.isEmpty()) {
            return ". " + String.join(", ", atFault)
                    + (atFault.size() == 1 ? " is null: check it" : " are null: check them") + " before the call"
                    + orDefault(spec, nulls, null);
        }
        return property == null
                ? unreadableProperty(spec, arguments, ex)
                : ". The value before '." + property + "' is null: check it before the call"
                        + orDefault(spec, nulls, property);
    }

    /** The property that the expression has read from {@code null}, if that is the failure. */
    private static @Nullable String propertyOfNull(Exception failure) {
        return failure instanceof SpelEvaluationException ex
                        && ex.getMessageCode() == SpelMessage.PROPERTY_OR_FIELD_NOT_READABLE_ON_NULL
                        && ex.getInserts() != null
                        && ex.getInserts().length > 0
                ? String.valueOf(ex.getInserts()[0])
                : null;
    }

    /** The arguments that are null among those that the failure names, or else among those that the expression reads. */
    private static List<String> nullsRead(LockSpec spec, @Nullable Object[] arguments, Exception failure) {
        LockKeyParameters parameters = spec.key().parameters();
        List<String> named = parameters.namesIn(String.valueOf(failure.getMessage()));
        return (named.isEmpty() ? parameters.namesIn(spec.key().text()) : named)
                .stream()
                        .filter(name -> parameters.argument(name, arguments) == null)
                        .toList();
    }

    private static String valueOfOptional(LockSpec spec, @Nullable Object[] arguments) {
        String text = spec.key().text();
        for (String name : spec.key().parameters().namesIn(text)) {
            if (spec.key().parameters().argument(name, arguments) instanceof Optional<?>) {
                String value = name + " ?: 'none'";
                return ". " + name + " is an Optional: write its value with a default, as in \""
                        + (text.strip().equals(name) ? value : text.replaceAll(name + "\\b", "(" + value + ")")) + "\"";
            }
        }
        return ". Write its value with a default, as in \"#id ?: 'none'\"";
    }

    /** The next step after an index was too large for the argument, or for a list in it. */
    private static String existingElement(LockSpec spec, @Nullable Object[] arguments) {
        String text = spec.key().text().strip();
        for (String name : spec.key().parameters().namesIn(text)) {
            Object argument = spec.key().parameters().argument(name, arguments);
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
     * The end of a sentence: the expression with a default in place of each path that may be null. Empty if the expression
     * is more than paths, texts, sums and lists, in which a default may have another meaning.
     *
     * @param nulls the arguments that are null
     * @param property the property that was read from {@code null}
     */
    private static String orDefault(LockSpec spec, List<String> nulls, @Nullable String property) {
        String text = spec.key().text().strip();
        if (!TEXT_OR_PATH.matcher(text).replaceAll("").matches("[\\s+,{}()]*")) {
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

    /**
     * The next step after the expression has read a property that is missing: a sentence without its full stop, with the
     * names of properties and without their values; empty if none is known.
     */
    private static String unreadableProperty(LockSpec spec, @Nullable Object[] arguments, Exception failure) {
        if (!(failure instanceof SpelEvaluationException ex)) {
            return "";
        }
        var inserts = ex.getInserts();
        if (inserts == null || inserts.length == 0) {
            return "";
        }
        String name = String.valueOf(inserts[0]);
        if (ex.getMessageCode() != SpelMessage.PROPERTY_OR_FIELD_NOT_READABLE || inserts.length < 2) {
            return "";
        }
        Optional<String> ofClass = classAmong(arguments, spec);
        if (ofClass.isPresent()) {
            return ". A key reads no properties of a class: write " + ofClass.get()
                    + " itself, which stands for its name";
        }
        Class<?> type = type(String.valueOf(inserts[1]), spec);
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

    /** The name of the argument that is a class and of which the expression reads a property. */
    private static Optional<String> classAmong(@Nullable Object[] arguments, LockSpec spec) {
        String text = spec.key().text();
        return spec.key().parameters().namesIn(text).stream()
                .filter(name -> text.contains(name + ".")
                        && spec.key().parameters().argument(name, arguments) instanceof Class<?>)
                .findFirst();
    }

    private static @Nullable Class<?> type(String name, LockSpec spec) {
        try {
            return ClassUtils.forName(name, spec.method().getDeclaringClass().getClassLoader());
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
