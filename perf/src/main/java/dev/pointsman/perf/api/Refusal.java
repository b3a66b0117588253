package dev.pointsman.perf.api;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.ByteBufUtil;
import io.netty.handler.codec.http.HttpResponseStatus;
import java.io.Serial;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/// Why a request is not answered, in the words of kube-apiserver.
final class Refusal extends Exception {
    @Serial private static final long serialVersionUID = 1;

    private final int code;
    private final String reason;

    /// @param reason the word that programs go by
    private Refusal(HttpResponseStatus status, String reason, String message) {
        super(message);
        this.code = status.code();
        this.reason = reason;
    }

    static Refusal badRequest(String message) {
        return new Refusal(HttpResponseStatus.BAD_REQUEST, "BadRequest", message);
    }

    static Refusal notFound(String what) {
        return new Refusal(HttpResponseStatus.NOT_FOUND, "NotFound", what + " not found");
    }

    static Refusal notAllowed(String method) {
        return new Refusal(
                HttpResponseStatus.METHOD_NOT_ALLOWED,
                "MethodNotAllowed",
                method + " is not allowed: this server is written by the program that runs it");
    }

    static Refusal notAcceptable(String accept) {
        return new Refusal(
                HttpResponseStatus.NOT_ACCEPTABLE,
                "NotAcceptable",
                "this server speaks application/json alone, and "
                        + accept
                        + " was asked for; kube-proxy asks for it with clientConnection.contentType:"
                        + " application/json");
    }

    static Refusal expired(long version, long oldest) {
        return new Refusal(
                HttpResponseStatus.GONE,
                "Expired",
                "too old resource version: " + version + " (" + oldest + ")");
    }

    static Refusal tooNew(long version, long latest) {
        return new Refusal(
                HttpResponseStatus.GATEWAY_TIMEOUT,
                "Timeout",
                "Too large resource version: " + version + ", current: " + latest);
    }

    int code() {
        return code;
    }

    /// As a Status object.
    ByteBuf body(ByteBufAllocator allocator) {
        return ByteBufUtil.writeUtf8(allocator, status().toString());
    }

    /// As the last line of a watch.
    ByteBuf line(ByteBufAllocator allocator) {
        ObjectNode event = JsonNodeFactory.instance.objectNode();
        event.put("type", "ERROR");
        event.set("object", status());
        return ByteBufUtil.writeUtf8(allocator, event + "\n");
    }

    private ObjectNode status() {
        ObjectNode status = JsonNodeFactory.instance.objectNode();
        status.put("kind", "Status");
        status.put("apiVersion", "v1");
        status.putObject("metadata");
        status.put("status", "Failure");
        status.put("message", getMessage());
        status.put("reason", reason);
        status.put("code", code);
        return status;
    }
}
