/** Tests of the files for operations: the dashboard and the alerts. */
@NullMarked
package io.leasehold.operations;

import org.jspecify.annotations.NullMarked;
