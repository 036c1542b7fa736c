import Testing

#if canImport(XCTest)
  import XCTest
#endif

/// The place in a test where a value is expected.
struct SourcePlace {
  let fileID: StaticString
  let filePath: StaticString
  let line: UInt
  let column: UInt

  init(_ fileID: StaticString, _ filePath: StaticString, _ line: UInt, _ column: UInt) {
    (self.fileID, self.filePath, self.line, self.column) = (fileID, filePath, line, column)
  }
}

/// Fails the running test, which may be one of XCTest or of Swift Testing.
enum TestFailure {
  static func report(_ text: String, _ place: SourcePlace) {
    #if canImport(XCTest)
      if isXCTest { return XCTFail(text, file: place.filePath, line: place.line) }
    #endif
    Issue.record(
      Comment(rawValue: text),
      sourceLocation: SourceLocation(
        fileID: "\(place.fileID)", filePath: "\(place.filePath)", line: Int(place.line), column: Int(place.column)))
  }

  /// Whether the running test is one of XCTest. The package manager runs the tests of each library in a process of their own.
  /// Elsewhere, every running test that is not one of Swift Testing is one of XCTest.
  private static var isXCTest: Bool {
    if Test.current != nil { return false }
    let arguments = CommandLine.arguments
    guard let library = arguments.firstIndex(of: "--testing-library"), library + 1 < arguments.count else {
      return true
    }
    return arguments[library + 1] != "swift-testing"
  }
}
