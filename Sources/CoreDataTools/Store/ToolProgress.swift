import CommandSupport

/// How far something is that takes a while.
public struct ToolProgress: Sendable, Equatable, CustomStringConvertible {
  /// What is being done.
  public var text: String
  /// How many parts are done, or which part is being done, counted from 1.
  public var done: Int
  /// How many parts there are; nil where that is not known.
  public var total: Int?
  /// What the parts are, such as `pages` and `%`; nil where the text says it.
  public var unit: String?

  /// A state of something.
  public init(_ text: String, _ done: Int = 0, of total: Int? = nil, unit: String? = nil) {
    (self.text, self.done, self.total, self.unit) = (text, done, total, unit)
  }

  /// Between 0 and 1; nil where it is not known.
  public var fraction: Double? {
    guard let total, total > 0 else { return nil }
    return min(max(Double(done) / Double(total), 0), 1)
  }

  /// In words: `Checking Person: 3 of 10`.
  public var description: String {
    let unit = unit.map { " " + $0 } ?? ""
    if let total { return self.unit == "%" ? "\(text): \(done) %" : "\(text): \(done) of \(total)\(unit)" }
    return done > 0 ? "\(text): \(FigureText.grouped(done))\(unit)" : text
  }
}
