package io.leasehold.autoconfigure.web;

import io.leasehold.LockNotAcquiredException;
import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestControllerAdvice;

/** What an application answers itself, for the exception and for all exceptions. */
final class OwnAnswers {

    private OwnAnswers() {}

    @RestControllerAdvice
    static class ToLockNotAcquired {

        @ExceptionHandler
        @ResponseStatus(HttpStatus.TOO_MANY_REQUESTS)
        String handle(LockNotAcquiredException failure) {
            return "own answer";
        }
    }

    @RestControllerAdvice
    static class ToEverything {

        @ExceptionHandler
        @ResponseStatus(HttpStatus.BAD_GATEWAY)
        String handle(Exception failure) {
            return "own answer";
        }
    }
}
