package io.leasehold.architecture.violating.engine;

class WritesToStandardError {

    void write(Throwable failure) {
        failure.printStackTrace();
    }
}
