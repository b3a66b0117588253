package dev.pointsman.packet.read;

import dev.pointsman.packet.netfilter.Fraction;
import dev.pointsman.packet.netfilter.Step;
import dev.pointsman.packet.netfilter.Step.Sense;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.List;

/// `-m statistic`. Which packet of `--every` is the next one nobody knows: each is taken to be as
/// likely.
final class StatisticMatch implements SavedPart {
    private static final long SCALE = 1L << 31;

    /// Up to here, every 1/n has its own number among those the kernel keeps.
    private static final long MOST = 46_340;

    private Fraction share = Fraction.ONE;

    @Override
    public boolean takes(String option, Sense sense, SavedLine line) {
        switch (option) {
            case "--mode" -> {
                String mode = line.next("a mode");
                if (!mode.equals("random") && !mode.equals("nth")) {
                    throw line.wrong("random or nth");
                }
            }
            case "--probability" -> share = turned(probability(line), sense);
            case "--every" -> {
                long every = line.number(MarkMask.ALL);
                if (every == 0) {
                    throw line.wrong("a number above 0");
                }
                share = turned(Fraction.of(1, every), sense);
            }
            case "--packet" -> line.number(MarkMask.ALL);
            default -> {
                return false;
            }
        }
        return true;
    }

    private static Fraction turned(Fraction share, Sense sense) {
        return switch (sense) {
            case IS -> share;
            case IS_NOT -> share.complement();
        };
    }

    /// The kernel keeps 31 bits (libxt_statistic.c). Where these are the nearest to a 1/n, that was
    /// meant, and is less than one part in 10⁹ off.
    private static Fraction probability(SavedLine line) {
        String word = line.next("a probability");
        BigDecimal number;
        try {
            number = new BigDecimal(word);
        } catch (NumberFormatException _) {
            throw line.wrong("a probability");
        }
        if (number.signum() < 0 || number.compareTo(BigDecimal.ONE) > 0 || number.scale() > 100) {
            throw line.wrong("a probability from 0 to 1");
        }
        long kept =
                number.multiply(BigDecimal.valueOf(SCALE))
                        .setScale(0, RoundingMode.HALF_UP)
                        .longValueExact();
        if (kept > 0) {
            long n = (SCALE + kept / 2) / kept;
            if (n <= MOST && (SCALE + n / 2) / n == kept) {
                return Fraction.of(1, n);
            }
        }
        return Fraction.of(kept, SCALE);
    }

    @Override
    public List<Step> steps() {
        return List.of(new Step.Chance(share));
    }
}
