/// Calls a function, and gives what it gives.
///
/// On Apple's systems objects that Objective-C code has handed out are released at the end. Swift on other systems counts
/// references alone, and releases an object with the last of them, so that nothing is left to do here.
/// - Throws: what `body` throws.
@inlinable
public func autoreleasepool<Failure: Error, Result: ~Copyable>(
  invoking body: () throws(Failure) -> Result
) throws(Failure) -> Result {
  try body()
}
