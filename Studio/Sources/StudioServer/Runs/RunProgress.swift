import Foundation

/// The progress that a test program reports, line by line on standard error:
/// `Loading people: 50 of 500`, `Running SingleFault (3 of 10)`, or a title in one line and bars in the following ones.
struct RunProgress {
  private var begun = "Running"

  /// - Returns: the progress to show; the total is 0 if the line is only a title.
  mutating func read(_ line: String) -> (text: String, done: Int, total: Int) {
    guard let match = line.firstMatch(of: /(\d+) of (\d+)\)?$/), let done = Int(match.1), let total = Int(match.2)
    else {
      begun = String(line.prefix(200))
      return (begun, 0, 0)
    }
    if line.hasPrefix("[") { return (begun, done, total) }
    begun = String(line[..<match.range.lowerBound].prefix(200)).trimmingCharacters(
      in: CharacterSet(charactersIn: ":( "))
    return (begun, done, total)
  }
}
