import CoreData
import Foundation
import FuzzSupport

/// All relationships of a gallery's objects as text, and changes of them.
struct UnevenFacts {
  /// The ordered relationships whose order is not looked at.
  var unordered: Set<String> = []

  static func objects(_ entity: String, _ context: NSManagedObjectContext) throws -> [NSManagedObject] {
    try context.fetch(NSFetchRequest<NSManagedObject>(entityName: entity)).sorted { name($0) < name($1) }
  }

  private static func name(_ object: NSManagedObject) -> String {
    (object.value(forKey: object.entity.name == "Picture" ? "title" : "name") as? String) ?? "?"
  }

  /// The names of the members, in their order if they have one, else sorted.
  static func members(_ object: NSManagedObject, _ key: String) -> [String] {
    switch object.value(forKey: key) {
    case let list as NSOrderedSet: list.compactMap { ($0 as? NSManagedObject).map(name) }
    case let set as NSSet: set.compactMap { ($0 as? NSManagedObject).map(name) }.sorted()
    case let member as NSManagedObject: [name(member)]
    default: []
    }
  }

  func all(_ context: NSManagedObjectContext) throws -> [String] {
    try context.performAndWait {
      try ["Painter", "Picture", "Tag"].flatMap { entity in
        try Self.objects(entity, context).flatMap { object in
          object.entity.relationshipsByName.keys.compactMap { key -> String? in
            let members = Self.members(object, key)
            let text = (unordered.contains(key) ? members.sorted() : members).joined(separator: ",")
            return members.isEmpty ? nil : "\(Self.name(object)).\(key)=\(text)"
          }
        }
      }.sorted()
    }
  }

  /// Makes one change, at random.
  static func change(_ context: NSManagedObjectContext, _ random: inout SeededGenerator) throws {
    guard let painter = try objects("Painter", context).randomElement(using: &random),
      let picture = try objects("Picture", context).randomElement(using: &random),
      let tag = try objects("Tag", context).randomElement(using: &random)
    else { return }
    switch Int.random(in: 0..<10, using: &random) {
    case 0: picture.setValue(painter, forKey: "painter")
    case 1: picture.setValue(nil, forKey: "painter")
    case 2: add(picture, to: painter, "pictures", &random)
    case 3: add(picture, to: painter, "sketches", &random)
    case 4: remove(picture, from: painter, "pictures")
    case 5: remove(picture, from: painter, "sketches")
    case 6: add(tag, to: picture, "labels", &random)
    case 7: add(tag, to: picture, "tags", &random)
    case 8: remove(tag, from: picture, "tags")
    default: painter.setValue(picture, forKey: "portrait")
    }
  }

  private static func add(
    _ member: NSManagedObject, to owner: NSManagedObject, _ key: String, _ random: inout SeededGenerator
  ) {
    guard owner.entity.relationshipsByName[key]?.isOrdered == true else {
      return owner.mutableSetValue(forKey: key).add(member)
    }
    let list = owner.mutableOrderedSetValue(forKey: key)
    if list.contains(member) { list.remove(member) }
    list.insert(member, at: Int.random(in: 0...list.count, using: &random))
  }

  private static func remove(_ member: NSManagedObject, from owner: NSManagedObject, _ key: String) {
    if owner.entity.relationshipsByName[key]?.isOrdered == true {
      owner.mutableOrderedSetValue(forKey: key).remove(member)
    } else {
      owner.mutableSetValue(forKey: key).remove(member)
    }
  }
}
