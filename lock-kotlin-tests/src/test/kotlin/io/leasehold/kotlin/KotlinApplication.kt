package io.leasehold.kotlin

import org.springframework.boot.autoconfigure.SpringBootApplication

/** An application as Spring Initializr creates it for Kotlin. */
@SpringBootApplication
class KotlinApplication
