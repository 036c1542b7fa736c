import CRuntime
import Foundation

/// A call of the evaluator to a method that cannot throw: `value(forKey:)` of a class that may override it, `evaluate(with:)`
/// of a subclass.
///
/// The framework's own implementation of such a method would stop the program for an error. If the object is the one that the
/// evaluator has called, the implementation leaves the error here instead, and the evaluator throws it. An application's
/// override is not affected.
package struct EvaluatorQuestion {
  private let object: ObjectIdentifier
  private var failure: (any Error)?

  /// Asks an object, on this thread.
  ///
  /// - Throws: What the framework's implementation would have stopped the program for.
  static func ask<Value>(_ object: AnyObject, _ body: () -> Value) throws -> Value {
    var question = EvaluatorQuestion(object: ObjectIdentifier(object))
    return try withUnsafeMutablePointer(to: &question) { pointer in
      let current = runtime_evaluation_question()
      let outer = current.pointee
      current.pointee = UnsafeMutableRawPointer(pointer)
      defer { current.pointee = outer }
      let value = body()
      if let failure = pointer.pointee.failure { throw failure }
      return value
    }
  }

  /// Leaves an error for the evaluator that has called the object.
  ///
  /// - Returns: False if no evaluator has called it. The program has to stop then.
  private static func answer(_ error: any Error, for object: AnyObject) -> Bool {
    guard let question = runtime_evaluation_question().pointee?.assumingMemoryBound(to: EvaluatorQuestion.self),
      question.pointee.object == ObjectIdentifier(object)
    else { return false }
    if question.pointee.failure == nil { question.pointee.failure = error }
    return true
  }

  /// Gives what `body` gives; an error goes to the evaluator if it has asked the object, and stops the program otherwise.
  package static func answering<Value>(
    _ object: AnyObject, otherwise value: @autoclosure () -> Value, _ body: () throws -> Value
  ) -> Value {
    do {
      return try body()
    } catch {
      guard answer(error, for: object) else { stop(for: error) }
      return value()
    }
  }
}
