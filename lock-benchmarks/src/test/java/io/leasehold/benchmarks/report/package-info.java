/** Output of figures: Markdown for readers, CSV for programs. */
@NullMarked
package io.leasehold.benchmarks.report;

import org.jspecify.annotations.NullMarked;
