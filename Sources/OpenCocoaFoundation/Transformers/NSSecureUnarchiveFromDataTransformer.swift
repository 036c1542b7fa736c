import Foundation

/// Converts between keyed archives and objects of known classes that support secure coding.
///
/// Data that is not such an archive, is damaged, refers to itself or contains other classes is converted to nil.
///
/// Differs from Apple (D-ARC-09): a decimal number cannot be in a set, be a key, or be archived beside objects of a program's
/// classes.
open class NSSecureUnarchiveFromDataTransformer: ValueTransformer {
  private static let standardClasses: [AnyClass] = [
    NSArray.self, NSDictionary.self, NSSet.self, NSString.self, NSNumber.self, NSDate.self, NSData.self, NSURL.self,
    NSUUID.self, NSNull.self,
  ]

  /// The classes that an archive may hold: that of `transformedValueClass()` if a subclass names one, or else array,
  /// dictionary, set, string, number, date, data, URL, UUID and null. Subclasses may give others.
  open class var allowedTopLevelClasses: [AnyClass] {
    let type: AnyClass = transformedValueClass()
    return type == NSObject.self ? standardClasses : [type]
  }

  /// The object of an archive; nil if the data is none of these classes.
  open override func transformedValue(_ value: Any?) -> Any? {
    guard let data = value as? Data else { return nil }
    do {
      return try object(in: data)
    } catch {
      TransformationFailure.note(error)
      return nil
    }
  }

  /// The archive of an object; nil for nil.
  ///
  /// Stops the program, as Apple's does, if the object is of another class.
  open override func reverseTransformedValue(_ value: Any?) -> Any? {
    guard let value else { return nil }
    do {
      return try data(of: value)
    } catch {
      if TransformationFailure.note(error) { return nil }
      raise(.invalidArgument, (error as NSError).userInfo[NSDebugDescriptionErrorKey] as? String ?? "\(error)")
    }
  }

  /// The object of an archive.
  /// - Throws: `CocoaError.coderReadCorrupt` with the error in the archive.
  package func object(in data: Data) throws -> Any? {
    try SecureUnarchiver.object(in: data, of: Self.allowedTopLevelClasses)
  }

  /// The archive of an object.
  /// - Throws: `CocoaError.coderInvalidValue` if the object is of a class that is not allowed.
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

  /// The class that a value of Swift's is bridged to.
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
