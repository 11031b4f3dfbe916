package io.leasehold.autoconfigure.web;

import io.leasehold.LockHandle;
import io.leasehold.aop.spec.LockAnnotations;
import java.lang.reflect.Method;
import org.springframework.core.MethodParameter;

/** Parameters of handler methods that the lock's advice fills if the caller passes {@code null}. */
final class LockHandleParameters {

    private LockHandleParameters() {}

    static boolean contains(MethodParameter parameter) {
        Method method = parameter.getMethod();
        return method != null
                && parameter.getParameterType() == LockHandle.class
                && LockAnnotations.find(method, parameter.getContainingClass()).isPresent();
    }
}
