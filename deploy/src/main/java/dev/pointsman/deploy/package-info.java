/// Tests of what is installed: the image on a container engine. How it is built, manifests and
/// examples live beside this module as files.
@NullMarked
package dev.pointsman.deploy;

import org.jspecify.annotations.NullMarked;
