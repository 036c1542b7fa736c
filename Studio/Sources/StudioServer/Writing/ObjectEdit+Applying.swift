import CoreData
import CoreDataTools
import Foundation

extension ObjectEdit {
  /// Applies the edit to an object.
  /// - Returns: The errors, by the name of the property or the key path of the field.
  func apply(to object: NSManagedObject, _ session: EditSession) -> [String: String] {
    var problems: [String: String] = [:]
    func attempt(_ name: String, _ body: () throws -> Void) {
      do { try body() } catch { problems[name] = (error as? FieldMistake)?.text ?? ErrorText.text(of: error) }
    }
    let fields = Dictionary(
      EditField.all(of: object.entity).map { ($0.keyPath, $0) }, uniquingKeysWith: { first, _ in first })
    for (keyPath, value) in values {
      attempt(keyPath) { try fields[keyPath]?.set(value.object, of: object) }
    }
    for (name, destination) in toOnes {
      attempt(name) {
        try object.setCheckedValue(try destination.map { try found($0, name, object, session) }, forKey: name)
      }
    }
    // The order is applied before members are added and removed, because the form showed the order without those.
    for order in orders {
      attempt(order.relationship) { try apply(order, to: object, session) }
    }
    for change in members {
      attempt(change.relationship) { try apply(change, to: object, session) }
    }
    return problems
  }

  private func apply(_ change: Members, to object: NSManagedObject, _ session: EditSession) throws {
    let name = change.relationship
    let isOrdered = object.entity.relationshipsByName[name]?.isOrdered == true
    let added = try change.added.map { try found($0, name, object, session) }
    // A member that was deleted meanwhile needs no removal.
    let removed = change.removed.compactMap { try? found($0, name, object, session) }
    if isOrdered {
      let members = object.mutableOrderedSetValue(forKey: name)
      for member in removed { members.remove(member) }
      for member in added { members.add(member) }
    } else {
      let members = object.mutableSetValue(forKey: name)
      for member in removed { members.remove(member) }
      for member in added { members.add(member) }
    }
  }

  /// - Throws: a `FieldMistake` if the present members, or their order, are not those that the page showed.
  private func apply(_ order: MemberOrder, to object: NSManagedObject, _ session: EditSession) throws {
    let name = order.relationship
    let now = object.mutableOrderedSetValue(forKey: name).array.compactMap { $0 as? NSManagedObject }
    guard now.map(session.reference) == order.shown else {
      throw FieldMistake("Meanwhile somebody else has changed the members or their order. Order them as they are now.")
    }
    let members = try order.wanted.map { try found($0, name, object, session) }
    object.setValue(NSOrderedSet(array: members), forKey: name)
  }

  /// - Throws: A `FieldMistake` if there is no such object, or if it is of another entity.
  private func found(
    _ reference: EditReference, _ relationship: String, _ object: NSManagedObject, _ session: EditSession
  ) throws -> NSManagedObject {
    let missing = FieldMistake("There is no object \(reference) in the store.")
    guard let id = session.objectID(reference), let context = object.managedObjectContext else { throw missing }
    let destination = object.entity.relationshipsByName[relationship]?.destinationEntity
    guard let destination, id.entity.isKindOf(entity: destination) else {
      throw FieldMistake("Expected an object of \(destination?.name ?? "another entity"), found \(reference).")
    }
    guard let found = try? context.existingObject(with: id), !found.isDeleted else { throw missing }
    return found
  }
}

/// The validation errors of an object.
enum ValidationProblems {
  /// Returns the errors with which a save would fail, by the name of the property; errors of no property have an empty name.
  static func of(_ object: NSManagedObject) -> [String: String] {
    do {
      if object.isInserted { try object.validateForInsert() } else { try object.validateForUpdate() }
      return [:]
    } catch {
      return texts(error as NSError, object.entity)
    }
  }

  static func texts(_ error: NSError, _ entity: NSEntityDescription) -> [String: String] {
    let all = error.userInfo[NSDetailedErrorsKey] as? [NSError] ?? [error]
    var result: [String: String] = [:]
    for one in all {
      let key = one.userInfo[NSValidationKeyErrorKey] as? String ?? ""
      let attribute = entity.attributesByName[key]
      var text = attribute?.isSecret == true ? "\(key) is not valid." : one.localizedDescription
      if let rule = one.userInfo[NSValidationPredicateErrorKey] as? NSPredicate, attribute?.isSecret != true {
        text += " The rule: \(rule.description.replacing("SELF", with: "value"))."
      }
      result[key] = result[key].map { "\($0) \(text)" } ?? text
    }
    return result
  }

  /// Returns the errors without those that a later form can correct for a new object: objects that require each other are made
  /// one after the other. A save validates all of them.
  static func now(_ problems: [String: String], _ object: NSManagedObject) -> [String: String] {
    guard object.isInserted else { return problems }
    return problems.filter { name, _ in
      guard let relationship = object.entity.relationshipsByName[name] else { return true }
      return relationship.isToMany
        ? object.objectIDs(forRelationshipNamed: name).count >= relationship.minCount
        : object.value(forKey: name) != nil
    }
  }
}
