import CoreData
import CoreDataTools
import Foundation

/// An object that another program has saved after this session has read it: both versions, and their common ancestor.
struct VersionConflict: Sendable {
  struct Property: Sendable {
    let property: String
    /// The name of the property's radio buttons.
    let pick: String
    let wasText: String
    let mineText: String
    let theirText: String
    let isMineChanged: Bool
    let isTheirsChanged: Bool
    /// Whether both versions changed the property to different values, so that the user has to choose.
    let isContested: Bool
  }

  let reference: EditReference
  let conflictName: String
  let conflictTitle: String
  let conflictLink: String
  /// The version of the row that was shown; 0 if the row was deleted.
  let version: Int
  let isDeletedByThem: Bool
  let isDeletedHere: Bool
  let isChanged: Bool
  let properties: [Property]

  /// - Parameter conflict: A conflict of an object whose queue runs this call.
  init(_ conflict: NSMergeConflict, _ reference: EditReference, store: String) {
    let object = conflict.sourceObject
    self.reference = reference
    conflictName = reference.description
    conflictTitle = ObjectTitle.text(of: object) ?? ""
    conflictLink = EditLink.object(store, reference.description)
    version = conflict.newVersionNumber
    isDeletedHere = object.isDeleted
    isDeletedByThem = conflict.newVersionNumber == 0
    isChanged = !isDeletedHere && !isDeletedByThem
    let (was, theirs) = (conflict.objectSnapshot ?? [:], Self.theirs(conflict))
    let isHere = !isDeletedHere
    properties = was.keys.sorted().compactMap { name in
      guard let property = object.entity.propertiesByName[name], !(property is NSDerivedAttributeDescription) else {
        return nil
      }
      let old = was[name]
      let mine = isHere ? Self.mine(object, name) : old
      let their = theirs.map { $0[name] } ?? old
      let (isMine, isTheirs) = (!Self.same(mine, old), !Self.same(their, old))
      guard isMine || isTheirs else { return nil }
      func text(_ value: Any?) -> String { FieldText.shown(value, property) { _ in "" } ?? "no value" }
      return Property(
        property: name, pick: "pick:\(reference):\(name)", wasText: text(old), mineText: text(mine),
        theirText: text(their),
        isMineChanged: isMine, isTheirsChanged: isTheirs, isContested: isMine && isTheirs && !Self.same(mine, their))
    }
  }

  /// Returns the present row in the store; nil if the row was deleted.
  static func theirs(_ conflict: NSMergeConflict) -> [String: Any]? {
    conflict.newVersionNumber == 0 ? nil : conflict.persistedSnapshot ?? conflict.cachedSnapshot
  }

  /// Returns a value in the form of snapshots: an object ID stands for an object.
  static func mine(_ object: NSManagedObject, _ name: String) -> Any? {
    let value = object.value(forKey: name)
    return (value as? NSManagedObject)?.objectID ?? value
  }

  static func same(_ one: Any?, _ other: Any?) -> Bool {
    let (one, other) = (one is NSNull ? nil : one, other is NSNull ? nil : other)
    switch (one, other) {
    case (nil, nil): return true
    case (nil, _), (_, nil): return false
    case (let one as NSObject, let other as NSObject): return one.isEqual(other)
    case (let one as AnyHashable, let other as AnyHashable): return one == other
    default: return "\(one ?? "")" == "\(other ?? "")"
    }
  }
}
