import CRuntime

/// The functions that the calling thread is in, as return addresses, innermost first.
///
/// The stack is found by frame pointers, which the package manager keeps on Linux. This takes some ten nanoseconds, while
/// unwinding by tables takes microseconds. A function that was built without frame pointers hides its caller or ends the
/// stack. Of asynchronous functions, only the one that runs is found, not the functions that await it.
struct CallStack: ~Copyable {
  /// The greatest number of addresses; deeper stacks are cut off at the outer end.
  static let limit = 96

  /// Calls `body` with the addresses and a hash of them.
  @inline(__always)
  static func withCurrent<Result>(_ body: (UnsafeBufferPointer<UInt>, _ hash: UInt) -> Result) -> Result {
    withUnsafeTemporaryAllocation(of: UInt.self, capacity: limit) { frames in
      var hash: UInt64 = 0
      // The allocation is not empty, so that it has an address.
      let count = runtime_call_stack(frames.baseAddress.unsafelyUnwrapped, Int32(limit), &hash)
      return body(UnsafeBufferPointer(rebasing: frames[..<Int(count)]), UInt(hash))
    }
  }
}
