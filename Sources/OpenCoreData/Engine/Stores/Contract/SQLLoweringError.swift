import Foundation
import OpenCocoaFoundation

/// The errors for predicates, sort descriptors and expressions that have no SQL, in the words of Apple's framework.
package enum SQLLoweringError {
  /// NSCoreDataError: Apple's framework raises NSInvalidArgumentException instead.
  package static let code = 134060

  /// Makes the error for something that a store cannot do. The caller throws it, or stops the program where Apple does.
  package static func make(_ reason: String) -> NSError {
    NSError(coreData: code, reason, ["reason": reason])
  }

  /// - Throws: 134060 if the recursion has used up the thread's stack.
  package static func checkStack() throws {
    if !StackRoom.isLeft { throw make(OCDEvaluationError.nestedTooDeeply.reason) }
  }

  package static func toMany(_ keyPath: String) -> NSError { make("to-many key not allowed here: \(keyPath)") }

  package static func predicate(_ predicate: NSPredicate) -> NSError {
    make("Unknown predicate type for predicate: \(PredicatePrinter.text(of: predicate))")
  }

  package static func unsupported(_ part: String, _ what: Any) -> NSError { make("\(part): \(what)") }

  /// Returns what `body` returns. If a predicate or an expression has no value, throws an error with the code.
  ///
  /// - Parameter predicate: the predicate that is evaluated. If it names a secret attribute, the error has no values.
  package static func evaluating<Value>(
    _ predicate: @autoclosure () -> NSPredicate? = nil, _ body: () throws -> Value
  ) throws -> Value {
    do {
      return try body()
    } catch let error as OCDEvaluationError {
      let predicate = predicate()
      let text = "\(error) \(predicate.map(PredicatePrinter.text) ?? "")"
      guard SecretAttributes.areNamed(in: text) else { throw make(error.description) }
      throw make("Unsupported predicate: \(predicate.map(PredicateShape.text) ?? "it names a secret attribute")")
    }
  }
}
