package dev.pointsman.config;

/// Which mode counts besides the one that a configuration names.
///
/// @param asked goes before it; empty for none
/// @param unnamed where neither is there
public record ModeChoice(String asked, String unnamed) {
    /// The configuration's own, or Pointsman's default.
    public static final ModeChoice OPEN = new ModeChoice("", ProxyConfiguration.DEFAULT_MODE);
}
