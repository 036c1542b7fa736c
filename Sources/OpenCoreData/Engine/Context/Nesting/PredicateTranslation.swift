import Foundation
import OpenCocoaFoundation

/// A predicate whose constants are objects of one context, which other contexts evaluate with their own objects.
struct PredicateTranslation {
  private let original: NSPredicate
  private let namesObjects: Bool

  init(_ predicate: NSPredicate) {
    original = predicate
    namesObjects = predicate.containsConstant(Self.holdsObject)
  }

  /// The predicate with the objects of `context` in place of those that it names.
  func predicate(for context: NSManagedObjectContext) -> NSPredicate {
    namesObjects ? original.replacingConstants { Self.translate($0, context) } : original
  }

  private static func holdsObject(_ value: Any?) -> Bool {
    switch value {
    case is NSManagedObject: true
    case let array as [Any]: array.contains(where: holdsObject)
    case let array as NSArray: array.contains(where: holdsObject)
    case let set as Set<AnyHashable>: set.contains { holdsObject($0.base) }
    case let set as NSSet: set.contains(where: holdsObject)
    case let set as NSOrderedSet: set.contains(where: holdsObject)
    default: false
    }
  }

  private static func translate(_ value: Any?, _ context: NSManagedObjectContext) -> Any? {
    guard holdsObject(value) else { return value }
    switch value {
    case let object as NSManagedObject: return own(object, in: context)
    case let array as [Any]: return array.map { translate($0, context) ?? NSNull() }
    case let array as NSArray: return array.map { translate($0, context) ?? NSNull() }
    case let set as Set<AnyHashable>: return set.map { translate($0.base, context) ?? NSNull() }
    case let set as NSSet: return NSSet(array: set.map { translate($0, context) ?? NSNull() })
    case let set as NSOrderedSet: return set.map { translate($0, context) ?? NSNull() }
    default: return value
    }
  }

  /// The object of `context` that stands for an object of a context below.
  private static func own(_ object: NSManagedObject, in context: NSManagedObjectContext) -> NSManagedObject {
    guard let other = object.table?.context, other !== context else { return object }
    return context.objects.faultObject(key: object.key, layout: object.layout, store: object.table?.store)
  }
}
