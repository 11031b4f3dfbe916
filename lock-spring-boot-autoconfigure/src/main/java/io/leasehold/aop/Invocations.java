package io.leasehold.aop;

import org.aopalliance.intercept.MethodInvocation;
import org.springframework.aop.ProxyMethodInvocation;

/** Calls that go on after the interceptor has returned. */
final class Invocations {

    private Invocations() {}

    /** The same call, to go on with later and, each time with a new one, more than once. */
    static MethodInvocation repeatable(MethodInvocation invocation) {
        return invocation instanceof ProxyMethodInvocation proxied ? proxied.invocableClone() : invocation;
    }
}
