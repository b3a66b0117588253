package dev.pointsman.packet.read;

/// Durations as nft writes them: `1d2h3m4s5ms`, or a plain number of seconds.
final class NftTime {
    private NftTime() {}

    static long milliseconds(Token token) {
        String text = token.text();
        long total = 0;
        int at = 0;
        while (at < text.length()) {
            int digits = at;
            while (digits < text.length() && Character.isDigit(text.charAt(digits))) {
                digits++;
            }
            int unit = digits;
            while (unit < text.length() && Character.isLetter(text.charAt(unit))) {
                unit++;
            }
            if (digits == at || digits - at > 12) {
                throw token.unexpected("a duration");
            }
            total +=
                    Long.parseLong(text.substring(at, digits))
                            * size(text.substring(digits, unit), token);
            at = unit;
        }
        return total;
    }

    private static long size(String unit, Token token) {
        return switch (unit) {
            case "d" -> 86_400_000;
            case "h" -> 3_600_000;
            case "m" -> 60_000;
            case "s", "" -> 1000;
            case "ms" -> 1;
            default -> throw token.unexpected("a duration");
        };
    }
}
