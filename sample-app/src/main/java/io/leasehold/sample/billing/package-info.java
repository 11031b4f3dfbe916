/**
 * Every instance runs the same job, and each user whose payment is due is charged once. The job calls an annotated
 * method, which skips a user that another instance is charging.
 */
@NullMarked
package io.leasehold.sample.billing;

import org.jspecify.annotations.NullMarked;
