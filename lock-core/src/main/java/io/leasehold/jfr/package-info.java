/**
 * Events of locks for the Flight Recorder. The package uses the JDK's module {@code jdk.jfr}, which every JDK has and a
 * runtime image of {@code jlink} may lack. No other package of this module uses it.
 */
@NullMarked
package io.leasehold.jfr;

import org.jspecify.annotations.NullMarked;
