import CoreData
import Foundation
@testable import OpenCocoaFoundation

import class OpenCocoaFoundation.NSExpression

/// Formats of predicates and expressions: what is parsed can be printed, parsed again, and archived.
enum PredicateTarget {
  static func run(_ data: Data) {
    guard let text = String(validating: data, as: UTF8.self) else { return }
    if let predicate = try? NSPredicate(parsing: text) {
      let printed = predicate.predicateFormat
      guard let again = try? NSPredicate(parsing: printed) else {
        fatalError("A printed predicate is none: \(printed)")
      }
      if again.predicateFormat != printed { fatalError("\(printed) is printed as \(again.predicateFormat)") }
      check(predicate, printed) { $0.predicateFormat }
    }
    if let expression = try? NSExpression(parsing: text) {
      let printed = expression.description
      _ = try? NSExpression(parsing: printed)
      check(expression, printed) { $0.description }
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
