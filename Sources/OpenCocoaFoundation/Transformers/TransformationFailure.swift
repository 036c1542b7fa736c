import Foundation

/// Records why a transformer returned nil, because its methods have no way to throw the reason.
package final class TransformationFailure: @unchecked Sendable {  // used by the one thread that made it
  @TaskLocal private static var current: TransformationFailure?
  private var error: (any Error)?

  /// Transforms; the error is what a transformer of this module ran into, even inside of a subclass's method.
  package static func observing(_ transform: () -> Any?) -> (value: Any?, error: (any Error)?) {
    let failure = TransformationFailure()
    let value = $current.withValue(failure, operation: transform)
    return (value, failure.error)
  }

  /// Notes an error; returns false if no caller asks for it.
  @discardableResult
  static func note(_ error: any Error) -> Bool {
    guard let current else { return false }
    if current.error == nil { current.error = error }
    return true
  }
}

extension ValueTransformer {
  /// Whether the transformer makes objects from data when it transforms forwards; other transformers of stores do so in
  /// reverse.
  package var makesObjectsOfData: Bool {
    self is NSSecureUnarchiveFromDataTransformer || self is KeyedUnarchiveTransformer
  }
}

/// Makes objects of any class that supports secure coding: what an attribute without a transformer of its own uses.
package final class AnySecureTransformer: NSSecureUnarchiveFromDataTransformer {
  package override class var allowedTopLevelClasses: [AnyClass] { [NSObject.self] }
}
