package io.leasehold.architecture.violating.contract;

import com.tngtech.archunit.lang.ArchRule;

abstract class SeesArchUnit implements ArchRule {}
