package io.leasehold.aop.spec;

import java.util.Set;
import java.util.TreeSet;
import org.springframework.expression.spel.SpelNode;
import org.springframework.expression.spel.ast.Assign;
import org.springframework.expression.spel.ast.BeanReference;
import org.springframework.expression.spel.ast.CompoundExpression;
import org.springframework.expression.spel.ast.ConstructorReference;
import org.springframework.expression.spel.ast.FunctionReference;
import org.springframework.expression.spel.ast.MethodReference;
import org.springframework.expression.spel.ast.OpDec;
import org.springframework.expression.spel.ast.OpInc;
import org.springframework.expression.spel.ast.Projection;
import org.springframework.expression.spel.ast.PropertyOrFieldReference;
import org.springframework.expression.spel.ast.Selection;
import org.springframework.expression.spel.ast.StringLiteral;
import org.springframework.expression.spel.ast.TypeReference;
import org.springframework.expression.spel.ast.VariableReference;
import org.springframework.util.StringUtils;

/** Rejects, before any call, key expressions that use forbidden operations or unknown names. */
final class LockKeySyntax {

    private final LockKeyParameters parameters;

    LockKeySyntax(LockKeyParameters parameters) {
        this.parameters = parameters;
    }

    void check(SpelNode node) {
        check(node, true);
    }

    private void check(SpelNode node, boolean onRoot) {
        refuseCode(node);
        if (node instanceof VariableReference) {
            requireKnown(node.toStringAST());
        }
        if (onRoot && node instanceof PropertyOrFieldReference property) {
            requireOfRoot(property.getName());
        }
        if (node instanceof CompoundExpression && node.getChild(0).toStringAST().equals("#root")) {
            requireReadable(node);
        }
        boolean onElement = node instanceof Projection || node instanceof Selection;
        for (int i = 0; i < node.getChildCount(); i++) {
            boolean afterAnother = node instanceof CompoundExpression && i > 0;
            check(node.getChild(i), onRoot && !onElement && !afterAnother);
        }
    }

    /** Whether a variable is one that every expression has, whatever the parameters are called. */
    static boolean isOfLanguage(String variable) {
        return variable.equals("#root") || variable.equals("#this");
    }

    private static void refuseCode(SpelNode node) {
        if (node instanceof MethodReference method) {
            throw new IllegalArgumentException("it calls the method " + method.getName()
                    + "(), but a key only reads properties" + insteadOf(method));
        }
        if (node instanceof StringLiteral text && text.toStringAST().contains("${")) {
            throw new IllegalArgumentException(
                    "placeholders are not resolved in a key, and its text is " + text.toStringAST());
        }
        if (node instanceof TypeReference
                || node instanceof ConstructorReference
                || node instanceof BeanReference
                || node instanceof FunctionReference
                || node instanceof Assign
                || node instanceof OpInc
                || node instanceof OpDec) {
            throw new IllegalArgumentException("'" + node.toStringAST()
                    + "' is not allowed: a key only reads the arguments and their properties; compute the value before"
                    + " the call and pass it as an argument, or add it to all keys with a LockKeyCustomizer");
        }
    }

    private static String insteadOf(MethodReference method) {
        String name = method.getName();
        if (method.getChildCount() > 0) {
            return "; compute the value before the call";
        }
        if (name.equals("toString")) {
            return "; leave it out, since a key is converted to text";
        }
        if (!name.matches("(get|is)[A-Z].*")) {
            return "; write '" + name + "' in place of '" + name + "()' if it is a component of a record, otherwise"
                    + " compute the value before the call";
        }
        String property = StringUtils.uncapitalizeAsProperty(name.substring(name.startsWith("get") ? 3 : 2));
        return "; write '" + property + "' in place of '" + name + "()'";
    }

    private void requireKnown(String variable) {
        if (isOfLanguage(variable) || parameters.names().containsKey(variable.substring(1))) {
            return;
        }
        Set<String> names = parameters.readableNames();
        String known = "it can use " + (names.isEmpty() ? "" : String.join(", ", names) + " and ") + "#root";
        throw new IllegalArgumentException(
                parameters.namesKnown()
                        ? "there is no parameter " + variable + "; " + known
                        : "the class was compiled without the names of its parameters, so there is no " + variable
                                + "; compile it with -parameters, or " + known);
    }

    /** Spring's accessor for data binding does not read the properties of a class. */
    private static void requireReadable(SpelNode path) {
        if (!(path.getChild(1) instanceof PropertyOrFieldReference property)) {
            return;
        }
        if (!LockKeyRoot.PROPERTIES.contains(property.getName())) {
            throw new IllegalArgumentException("#root has no property '" + property.getName() + "', only "
                    + String.join(", ", new TreeSet<>(LockKeyRoot.PROPERTIES)));
        }
        if (property.getName().equals("targetClass") && path.getChildCount() > 2) {
            throw new IllegalArgumentException(
                    "a key reads no properties of a class; #root.targetClass itself stands for its name");
        }
    }

    private static void requireOfRoot(String property) {
        if (!LockKeyRoot.PROPERTIES.contains(property)) {
            throw new IllegalArgumentException("'" + property + "' stands for a property that is not there; write #"
                    + property + " for a parameter and '" + property + "' in quotes of its own for text");
        }
    }
}
