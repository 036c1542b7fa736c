import CommandSupport
import CoreData
import CoreDataTools
import Foundation
import OpenCoreData

/// Inserts the objects of a document into a context: first all objects with their attributes, then the relationships,
/// because a relationship may refer to an object that comes later in the document.
final class StoreImporter {
  private let context: NSManagedObjectContext
  private let model: NSManagedObjectModel
  private let storeIdentifier: String
  private var objects: [NSManagedObject] = []
  private var places: [ImportedPlace] = []
  private var numbers: [String: Int] = [:]
  private var existing: [String: NSManagedObject] = [:]
  private var sides: [Side] = []

  /// What the document says of one side of a one-to-one relationship.
  private struct Side {
    let object: NSManagedObject
    let name: String
    let member: NSManagedObject?
  }

  init(_ context: NSManagedObjectContext, _ store: NSPersistentStore, _ model: NSManagedObjectModel) {
    self.context = context
    self.model = model
    storeIdentifier = store.identifier
  }

  var count: Int { objects.count }

  /// - Throws: a ``ToolError`` with the place of the data that cannot be imported.
  func insert(_ source: ImportSource, _ progress: (String, Int) -> Void) throws {
    try source.records { record in
      try insert(record)
      progress("Reading", objects.count)
    }
    var number = 0
    try source.records(needs: .references) { record in
      guard number < objects.count else {
        throw ToolError("\(record.place): the source was changed while it was read. Nothing was imported.")
      }
      for member in record.relationships {
        try relate(objects[number], member.name, member.value, record.place)
      }
      number += 1
      progress("Relating", number)
    }
    // A side has followed the other one where the document says something else of it: stores of other programs have one side
    // alone, or sides that lead to different objects. Each is stored as the document has it.
    for side in sides where side.object.value(forKey: side.name) as? NSManagedObject !== side.member {
      side.object.setPrimitiveValue(side.member, forKey: side.name)
    }
  }

  /// Describes the error of a save, with the places of the objects concerned.
  func describe(_ error: any Error) -> ToolError {
    let error = error as NSError
    if error.domain == NSCocoaErrorDomain, error.code == NSManagedObjectConstraintMergeError {
      let conflicts =
        (try? UniquenessConflicts(objects, places, model, context.persistentStoreCoordinator).lines()) ?? []
      return Self.failure(conflicts.isEmpty ? [StoreErrors.text(of: error)] : conflicts)
    }
    let details = (error.userInfo[NSDetailedErrorsKey] as? [NSError]) ?? [error]
    let lines = details.enumerated().map { number, detail in
      // At most ten errors are described, because finding the place of an object takes a while.
      guard number < 10 else { return "" }
      let object = detail.userInfo[NSValidationObjectErrorKey] as? NSManagedObject
      let place = object.flatMap { object in objects.firstIndex { $0 === object } }.map { "\(places[$0]): " } ?? ""
      let entity = object?.entity.name.map { "\($0): " } ?? ""
      return place + entity + detail.localizedDescription
    }
    return Self.failure(lines)
  }

  private static func failure(_ lines: [String]) -> ToolError {
    let rest = lines.count > 10 ? ["and \(lines.count - 10) more"] : []
    return ToolError("Nothing was imported.\n" + (lines.prefix(10) + rest).joined(separator: "\n"))
  }

  // MARK: Objects

  private func insert(_ record: ImportedRecord) throws {
    let entity = try model.concreteEntity(record)
    if let id = record.id, numbers.updateValue(objects.count, forKey: id) != nil {
      throw ToolError("\(record.place): the id “\(id)” is there twice.")
    }
    let object = NSManagedObject(entity: entity, insertInto: context)
    try ImportedAttributes.set(record, of: object)
    objects.append(object)
    places.append(record.place)
  }

  // MARK: Relationships

  private func relate(_ object: NSManagedObject, _ name: String, _ value: ImportedField, _ place: ImportedPlace) throws
  {
    let entity = object.entity
    let relationship = try ImportedReferences.relationship(name, of: entity, place)
    var members: [NSManagedObject] = []
    try ImportedReferences.forEachID(value, relationship, place) {
      members.append(try member($0, relationship, place))
    }
    guard relationship.isToMany else {
      if let member = members.first { object.setValue(member, forKey: name) }
      if relationship.inverseRelationship?.isToMany == false {
        sides.append(Side(object: object, name: name, member: members.first))
      }
      return
    }
    if relationship.isOrdered {
      object.setValue(NSOrderedSet(array: members), forKey: name)
    } else if let inverse = relationship.inverseRelationship, !inverse.isToMany {
      for member in members where member.value(forKey: inverse.name) as? NSManagedObject !== object {
        member.setValue(object, forKey: inverse.name)
      }
    } else if !members.isEmpty {
      object.mutableSetValue(forKey: name).union(Set(members))
    }
  }

  private func member(
    _ id: String, _ relationship: NSRelationshipDescription, _ place: ImportedPlace
  ) throws -> NSManagedObject {
    guard let member = try numbers[id].map({ objects[$0] }) ?? existingObject(id) else {
      throw ToolError(
        "\(place): \(relationship.name): there is no object “\(id)”, neither in what is imported nor in the store.")
    }
    if let destination = relationship.destinationEntity, !member.entity.isKindOf(entity: destination) {
      throw ToolError(
        "\(place): \(relationship.name): “\(id)” is a \(member.entity.name ?? ""), expected a \(destination.name ?? "")."
      )
    }
    return member
  }

  /// Returns an object that was in the store before the import.
  private func existingObject(_ id: String) throws -> NSManagedObject? {
    if let known = existing[id] { return known }
    guard let reference = InspectedReference(id),
      let uri = URL(string: "x-coredata://\(storeIdentifier)/\(reference.text)"),
      let objectID = context.persistentStoreCoordinator?.managedObjectID(forURIRepresentation: uri)
    else { return nil }
    let request = NSFetchRequest<NSManagedObject>(entityName: reference.entity)
    request.predicate = try NSPredicate(parsing: "SELF == %@", arguments: [objectID])
    request.includesPendingChanges = false
    existing[id] = try context.fetch(request).first
    return existing[id]
  }
}
