import CRuntime
import Foundation

/// What the evaluator asks an object by a method that cannot throw: `value(forKey:)` of a class that may override it,
/// `evaluate(with:)` of a subclass.
///
/// Whether the answer will be the stop that the framework's own implementation ends in shows only there. That one leaves
/// its error here instead, if the object is the one that was asked, and the evaluator throws it. What a user's override
/// does stays the user's.
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

  /// Leaves an error for whoever has asked the object.
  ///
  /// - Returns: False if nobody has: then the program is to stop.
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
