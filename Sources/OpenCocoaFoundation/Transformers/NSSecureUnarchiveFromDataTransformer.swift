import Foundation

/// Decodes objects from keyed archives, and archives objects. The objects must be of allowed classes that support secure coding.
///
/// The result is nil for data that is no such archive, is damaged, contains itself or holds other classes.
///
/// Differs from Apple (D-ARC-09): a decimal number cannot be in a set, be a key, or be archived beside objects of a
/// program's classes.
open class NSSecureUnarchiveFromDataTransformer: ValueTransformer {
  private static let standardClasses: [AnyClass] = [
    NSArray.self, NSDictionary.self, NSSet.self, NSString.self, NSNumber.self, NSDate.self, NSData.self, NSURL.self,
    NSUUID.self, NSNull.self,
  ]

  /// The classes that an archive may hold: the class of `transformedValueClass()` if a subclass overrides that, or else array,
  /// dictionary, set, string, number, date, data, URL, UUID and null. Subclasses may allow others.
  open class var allowedTopLevelClasses: [AnyClass] {
    let type: AnyClass = transformedValueClass()
    return type == NSObject.self ? standardClasses : [type]
  }

  /// Decodes the object of an archive; returns nil if the data is no archive, or holds an object of a class that is not allowed.
  open override func transformedValue(_ value: Any?) -> Any? {
    guard let data = value as? Data else { return nil }
    do {
      return try object(in: data)
    } catch {
      TransformationFailure.note(error)
      return nil
    }
  }

  /// Archives an object; returns nil for nil.
  ///
  /// Stops the program if the object has a class that is not allowed, as Apple's transformer does.
  open override func reverseTransformedValue(_ value: Any?) -> Any? {
    guard let value else { return nil }
    do {
      return try data(of: value)
    } catch {
      if TransformationFailure.note(error) { return nil }
      raise(.invalidArgument, (error as NSError).userInfo[NSDebugDescriptionErrorKey] as? String ?? "\(error)")
    }
  }

  /// Decodes the object of an archive.
  /// - Throws: `CocoaError.coderReadCorrupt`, which says what is wrong with the archive.
  package func object(in data: Data) throws -> Any? {
    try SecureUnarchiver.object(in: data, of: Self.allowedTopLevelClasses)
  }

  /// Archives an object.
  /// - Throws: `CocoaError.coderInvalidValue` if the object has a class that is not allowed.
  package func data(of object: Any) throws -> Data {
    let classes = Self.allowedTopLevelClasses
    let type: AnyClass = Swift.type(of: object as AnyObject)
    let isAllowed = classes.contains { allowed in
      (Self.foundationClass(of: object) ?? type as? NSObject.Type)?.isSubclass(of: allowed) == true
    }
    guard isAllowed else {
      let reason =
        "Object of class \(Self.foundationClass(of: object) ?? type) is not among allowed top level class list \(classes)"
      throw CocoaError(.coderInvalidValue, userInfo: [NSDebugDescriptionErrorKey: reason])
    }
    return try KeyedArchiveWriter.archive(object, requiringSecureCoding: true)
  }

  /// Returns the class of a Foundation object, or the Foundation class that a Swift value is bridged to; nil if there is none.
  private static func foundationClass(of object: Any) -> NSObject.Type? {
    switch object {
    case let object as NSObject: Swift.type(of: object)
    case is String: NSString.self
    case is Date: NSDate.self
    case is Data: NSData.self
    case is URL: NSURL.self
    case is UUID: NSUUID.self
    case is [Any]: NSArray.self
    case is [AnyHashable: Any]: NSDictionary.self
    case is Set<AnyHashable>: NSSet.self
    default: object is any Numeric || object is Bool ? NSNumber.self : nil
    }
  }
}
