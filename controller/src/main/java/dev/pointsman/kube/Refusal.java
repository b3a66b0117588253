package dev.pointsman.kube;

import java.time.Duration;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonToken;

/// The server answers, but not with what was asked for.
final class Refusal extends Exception {
    private static final long serialVersionUID = 1;

    private final int code;
    private final Duration retryAfter;

    /// @param code of HTTP, 0 for none
    /// @param retryAfter how long the server wants to be left alone
    /// @param message of the server, empty for none
    Refusal(int code, Duration retryAfter, String message) {
        super("the server answers " + code + (message.isEmpty() ? "" : ": " + message));
        this.code = code;
        this.retryAfter = retryAfter;
    }

    /// Throws what `answer` says, if it is a refusal.
    ///
    /// @param tokens of its body, of which none was read
    static void unlessAccepted(ApiServer.Answer answer, TreeReader tokens) throws Refusal {
        if (answer.code() >= 200 && answer.code() < 300) {
            return;
        }
        String message = "";
        try {
            if (tokens.next() == JsonToken.START_OBJECT) {
                message = Field.root(tokens.object("").fields()).get("message").text();
            }
        } catch (JacksonException _) {
            message = ""; // A proxy's page, not the server's Status; the code says enough.
        }
        throw new Refusal(answer.code(), answer.retryAfter(), Quote.plain(message));
    }

    int code() {
        return code;
    }

    Duration retryAfter() {
        return retryAfter;
    }
}
