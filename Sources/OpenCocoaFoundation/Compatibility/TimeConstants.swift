// C macros of Apple's systems, which are not in a module on Linux. They give way to a client's own constants of the same
// names, also to those of another module.

/// The nanoseconds of a second, as in `try await Task.sleep(nanoseconds: 2 * NSEC_PER_SEC)`.
@_disfavoredOverload @inlinable public var NSEC_PER_SEC: UInt64 { 1_000_000_000 }

/// The nanoseconds of a millisecond.
@_disfavoredOverload @inlinable public var NSEC_PER_MSEC: UInt64 { 1_000_000 }

/// The nanoseconds of a microsecond.
@_disfavoredOverload @inlinable public var NSEC_PER_USEC: UInt64 { 1000 }

/// The microseconds of a second.
@_disfavoredOverload @inlinable public var USEC_PER_SEC: UInt64 { 1_000_000 }

/// The milliseconds of a second.
@_disfavoredOverload @inlinable public var MSEC_PER_SEC: UInt64 { 1000 }
