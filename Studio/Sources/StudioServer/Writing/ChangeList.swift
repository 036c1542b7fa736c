import CoreData
import CoreDataTools
import Foundation

/// The unsaved changes, by object.
struct ChangeList: Sendable {
  struct Property: Sendable {
    let property: String
    let old: String
    let isOldNone: Bool
    let new: String
    let isNewNone: Bool
    let hasOld: Bool
  }

  struct Entry: Sendable {
    let kind: String
    let badge: String
    let entryName: String
    let entryTitle: String
    let entryLink: String
    let properties: [Property]
    let hasProperties: Bool
    /// The reasons why a save would be refused.
    let refusals: [String]
  }

  /// The maximal number of objects shown.
  private static let limit = 200

  let entries: [Entry]
  let total: Int
  let isCut: Bool

  init(_ context: NSManagedObjectContext, _ session: EditSession) {
    func name(_ object: NSManagedObject) -> String { session.reference(object).description }
    func sorted(_ objects: some Sequence<NSManagedObject>) -> [NSManagedObject] {
      objects.sorted { name($0).localizedStandardCompare(name($1)) == .orderedAscending }
    }
    let changed = context.updatedObjects.filter { !$0.isDeleted && !$0.isInserted && !$0.changedValues().isEmpty }
    let all =
      sorted(context.insertedObjects).map { ($0, "new", "insert") }
      + sorted(changed).map { ($0, "changed", "update") }
      + sorted(context.deletedObjects).map { ($0, "deleted", "delete") }
    total = all.count
    isCut = all.count > Self.limit
    entries = all.prefix(Self.limit).map { object, kind, badge in
      let properties = badge == "delete" ? [] : Self.properties(of: object, isNew: badge == "insert", name)
      let link =
        badge == "delete"
        ? Link.entity(session.store, object.entity.name ?? "") : EditLink.edit(session.store, name(object))
      let problems = badge == "delete" ? [:] : ValidationProblems.of(object)
      return Entry(
        kind: kind, badge: badge, entryName: name(object), entryTitle: ObjectTitle.text(of: object) ?? "",
        entryLink: link,
        properties: properties, hasProperties: !properties.isEmpty,
        refusals: problems.sorted { $0.key < $1.key }.map(\.value))
    }
  }

  private static func properties(
    of object: NSManagedObject, isNew: Bool, _ name: (NSManagedObject) -> String
  ) -> [Property] {
    let changes = object.changedValues()
    let names = isNew ? Array(object.entity.propertiesByName.keys) : Array(changes.keys)
    let committed = isNew ? [:] : object.committedValues(forKeys: names)
    return names.sorted().compactMap { key in
      guard let property = object.entity.propertiesByName[key], !property.isTransient,
        !(property is NSFetchedPropertyDescription)
      else { return nil }
      let now = object.value(forKey: key)
      if isNew, isNothing(now) { return nil }
      let old = isNew ? nil : text(committed[key], property, name)
      let new = text(now, property, name)
      return Property(
        property: key, old: old ?? "none", isOldNone: old == nil, new: new ?? "none", isNewNone: new == nil,
        hasOld: !isNew)
    }
  }

  private static func isNothing(_ value: Any?) -> Bool {
    switch value {
    case nil, is NSNull: true
    case let set as NSSet: set.count == 0
    case let set as NSOrderedSet: set.count == 0
    default: false
    }
  }

  private static func text(
    _ value: Any?, _ property: NSPropertyDescription, _ name: (NSManagedObject) -> String
  ) -> String? {
    isNothing(value) ? nil : FieldText.shown(value, property, name)
  }
}
