import CoreData

extension Check {
  static let modeOnce = Check(
    "D-PRE-23", "mode: gives each of the most frequent values once",
    expected: "1, 2"
  ) {
    let expression = NSExpression(format: "mode:({1, 1, 2, 2, 3})")
    let values = expression.expressionValue(with: nil, context: nil) as? [NSNumber] ?? []
    return values.map(\.intValue).sorted().map(String.init).joined(separator: ", ")
  }
}
