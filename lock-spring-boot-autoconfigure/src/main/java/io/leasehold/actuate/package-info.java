/**
 * The actuator endpoint and the health contribution of locks. It uses the API and the actuator's endpoint and health
 * types. Only the auto-configuration uses it.
 */
@NullMarked
package io.leasehold.actuate;

import org.jspecify.annotations.NullMarked;
