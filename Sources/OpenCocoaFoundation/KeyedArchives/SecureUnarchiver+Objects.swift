import Foundation

extension SecureUnarchiver {
  /// Makes an object of the given class. Its fields are those of the last frame.
  func make(_ type: AnyClass, _ archived: ArchivedObject) throws -> Any {
    switch type {
    case is NSArray.Type: return try container(type, elements())
    case is NSSet.Type: return try container(type, hashed(elements()))
    case is NSOrderedSet.Type: return try container(type, hashed(elements()))
    case is NSDictionary.Type:
      let keys = try hashed(elements("NS.keys"))
      let values = try elements()
      guard keys.count == values.count else { throw Self.error("A dictionary has keys without values.") }
      let result = NSMutableDictionary()
      for (key, value) in zip(keys, values) {
        guard let key = key as? NSObject else { throw Self.error("A dictionary has a key that is no object.") }
        result.setObject(value, forKey: key)
      }
      return type is NSMutableDictionary.Type ? result : result.copy()
    case is NSNull.Type: return NSNull()
    case is NSIndexPath.Type: return try indexPath()
    case is NSIndexSet.Type: return try indexSet(isMutable: type is NSMutableIndexSet.Type)
    case is NSString.Type, is NSData.Type, is NSDate.Type, is NSUUID.Type, is NSURL.Type, is NSDecimalNumber.Type:
      return try value(type, archived)
    default: return try custom(type)
    }
  }

  private func value(_ type: AnyClass, _ archived: ArchivedObject) throws -> Any {
    switch (archive.value(.uid(archived.uid)), type) {
    case (let text as String, is NSMutableString.Type): return NSMutableString(string: text)
    case (let text as String, is NSString.Type): return NSString(string: text)
    case (let data as Data, is NSMutableData.Type): return NSMutableData(data: data)
    case (let data as Data, is NSData.Type): return NSData(data: data)
    case (let date as Date, is NSDate.Type): return date as NSDate
    case (let uuid as UUID, is NSUUID.Type): return uuid as NSUUID
    case (is URL, is NSURL.Type):
      let base = archived.object("NS.base")?.string("NS.relative").flatMap(URL.init(string:))
      guard let url = archived.string("NS.relative").flatMap({ NSURL(string: $0, relativeTo: base) }) else {
        throw Self.error("A \(type) is damaged.")
      }
      return url
    case (let number as NSDecimalNumber, is NSDecimalNumber.Type): return number
    default: throw Self.error("A \(type) is damaged.")
    }
  }

  private func container(_ type: AnyClass, _ elements: [Any]) -> Any {
    switch type {
    case is NSMutableArray.Type: NSMutableArray(array: elements)
    case is NSArray.Type: NSArray(array: elements)
    case is NSMutableSet.Type: NSMutableSet(array: elements)
    case is NSSet.Type: NSSet(array: elements)
    case is NSMutableOrderedSet.Type: NSMutableOrderedSet(array: elements)
    default: NSOrderedSet(array: elements)
    }
  }

  /// Decodes the elements of a collection, which an archive has in one list or each in a field of its own.
  private func elements(_ key: String = "NS.objects") throws -> [Any] {
    guard let frame = frames.last else { return [] }
    let fields = frame.object.fields
    var list = fields[key]?.arrayValue ?? []
    if fields[key] == nil {
      let prefix = key == "NS.keys" ? "NS.key." : "NS.object."
      while let field = fields["\(prefix)\(list.count)"] { list.append(field) }
    }
    return try list.map { field in
      guard let element = try object(field, frame.allowed) else { throw Self.error("A collection has a null in it.") }
      return element
    }
  }

  /// Returns the elements. Throws an error if one of them is a decimal number or a collection: in a set or as a key it would
  /// stop the program sooner or later.
  private func hashed(_ elements: [Any]) throws -> [Any] {
    if let element = elements.first(where: KeyedArchiveWriter.cannotBeInSet) {
      throw Self.error("A \(Swift.type(of: element)) cannot be in a set or a key.")
    }
    return elements
  }

  private func custom(_ type: AnyClass) throws -> Any {
    guard let coding = type as? (NSObject & NSCoding).Type, Self.copes(type) else {
      throw Self.error("Class \(type) cannot be decoded.")
    }
    if requiresSecureCoding, (type as? any NSSecureCoding.Type)?.supportsSecureCoding != true {
      throw Self.error("Class \(type) does not support secure coding.")
    }
    guard let object = coding.init(coder: self) else { throw problem ?? Self.error("A \(type) is damaged.") }
    return object
  }

  /// Whether the initialiser of a class can decode a damaged archive. Many initialisers of Foundation stop the program instead.
  private static func copes(_ type: AnyClass) -> Bool {
    !String(reflecting: type).hasPrefix("Foundation.") || foundationClasses.contains { $0 == type }
  }

  private static let foundationClasses: [AnyClass] = [
    NSAttributedString.self, NSMutableAttributedString.self, NSLocale.self, NSTimeZone.self, NSDateComponents.self,
    // This module has the initialisers of these two classes.
    NSPredicate.self, NSSortDescriptor.self,
  ]
}
