import CommandSupport

/// A figure of a measure by which runs are compared.
enum RunFigure: String, CaseIterable, Sendable {
  case time, statements, rows, faults, memory

  var title: String {
    switch self {
    case .time: "Time"
    case .statements: "Statements"
    case .rows: "Rows read"
    case .faults: "Faults fired"
    case .memory: "Memory, at most"
    }
  }

  func value(_ measure: RunRecord.Measure) -> Double? {
    switch self {
    case .time: measure.seconds
    case .statements: measure.statements.map(Double.init)
    case .rows: measure.rows.map(Double.init)
    case .faults: measure.faults.map(Double.init)
    case .memory: measure.bytes.map(Double.init)
    }
  }

  func text(_ value: Double) -> String {
    switch self {
    case .time: FigureText.duration(value)
    case .memory: FigureText.bytes(Int(value))
    default: FigureText.grouped(Int(value))
    }
  }
}
