import Foundation

/// Collects the error of a transformer that returned nil, because its methods cannot throw.
package final class TransformationFailure: @unchecked Sendable {  // used by the one thread that made it
  @TaskLocal private static var current: TransformationFailure?
  private var error: (any Error)?

  /// Runs a transformation, and returns its result and the first error that a transformer of this module met, also one that a
  /// subclass called with `super`.
  package static func observing(_ transform: () -> Any?) -> (value: Any?, error: (any Error)?) {
    let failure = TransformationFailure()
    let value = $current.withValue(failure, operation: transform)
    return (value, failure.error)
  }

  /// Notes an error. Returns false if the call is not within `observing(_:)`.
  @discardableResult
  static func note(_ error: any Error) -> Bool {
    guard let current else { return false }
    if current.error == nil { current.error = error }
    return true
  }
}

extension ValueTransformer {
  /// Whether `transformedValue(_:)` makes an object of data and `reverseTransformedValue(_:)` data of an object. Stores use other
  /// transformers in the opposite direction.
  package var makesObjectsOfData: Bool {
    self is NSSecureUnarchiveFromDataTransformer || self is KeyedUnarchiveTransformer
  }
}

/// Decodes objects of any class that supports secure coding. Attributes without a transformer of their own use this one.
package final class AnySecureTransformer: NSSecureUnarchiveFromDataTransformer {
  package override class var allowedTopLevelClasses: [AnyClass] { [NSObject.self] }
}
