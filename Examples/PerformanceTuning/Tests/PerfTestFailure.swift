/// Something that a test expected and did not find.
struct PerfTestFailure: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }
}

/// Stops a test whose answer is wrong.
func expect(_ condition: Bool, _ message: @autoclosure () -> String) throws {
  if !condition { throw PerfTestFailure(message()) }
}
