import CoreData
import Foundation
@testable import OpenCocoaFoundation

import class OpenCocoaFoundation.NSExpression

/// Formats of predicates and expressions: what is parsed can be printed, parsed again, archived, and evaluated or refused.
enum PredicateTarget {
  /// Values of each kind that an attribute or a key may have.
  nonisolated(unsafe) private static let objects: [Any?] = [
    nil, "text", 7, -0.5, Date(timeIntervalSinceReferenceDate: 0), Data([1, 2]), NSNull(), [1, 2, 3], Set(["a", "b"]),
    [
      "name": "Ann", "age": 42, "x": 1.5, "a": ["b": ["c": 1]], "list": [["n": 1], ["n": 2]], "born": Date.distantPast,
    ] as [String: Any],
  ]

  /// A pattern may ask for more steps than there is time: that is an answer, too.
  private static let limit = EvaluationLimit(patternSteps: 1_000_000)

  static func run(_ data: Data) {
    guard let text = String(validating: data, as: UTF8.self) else { return }
    if let predicate = try? NSPredicate(parsing: text) {
      let printed = predicate.predicateFormat
      guard let again = try? NSPredicate(parsing: printed) else {
        fatalError("A printed predicate is none: \(printed)")
      }
      if again.predicateFormat != printed { fatalError("\(printed) is printed as \(again.predicateFormat)") }
      check(predicate, printed) { $0.predicateFormat }
      EvaluationLimit.run(limit) {
        for object in objects { _ = try? predicate.evaluateChecked(with: object, substitutionVariables: ["v": 1]) }
      }
    }
    if let expression = try? NSExpression(parsing: text) {
      let printed = expression.description
      _ = try? NSExpression(parsing: printed)
      check(expression, printed) { $0.description }
      EvaluationLimit.run(limit) { for object in objects { _ = try? expression.checkedValue(with: object) } }
    }
  }

  private static func check<T: NSObject & NSSecureCoding>(_ object: T, _ printed: String, _ print: (T) -> String) {
    guard let archive = try? NSKeyedArchiver.archivedData(withRootObject: object, requiringSecureCoding: true) else {
      return
    }
    do {
      guard let decoded = try SecureUnarchiver.object(in: archive, of: [T.self]) as? T else {
        fatalError("No \(T.self) was archived: \(printed)")
      }
      if print(decoded) != printed { fatalError("\(printed) is decoded as \(print(decoded))") }
    } catch {
      fatalError("An archived \(T.self) is refused: \(printed), \(error)")
    }
  }
}
