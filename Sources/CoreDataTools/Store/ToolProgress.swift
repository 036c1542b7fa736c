import CommandSupport

/// The progress of work that takes a while.
public struct ToolProgress: Sendable, Equatable, CustomStringConvertible {
  /// The work that is being done.
  public var text: String
  /// The number of parts that are done, or the part that is being done, counted from 1.
  public var done: Int
  /// The number of parts; nil if it is not known.
  public var total: Int?
  /// The unit of the parts, such as `pages` and `%`; nil if the text names it.
  public var unit: String?

  /// Makes a state of some work.
  public init(_ text: String, _ done: Int = 0, of total: Int? = nil, unit: String? = nil) {
    (self.text, self.done, self.total, self.unit) = (text, done, total, unit)
  }

  /// The part that is done, between 0 and 1; nil if the total is not known.
  public var fraction: Double? {
    guard let total, total > 0 else { return nil }
    return min(max(Double(done) / Double(total), 0), 1)
  }

  /// A text such as `Checking Person: 3 of 10`.
  public var description: String {
    let unit = unit.map { " " + $0 } ?? ""
    if let total { return self.unit == "%" ? "\(text): \(done) %" : "\(text): \(done) of \(total)\(unit)" }
    return done > 0 ? "\(text): \(FigureText.grouped(done))\(unit)" : text
  }
}
