package io.leasehold.architecture.planted.contract;

import com.tngtech.archunit.lang.ArchRule;

abstract class SeesArchUnit implements ArchRule {}
