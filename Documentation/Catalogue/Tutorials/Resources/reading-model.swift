// The classes are made by the build plugin.
