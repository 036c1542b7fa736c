/// A problem in a model or a source file, at a place in it, printed in the format of compilers.
package struct SourceProblem: Error, Equatable, CustomStringConvertible {
  package var path: String
  /// The line, from 1; 0 if only the file is known.
  package var line = 0
  package var column = 0
  package var message: String
  /// Whether the build may continue.
  package var isWarning = false

  package var description: String {
    let place = line > 0 ? ":\(line):\(max(column, 1))" : ""
    return "\(path)\(place): \(isWarning ? "warning" : "error"): \(message)"
  }
}

/// All problems of a model or a source file.
package struct SourceProblems: Error {
  package var list: [SourceProblem]
}
