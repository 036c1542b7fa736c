import Testing

#if canImport(XCTest)
  import XCTest
#endif

/// The place in a test to which a failure is attributed.
struct SourcePlace {
  let fileID: StaticString
  let filePath: StaticString
  let line: UInt
  let column: UInt

  init(_ fileID: StaticString, _ filePath: StaticString, _ line: UInt, _ column: UInt) {
    (self.fileID, self.filePath, self.line, self.column) = (fileID, filePath, line, column)
  }
}

/// Reports a failure of the test that runs, to the test library that runs it.
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

  /// Whether a test of XCTest runs: no test of Swift Testing is current, and the process is not one for Swift Testing.
  /// The package manager runs the tests of each library in a process of their own.
  private static var isXCTest: Bool {
    if Test.current != nil { return false }
    let arguments = CommandLine.arguments
    guard let library = arguments.firstIndex(of: "--testing-library"), library + 1 < arguments.count else {
      return true
    }
    return arguments[library + 1] != "swift-testing"
  }
}
