import CRuntime
import Foundation

/// A call of the evaluator to a method that cannot throw: `value(forKey:)` of a class that may override it, or `evaluate(with:)`
/// of a subclass.
///
/// The framework's own implementation of such a method stops the program at an error. During a call of the evaluator to the same
/// object it stores the error here instead, and the evaluator throws it. An application's override of the method is not affected.
package struct EvaluatorQuestion {
  private let object: ObjectIdentifier
  private var failure: (any Error)?

  /// Runs `body`, which calls a method of an object on this thread.
  ///
  /// - Throws: The error that the framework's implementation would otherwise have stopped the program for.
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

  /// Stores an error for the evaluator, if the evaluator has called the object.
  ///
  /// - Returns: False if the evaluator has not called the object. Then the caller must stop the program.
  private static func answer(_ error: any Error, for object: AnyObject) -> Bool {
    guard let question = runtime_evaluation_question().pointee?.assumingMemoryBound(to: EvaluatorQuestion.self),
      question.pointee.object == ObjectIdentifier(object)
    else { return false }
    if question.pointee.failure == nil { question.pointee.failure = error }
    return true
  }

  /// Returns the result of `body`. If `body` throws and the evaluator has called the object, stores the error for the evaluator
  /// and returns `value`; else an error stops the program.
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
