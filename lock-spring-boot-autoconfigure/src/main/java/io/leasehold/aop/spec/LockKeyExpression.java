package io.leasehold.aop.spec;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.core.convert.TypeDescriptor;
import org.springframework.expression.EvaluationContext;
import org.springframework.expression.TypedValue;
import org.springframework.expression.spel.ExpressionState;
import org.springframework.expression.spel.SpelNode;
import org.springframework.expression.spel.ast.CompoundExpression;
import org.springframework.expression.spel.ast.Elvis;
import org.springframework.expression.spel.ast.InlineList;
import org.springframework.expression.spel.ast.OpPlus;
import org.springframework.expression.spel.ast.Projection;
import org.springframework.expression.spel.ast.SpelNodeImpl;
import org.springframework.expression.spel.ast.Ternary;
import org.springframework.expression.spel.standard.SpelExpression;
import org.springframework.expression.spel.standard.SpelExpressionParser;

/**
 * A parsed key expression.
 *
 * <p>The text of {@code 'user-' + #user.id} is put together here and not by the expression language, which writes
 * {@code null} as a word and takes any object's {@code toString}. So are the choices, lists and projections around such
 * a sum; everything else is left to the language.
 *
 * @param text the expression as it was written
 * @param parsed the same, parsed; {@code null} if it is an argument as it is
 * @param parameters the names it may use
 * @param argument the position of the argument that is the key as it is, as in {@code #id}
 */
public record LockKeyExpression(
        String text,
        @Nullable SpelExpression parsed,
        LockKeyParameters parameters,
        @Nullable Integer argument) {

    static LockKeyExpression parse(String text, LockKeyParameters parameters) {
        Integer argument = argument(text.strip(), parameters);
        if (argument != null) {
            return new LockKeyExpression(text, null, parameters, argument);
        }
        SpelExpression parsed = Parser.INSTANCE.parseRaw(text);
        new LockKeySyntax(parameters).check(parsed.getAST());
        return new LockKeyExpression(text, parsed, parameters, null);
    }

    private static @Nullable Integer argument(String text, LockKeyParameters parameters) {
        return text.startsWith("#") && !LockKeySyntax.isOfLanguage(text)
                ? parameters.names().get(text.substring(1))
                : null;
    }

    /** Evaluates an expression that is not an argument as it is. */
    @Nullable
    Object evaluate(EvaluationContext context, LockKeyRoot root) {
        return evaluate(Objects.requireNonNull(parsed).getAST(), new ExpressionState(context, new TypedValue(root)));
    }

    private @Nullable Object evaluate(SpelNode node, ExpressionState state) {
        if (node instanceof OpPlus && node.getChildCount() == 2) {
            return sum(node, state);
        }
        if (node instanceof Ternary) {
            return evaluate(node.getChild(condition(node.getChild(0), state) ? 1 : 2), state);
        }
        if (node instanceof Elvis) {
            Object value = content(evaluate(node.getChild(0), state));
            return value == null || "".equals(value) ? evaluate(node.getChild(1), state) : value;
        }
        if (node instanceof InlineList) {
            List<@Nullable Object> elements = new ArrayList<>();
            for (int i = 0; i < node.getChildCount(); i++) {
                elements.add(evaluate(node.getChild(i), state));
            }
            return elements;
        }
        if (node instanceof CompoundExpression && hasSum(node)) {
            return path(node, state);
        }
        return node.getValue(state);
    }

    private static boolean hasSum(SpelNode node) {
        boolean found = node instanceof OpPlus;
        for (int i = 0; !found && i < node.getChildCount(); i++) {
            found = hasSum(node.getChild(i));
        }
        return found;
    }

    /** Each step of a path reads the value of the step before it, which the language calls the active object. */
    private @Nullable Object path(SpelNode node, ExpressionState state) {
        Object value = evaluate(node.getChild(0), state);
        for (int i = 1; i < node.getChildCount(); i++) {
            SpelNodeImpl step = (SpelNodeImpl) node.getChild(i);
            if (value == null && step.isNullSafe()) {
                return null;
            }
            value = within(value, state, () -> step(step, state));
        }
        return value;
    }

    private @Nullable Object step(SpelNodeImpl step, ExpressionState state) {
        Object value = state.getActiveContextObject().getValue();
        Iterable<?> elements = value instanceof Map<?, ?> map
                ? map.entrySet()
                : value instanceof Iterable<?> iterable
                        ? iterable
                        : value instanceof Object[] array ? Arrays.asList(array) : null;
        if (!(step instanceof Projection) || elements == null) {
            return step.getValueInternal(state).getValue();
        }
        List<@Nullable Object> results = new ArrayList<>();
        for (Object element : elements) {
            results.add(within(element, state, () -> evaluate(step.getChild(0), state)));
        }
        return results;
    }

    private static @Nullable Object within(
            @Nullable Object active, ExpressionState state, Supplier<@Nullable Object> evaluation) {
        state.pushActiveContextObject(new TypedValue(active));
        state.enterScope();
        try {
            return evaluation.get();
        } finally {
            state.exitScope();
            state.popActiveContextObject();
        }
    }

    /** As the language has it before this operator. */
    private static @Nullable Object content(@Nullable Object value) {
        return value instanceof Optional<?> optional ? optional.orElse(null) : value;
    }

    private @Nullable Object sum(SpelNode node, ExpressionState state) {
        Object left = evaluate(node.getChild(0), state);
        Object right = evaluate(node.getChild(1), state);
        if (left instanceof Number && right instanceof Number) {
            return node.getValue(state);
        }
        return text(node.getChild(0), left, state) + text(node.getChild(1), right, state);
    }

    private static String text(SpelNode part, @Nullable Object value, ExpressionState state) {
        try {
            return String.valueOf(state.convertValue(new TypedValue(value), TypeDescriptor.valueOf(String.class)));
        } catch (IllegalArgumentException ex) {
            throw new IllegalArgumentException(
                    "'" + part.toStringAST() + "' cannot be part of a key: " + ex.getMessage());
        }
    }

    private static boolean condition(SpelNode node, ExpressionState state) {
        if (node.getValue(state) instanceof Boolean answer) {
            return answer;
        }
        throw new IllegalArgumentException("'" + node.toStringAST() + "' is a condition, but neither true nor false");
    }

    /** The language is loaded only for expressions that need it. */
    private static final class Parser {

        static final SpelExpressionParser INSTANCE = new SpelExpressionParser();
    }
}
