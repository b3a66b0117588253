package dev.pointsman.packet.netfilter;

import java.math.BigInteger;

/// An exact probability or share, in lowest terms.
public record Fraction(BigInteger numerator, BigInteger denominator)
        implements Comparable<Fraction> {
    public static final Fraction ZERO = of(0, 1);
    public static final Fraction ONE = of(1, 1);

    public Fraction {
        if (numerator.signum() < 0 || denominator.signum() <= 0) {
            throw new IllegalArgumentException(
                    numerator + "/" + denominator + " is no probability");
        }
        BigInteger divisor = numerator.gcd(denominator);
        if (!divisor.equals(BigInteger.ONE)) {
            numerator = numerator.divide(divisor);
            denominator = denominator.divide(divisor);
        }
    }

    public static Fraction of(long numerator, long denominator) {
        return new Fraction(BigInteger.valueOf(numerator), BigInteger.valueOf(denominator));
    }

    public Fraction plus(Fraction other) {
        return new Fraction(
                numerator.multiply(other.denominator).add(other.numerator.multiply(denominator)),
                denominator.multiply(other.denominator));
    }

    public Fraction times(Fraction other) {
        if (equals(ONE)) {
            return other;
        }
        return other.equals(ONE)
                ? this
                : new Fraction(
                        numerator.multiply(other.numerator),
                        denominator.multiply(other.denominator));
    }

    /// What is missing to 1.
    public Fraction complement() {
        return new Fraction(denominator.subtract(numerator), denominator);
    }

    public boolean isZero() {
        return numerator.signum() == 0;
    }

    @Override
    public int compareTo(Fraction other) {
        return numerator
                .multiply(other.denominator)
                .compareTo(other.numerator.multiply(denominator));
    }

    @Override
    public String toString() {
        return denominator.equals(BigInteger.ONE)
                ? numerator.toString()
                : numerator + "/" + denominator;
    }
}
