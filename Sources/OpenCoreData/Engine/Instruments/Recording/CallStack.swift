import CRuntime

/// The functions that the calling thread is in, as return addresses, innermost first.
///
/// They are found by frame pointers, which the package manager keeps on Linux. That takes about ten nanoseconds; unwinding by
/// tables would take microseconds. A function that was built without frame pointers hides its caller or ends the stack. Of
/// asynchronous functions only the running one is found, not the one that awaits it.
struct CallStack: ~Copyable {
  /// Deeper ones are cut off at the outer end.
  static let limit = 96

  /// Calls `body` with the addresses and a hash of them.
  @inline(__always)
  static func withCurrent<Result>(_ body: (UnsafeBufferPointer<UInt>, _ hash: UInt) -> Result) -> Result {
    withUnsafeTemporaryAllocation(of: UInt.self, capacity: limit) { frames in
      var hash: UInt64 = 0
      // The allocation has room for elements, so that it has an address.
      let count = runtime_call_stack(frames.baseAddress.unsafelyUnwrapped, Int32(limit), &hash)
      return body(UnsafeBufferPointer(rebasing: frames[..<Int(count)]), UInt(hash))
    }
  }
}
