package io.leasehold.architecture.planted.engine;

class WritesToStandardError {

    void write(Throwable failure) {
        failure.printStackTrace();
    }
}
