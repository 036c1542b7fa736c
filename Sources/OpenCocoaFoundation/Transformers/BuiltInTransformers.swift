import Foundation

final class NegateBooleanTransformer: ValueTransformer {
  override class func transformedValueClass() -> AnyClass { NSNumber.self }

  override func transformedValue(_ value: Any?) -> Any? {
    let flag = (value as? NSNumber)?.boolValue ?? (value as? NSString)?.boolValue ?? false
    return NSNumber(value: !flag)
  }
}

class IsNilTransformer: ValueTransformer {
  override class func transformedValueClass() -> AnyClass { NSNumber.self }

  override class func allowsReverseTransformation() -> Bool { false }

  override func transformedValue(_ value: Any?) -> Any? { NSNumber(value: value == nil) }
}

final class IsNotNilTransformer: IsNilTransformer {
  override func transformedValue(_ value: Any?) -> Any? { NSNumber(value: value != nil) }
}

/// Decodes objects of any class from keyed archives.
final class KeyedUnarchiveTransformer: ValueTransformer {
  override func transformedValue(_ value: Any?) -> Any? {
    guard let data = value as? Data else { return nil }
    do {
      return try SecureUnarchiver.object(in: data, of: nil)
    } catch {
      TransformationFailure.note(error)
      return nil
    }
  }

  override func reverseTransformedValue(_ value: Any?) -> Any? {
    guard let value else { return nil }
    do {
      return try KeyedArchiveWriter.archive(value, requiringSecureCoding: false)
    } catch {
      if TransformationFailure.note(error) { return nil }
      raise(.invalidArgument, "\(error)")
    }
  }
}
