/**
 * What operations sees of the locks: the actuator endpoint and the health contribution.
 */
@NullMarked
package io.leasehold.actuate;

import org.jspecify.annotations.NullMarked;
