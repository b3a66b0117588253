package dev.pointsman.kube;

/// Where an object was read.
///
/// @param source a file, `stdin` or the address of an API server
/// @param line 0 where lines mean nothing
record Origin(String source, int line) {
    @Override
    public String toString() {
        return line == 0 ? source : source + ":" + line;
    }
}
