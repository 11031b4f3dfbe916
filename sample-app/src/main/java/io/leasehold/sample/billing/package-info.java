/**
 * Every instance runs the same job, and each user who is due is charged once: an annotated method, and a user whom
 * another instance is charging is skipped.
 */
@NullMarked
package io.leasehold.sample.billing;

import org.jspecify.annotations.NullMarked;
