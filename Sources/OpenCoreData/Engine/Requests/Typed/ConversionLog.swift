import Foundation
import OpenCocoaFoundation
import Synchronization

/// Writes the errors of typed predicates to the log, each text once: many programs write `try?`, and would see an empty list
/// without a reason.
enum ConversionLog {
  private static let told = Mutex<Set<String>>([])
  /// A program that makes its errors of values would fill the memory otherwise.
  private static let limit = 100

  static func noting<Value>(_ type: Any.Type, _ body: () throws -> Value) rethrows -> Value {
    do { return try body() } catch let error as OCDConversionError {
      let text = "\(error)"
      if told.withLock({ $0.count < limit && $0.insert(text).inserted }) {
        FrameworkLog.write("error: a typed predicate or sort descriptor for \(type) was refused: \(text)")
      }
      throw error
    }
  }
}
