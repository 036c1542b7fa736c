import Foundation
import Testing
import ToolProcess

extension Tool {
  /// The tests in the output, by name.
  func tests() throws -> [String: [String: Any]] {
    let tests = try #require(json()["tests"] as? [[String: Any]], "\(errors)\(output)")
    return Dictionary(uniqueKeysWithValues: tests.compactMap { test in (test["name"] as? String).map { ($0, test) } })
  }

  /// A count of one test.
  func count(_ key: String, of test: String) throws -> Int {
    try #require(tests()[test]?[key] as? NSNumber).intValue
  }
}
