package io.leasehold.autoconfigure.web;

import io.leasehold.LockNotAcquiredException;
import io.leasehold.autoconfigure.property.LockConfigurationException;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.http.HttpStatusCode;
import org.springframework.web.server.ResponseStatusException;

/**
 * Responses of web applications.
 *
 * @param status HTTP status of a request whose handler throws a LockNotAcquiredException that the application does not
 *     handle itself.
 */
@ConfigurationProperties(prefix = "lock.web", ignoreUnknownFields = false)
record LockWebProperties(@DefaultValue("409") int status) {

    LockWebProperties {
        if (status < 400 || status > 599) {
            throw new LockConfigurationException(
                    "lock.web.status",
                    status,
                    "must be the HTTP status of an error, from 400 to 599",
                    "Remove the property for 409 (Conflict), or use 503 (Service Unavailable).");
        }
    }

    /** The response; its text contains neither the key nor the holder, which the exception's message has. */
    ResponseStatusException response(LockNotAcquiredException failure) {
        return new ResponseStatusException(
                HttpStatusCode.valueOf(status), "The resource is locked by another caller. Try again later.", failure);
    }
}
