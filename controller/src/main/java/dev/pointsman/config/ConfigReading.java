package dev.pointsman.config;

import java.util.List;

/// What came of reading a configuration.
public sealed interface ConfigReading {
    /// It can be used.
    ///
    /// @param warnings one line each
    record Read(ProxyConfiguration configuration, Effective effective, List<String> warnings)
            implements ConfigReading {
        public Read {
            warnings = List.copyOf(warnings);
        }
    }

    /// It cannot be used.
    ///
    /// @param problems all of them, one line each, with place, field and value
    record Invalid(List<String> problems) implements ConfigReading {
        public Invalid {
            problems = List.copyOf(problems);
        }
    }
}
