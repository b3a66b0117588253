package dev.pointsman.config;

import java.math.BigDecimal;

/// How the API server is spoken to.
///
/// @param kubeconfig empty for the cluster that this process runs in
/// @param acceptContentTypes empty for `contentType`
/// @param qps requests a second, at length; negative for no limit
/// @param burst requests at once
public record ClientConnection(
        String kubeconfig,
        String acceptContentTypes,
        String contentType,
        BigDecimal qps,
        int burst) {
    /// What kube-proxy does when nobody says otherwise.
    public static final ClientConnection DEFAULTS =
            new ClientConnection(
                    "", "", "application/vnd.kubernetes.protobuf", BigDecimal.valueOf(5), 10);

    private static final FieldType<BigDecimal> RATE =
            new FieldType<BigDecimal>(
                            text -> new BigDecimal(text).stripTrailingZeros(), Value.Rate::new)
                    .withZero(BigDecimal.ZERO, DEFAULTS.qps());

    static ClientConnection read(Fields fields) {
        return new ClientConnection(
                fields.value("clientConnection.kubeconfig", DEFAULTS.kubeconfig(), FieldType.TEXT),
                fields.value(
                        "clientConnection.acceptContentTypes",
                        DEFAULTS.acceptContentTypes(),
                        FieldType.TEXT),
                fields.value(
                        "clientConnection.contentType", DEFAULTS.contentType(), FieldType.TEXT),
                fields.value("clientConnection.qps", DEFAULTS.qps(), RATE),
                fields.value(
                        "clientConnection.burst",
                        DEFAULTS.burst(),
                        FieldType.count(0, Integer.MAX_VALUE).withZero(0, DEFAULTS.burst())));
    }
}
