/** How figures are shown: Markdown for people, CSV for programs. */
@NullMarked
package io.leasehold.benchmarks.report;

import org.jspecify.annotations.NullMarked;
