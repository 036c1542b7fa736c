import CoreData
import Foundation
import StoreConformance
import Testing

/// What an incremental store is asked for, and when.
@Suite struct IncrementalStoreTests {
  private let service = WebService()
  private let coordinator: NSPersistentStoreCoordinator

  init() throws {
    let (service, url) = ConformanceTests.webService(self.service)
    _ = service
    let club = NSEntityDescription(), member = NSEntityDescription()
    (club.name, member.name) = ("Club", "Member")
    let (title, name) = (NSAttributeDescription(), NSAttributeDescription())
    (title.name, title.attributeType, title.isOptional) = ("title", .stringAttributeType, true)
    (name.name, name.attributeType, name.isOptional) = ("name", .stringAttributeType, true)
    let (members, own) = (NSRelationshipDescription(), NSRelationshipDescription())
    (members.name, members.destinationEntity, members.isOptional) = ("members", member, true)
    (own.name, own.destinationEntity, own.maxCount, own.isOptional) = ("club", club, 1, true)
    (members.inverseRelationship, own.inverseRelationship) = (own, members)
    let (friends, back) = (NSRelationshipDescription(), NSRelationshipDescription())
    (friends.name, friends.destinationEntity, friends.isOptional) = ("friends", member, true)
    (back.name, back.destinationEntity, back.isOptional) = ("friendOf", member, true)
    (friends.inverseRelationship, back.inverseRelationship) = (back, friends)
    club.properties = [title, members]
    member.properties = [name, own, friends, back]
    let guest = NSEntityDescription()
    guest.name = "Guest"
    member.subentities = [guest]
    let model = NSManagedObjectModel()
    model.entities = [club, member, guest]
    coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
    try coordinator.addPersistentStore(ofType: WebStore.type, configurationName: nil, at: url)
  }

  private func context() -> NSManagedObjectContext {
    let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    context.persistentStoreCoordinator = coordinator
    return context
  }

  private var store: WebStore { coordinator.persistentStores[0] as! WebStore }

  @Test func aSaveObtainsIDsAndWritesOnce() throws {
    let context = context()
    try context.performAndWait {
      let club = NSEntityDescription.insertNewObject(forEntityName: "Club", into: context)
      club.setValue("Chess", forKey: "title")
      let member = NSEntityDescription.insertNewObject(forEntityName: "Member", into: context)
      member.setValue(club, forKey: "club")
      #expect(service.log == [])
      try context.save()
      #expect(service.log.sorted() == ["PATCH /", "POST /Club", "POST /Member"])
      // What was written is known: nothing is asked for again.
      context.refreshAllObjects()
      #expect(club.value(forKey: "title") as? String == "Chess")
      #expect(service.log.count == 3)
      #expect(
        club.objectID.uriRepresentation().absoluteString.hasSuffix(
          "/Club/p\(store.referenceObject(for: club.objectID))"))
      #expect(store.registrations == [club.objectID: 1, member.objectID: 1])
      context.reset()
      #expect(store.registrations == [:])
    }
  }

  @Test func faultsAskForOneObjectEach() throws {
    let first = context(), second = context()
    try first.performAndWait {
      let club = NSEntityDescription.insertNewObject(forEntityName: "Club", into: first)
      for _ in 1...3 {
        NSEntityDescription.insertNewObject(forEntityName: "Member", into: first).setValue(club, forKey: "club")
      }
      try first.save()
    }
    coordinator.emptyRowCache()
    try second.performAndWait {
      let before = service.log.count
      let members = try second.fetch(NSFetchRequest<NSManagedObject>(entityName: "Member"))
      #expect(service.log.dropFirst(before) == ["GET /Member"])
      #expect(members.allSatisfy { $0.isFault })
      _ = members[0].value(forKey: "name")
      #expect(service.log.dropFirst(before).count == 2)
      let club = try #require(members[0].value(forKey: "club") as? NSManagedObject)
      #expect((club.value(forKey: "members") as? NSSet)?.count == 3)
      #expect((club.value(forKey: "members") as? NSSet)?.count == 3)
      // The club, whose fault reading the relationship fires, and the relationship were asked for once.
      #expect(service.log.dropFirst(before).count == 4)
    }
  }

  @Test func theStoresErrorsComeThrough() throws {
    let context = context()
    WebStore.services.withLock { $0 = $0.filter { $0.value !== service } }
    try context.performAndWait {
      #expect(throws: URLError.self) { try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Club")) }
      let club = NSEntityDescription.insertNewObject(forEntityName: "Club", into: context)
      #expect(throws: URLError.self) { try context.save() }
      #expect(club.isInserted)
      _ = ConformanceTests.webService(service, host: store.url?.host)
      try context.save()
      #expect(!context.hasChanges)
    }
  }

  @Test func anIDOfAStringNamesItsObject() throws {
    let club = try #require(coordinator.managedObjectModel.entitiesByName["Club"])
    let identifier = store.newObjectID(for: club, referenceObject: "a b/c")
    #expect(identifier.uriRepresentation().absoluteString == "x-coredata://\(service.identifier)/Club/pa%20b%2Fc")
    #expect(coordinator.managedObjectID(forURIRepresentation: identifier.uriRepresentation()) == identifier)
    #expect(store.referenceObject(for: identifier) as? String == "a b/c")
    #expect(
      store.newObjectID(for: club, referenceObject: 7) == store.newObjectID(for: club, referenceObject: NSNumber(7)))
  }

  @Test func theStoreHearsOfObjectsByTheirOwnEntities() throws {
    let first = context(), second = context()
    try first.performAndWait {
      let guest = NSEntityDescription.insertNewObject(forEntityName: "Guest", into: first)
      let member = NSEntityDescription.insertNewObject(forEntityName: "Member", into: first)
      guest.setValue(NSSet(object: member), forKey: "friends")
      member.setValue(NSSet(object: guest), forKey: "friends")
      try first.save()
    }
    coordinator.emptyRowCache()
    store.askedFor.withLock { $0 = [] }
    try second.performAndWait {
      let request = NSFetchRequest<NSManagedObject>(entityName: "Member")
      request.relationshipKeyPathsForPrefetching = ["friends"]
      for member in try second.fetch(request) {
        let friends = try #require(member.value(forKey: "friends") as? NSSet)
        #expect(friends.count == 1)
        for case let friend as NSManagedObject in friends { #expect(friend.value(forKey: "name") == nil) }
      }
    }
    let asked = store.askedFor.withLock { $0 }
    #expect(Set(asked.map { $0.entity.name }) == ["Guest", "Member"])
    #expect(asked.allSatisfy { $0.entity.name == service.entity(of: store.referenceObject(for: $0) as? Int ?? 0) })
  }
}
