/// Will hold what builds and tests the distribution: image tests on a container engine and the
/// switch-over of a real cluster. Manifests, chart and examples live beside this module as files.
@NullMarked
package dev.pointsman.deploy;

import org.jspecify.annotations.NullMarked;
