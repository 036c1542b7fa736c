/// Calls a function and returns its result.
///
/// On Apple's systems, objects that Objective-C code has returned are released at the end. On other systems Swift only counts
/// references, and releases an object with its last reference, so there is nothing to do here.
/// - Throws: the error of `body`.
@inlinable
public func autoreleasepool<Failure: Error, Result: ~Copyable>(
  invoking body: () throws(Failure) -> Result
) throws(Failure) -> Result {
  try body()
}
