import CommandSupport
import CoreDataTools

extension ExplainReport {
  /// The report as text for people.
  var text: String {
    let values = bindings.enumerated().map { "?\($0.offset + 1) = \($0.element)" }
    var index = "Index: "
    index +=
      indexes.isEmpty ? (isByKey ? "rows are found by their keys" : "none is used") : indexes.joined(separator: ", ")
    index += "; \(advice)"
    var lines = [sql] + values + ["", "Plan:"] + steps.map { "  " + $0 } + ["", index]
    if let rows {
      lines.append(
        "Rows: looks at about \(FigureText.grouped(rows.examined)) of \(FigureText.grouped(rows.total)), "
          + "finds \(FigureText.grouped(rows.found))")
    }
    return lines.joined(separator: "\n")
  }

  private var isByKey: Bool { !plan.isEmpty && plan.allSatisfy { $0.contains("USING INTEGER PRIMARY KEY") } }
}
