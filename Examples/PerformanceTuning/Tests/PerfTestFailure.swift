/// Something that a test expected and did not find.
struct PerfTestFailure: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }
}

/// Throws an error that ends the test if a condition is false.
func expect(_ condition: Bool, _ message: @autoclosure () -> String) throws {
  if !condition { throw PerfTestFailure(message()) }
}
