import CoreData
import Foundation

/// Finds the imported objects whose values are not unique. SQLite's error only names the columns of the constraint.
struct UniquenessConflicts {
  private let objects: [NSManagedObject]
  private let places: [ImportedPlace]
  private let model: NSManagedObjectModel
  private let coordinator: NSPersistentStoreCoordinator?

  /// - Parameter places: The place in the document of each object, for error messages.
  init(
    _ objects: [NSManagedObject], _ places: [ImportedPlace], _ model: NSManagedObjectModel,
    _ coordinator: NSPersistentStoreCoordinator?
  ) {
    self.objects = objects
    self.places = places
    self.model = model
    self.coordinator = coordinator
  }

  /// Returns a line for each object that has the same values as an earlier object, or as an object in the store.
  func lines() throws -> [String] {
    try model.entities.sorted { ($0.name ?? "") < ($1.name ?? "") }.flatMap { entity in
      try entity.uniquenessConstraintNames.filter { !$0.isEmpty }.flatMap { try lines(entity, $0) }
    }
  }

  private func lines(_ entity: NSEntityDescription, _ names: [String]) throws -> [String] {
    var lines: [String] = []
    var first: [[AnyHashable]: Int] = [:]
    for (number, object) in objects.enumerated() where object.entity.isKindOf(entity: entity) {
      guard let values = Self.values(of: object, names) else { continue }
      if let other = first[values] {
        lines.append(line(number, names, "\(places[other]) has the same"))
      } else {
        first[values] = number
      }
    }
    for (values, id) in try stored(entity, names, first) {
      guard let number = first[values] else { continue }
      let name = id.uriRepresentation().pathComponents.suffix(2).joined(separator: "/")
      lines.append(line(number, names, "\(name) in the store has the same"))
    }
    return lines
  }

  private func line(_ number: Int, _ names: [String], _ other: String) -> String {
    let object = objects[number]
    let values = names.map { name in
      let value = object.value(forKey: name)
      if let text = value as? String { return "\(name) \(ImportedField.text(text).text)" }
      if let object = value as? NSManagedObject { return "\(name) (\(object.entity.name ?? ""))" }
      return "\(name) \(value ?? "")"
    }
    let verb = names.count == 1 ? "must be unique" : "must be unique together"
    return "\(places[number]): \(object.entity.name ?? ""): \(values.joined(separator: ", ")) \(verb); \(other)."
  }

  /// Returns the store's objects that have the same values as imported objects, with these values.
  private func stored(
    _ entity: NSEntityDescription, _ names: [String], _ imported: [[AnyHashable]: Int]
  ) throws -> [([AnyHashable], NSManagedObjectID)] {
    // An object that is not saved yet is left out as a key: no row of the store refers to it.
    let numbers = imported.values.sorted()
    let keys = numbers.compactMap { number -> Any? in
      let value = objects[number].value(forKey: names[0])
      return (value as? NSManagedObject).map { $0.objectID.isTemporaryID ? nil : $0.objectID } ?? value
    }
    let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    context.persistentStoreCoordinator = coordinator
    return try context.performAndWait {
      var result: [([AnyHashable], NSManagedObjectID)] = []
      for start in stride(from: 0, to: keys.count, by: 500) {
        let request = NSFetchRequest<NSManagedObject>(entityName: entity.name ?? "")
        let some = Array(keys[start..<min(start + 500, keys.count)])
        request.predicate = NSPredicate(format: "%K IN %@", names[0], some)
        for object in try context.fetch(request) {
          if let values = Self.values(of: object, names), imported[values] != nil {
            result.append((values, object.objectID))
          }
        }
        context.reset()
      }
      return result
    }
  }

  /// Returns values that compare equal when SQLite's do; nil if one of them is missing, because a missing value equals nothing.
  private static func values(of object: NSManagedObject, _ names: [String]) -> [AnyHashable]? {
    var result: [AnyHashable] = []
    for name in names {
      let value = object.value(forKey: name)
      // SQLite compares texts byte by byte, and Swift does not.
      if let text = value as? String {
        result.append(Data(text.utf8))
      } else if let object = value as? NSManagedObject {
        result.append(object.objectID)
      } else if let value = value as? AnyHashable {
        result.append(value)
      } else {
        return nil
      }
    }
    return result
  }
}
