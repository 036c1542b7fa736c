import CoreDataTools

extension StoreVerifyReport {
  /// The report as text for people.
  var text: String {
    if problems.isEmpty { return "\(file): ok" }
    var lines = problems.map { problem in
      "\(problem.severity): \(problem.place): \(problem.text)"
        + (problem.count > 1 || !problem.examples.isEmpty ? " (\(problem.count): \(examples(problem)))" : "")
    }
    lines.append(
      "\(file): \(errors) \(errors == 1 ? "error" : "errors"), \(warnings) \(warnings == 1 ? "warning" : "warnings")")
    return lines.joined(separator: "\n")
  }

  private func examples(_ problem: Problem) -> String {
    problem.examples.joined(separator: ", ") + (problem.count > problem.examples.count ? ", ..." : "")
  }
}
