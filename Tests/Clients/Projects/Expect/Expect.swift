import Foundation

/// Counts what did not come out as a client expects, and says where.
public final class Expectations: @unchecked Sendable {
  public static let shared = Expectations()
  private let lock = NSLock()
  private var failed = 0

  public var failures: Int { lock.withLock { failed } }

  fileprivate func fail(_ text: String) {
    lock.withLock { failed += 1 }
    print(text)
  }
}

/// Notes that a condition does not hold, and goes on.
public func expect(
  _ condition: @autoclosure () throws -> Bool, file: StaticString = #fileID, line: UInt = #line
) {
  do {
    if try !condition() { Expectations.shared.fail("\(file):\(line): not as expected") }
  } catch {
    Expectations.shared.fail("\(file):\(line): \(error)")
  }
}
