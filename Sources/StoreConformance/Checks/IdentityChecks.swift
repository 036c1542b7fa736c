import CoreData
import Foundation

extension StoreConformance {
  static let identityChecks: [StoreCheck] = [
    StoreCheck("A store knows its type, UUID and model") { subject in
      let stack = try subject.stack()
      try expectEqual(stack.store.type, subject.type, "type")
      try expect(!stack.store.identifier.isEmpty, "the identifier is empty")
      let metadata = stack.coordinator.metadata(for: stack.store)
      try expectEqual(metadata[NSStoreUUIDKey] as? String ?? "", stack.store.identifier, "UUID in the metadata")
      try expectEqual(metadata[NSStoreTypeKey] as? String ?? "", subject.type, "type in the metadata")
    },
    StoreCheck("Objects have temporary IDs until they are saved, then permanent ones") { subject in
      let stack = try subject.stack()
      let context = stack.context
      try context.performAndWait {
        let object = context.make("Person", ["name": "Ann"])
        try expect(object.objectID.isTemporaryID, "the ID is permanent before the save")
        try context.save()
        try expect(!object.objectID.isTemporaryID, "the ID is temporary after the save")
        try expect(object.objectID.persistentStore === stack.store, "the ID is not of the store")
        let uri = object.objectID.uriRepresentation()
        try expectEqual(uri.scheme ?? "", "x-coredata", "scheme of \(uri)")
        let found = stack.coordinator.managedObjectID(forURIRepresentation: uri)
        try expectEqual(found, object.objectID, "the ID of \(uri)")
      }
    },
    StoreCheck("Permanent IDs can be had before the save, and stay") { subject in
      let stack = try subject.stack()
      let context = stack.context
      try context.performAndWait {
        let objects = (1...3).map { context.make("Person", ["age": $0]) }
        try context.obtainPermanentIDs(for: objects)
        let identifiers = objects.map(\.objectID)
        try expectEqual(Set(identifiers).count, 3, "different IDs")
        try expect(!identifiers.contains(where: \.isTemporaryID), "an ID is temporary")
        try context.save()
        try expectEqual(objects.map(\.objectID), identifiers, "the IDs after the save")
      }
    },
    StoreCheck("A context has one object for an ID, and contexts have their own") { subject in
      let stack = try subject.stack()
      let first = stack.context, second = stack.another()
      let identifier = try first.performAndWait {
        let object = first.make("Employee", ["name": "Ann"])
        try first.save()
        let found = try first.one("Person", "name == %@", "Ann")
        try expect(found === object, "a fetch gives another object")
        try expect(first.object(with: object.objectID) === object, "object(with:) gives another object")
        return object.objectID
      }
      try second.performAndWait {
        let object = try second.existingObject(with: identifier)
        try expectEqual(object.value(forKey: "name") as? String, "Ann", "the name in another context")
        try expectEqual(object.entity.name, "Employee", "the entity in another context")
        try expect(try second.one("Person") === object, "a fetch gives another object")
      }
    },
    StoreCheck("An object that is not there is an error") { subject in
      let stack = try subject.stack()
      let first = stack.context, second = stack.another()
      let identifier = try first.performAndWait {
        let object = first.make("Person")
        try first.save()
        let identifier = object.objectID
        first.delete(object)
        try first.save()
        return identifier
      }
      try second.performAndWait {
        try expectError(NSManagedObjectReferentialIntegrityError, "existingObject(with:)") {
          _ = try second.existingObject(with: identifier)
        }
      }
    },
    StoreCheck("Objects are there when the store is added again, under the same IDs", needs: [.reopening]) { subject in
      let stack = try subject.stack()
      let context = stack.context
      let uri = try context.performAndWait {
        let boss = context.make("Manager", ["name": "Bob", "level": 3])
        for number in 1...5 { context.make("Employee", ["name": "E\(number)", "boss": boss]) }
        try context.save()
        return boss.objectID.uriRepresentation()
      }
      let uuid = stack.store.identifier
      let again = try stack.reopened()
      try expectEqual(again.store.identifier, uuid, "the UUID")
      try again.context.performAndWait {
        let identifier = try unwrap(again.coordinator.managedObjectID(forURIRepresentation: uri), "the ID of \(uri)")
        let boss = try again.context.existingObject(with: identifier)
        try expectEqual(boss.value(forKey: "name") as? String, "Bob", "the name")
        try expectEqual(boss.names("reports"), (1...5).map { "E\($0)" }, "the reports")
        again.context.make("Person", ["name": "New"])
        try again.context.save()
        try expectEqual(try again.context.find("Person").count, 7, "objects after another insertion")
      }
    },
  ]
}
