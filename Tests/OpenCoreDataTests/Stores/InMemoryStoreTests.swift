import CoreData
import Foundation
import Testing

@Suite struct InMemoryStoreTests {
  private func coordinator() throws -> NSPersistentStoreCoordinator {
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: TestModel.library())
    try coordinator.addPersistentStore(ofType: NSInMemoryStoreType, configurationName: nil, at: nil)
    return coordinator
  }

  private func context(_ coordinator: NSPersistentStoreCoordinator) -> NSManagedObjectContext {
    let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    context.persistentStoreCoordinator = coordinator
    return context
  }

  @Test func objectsAreFoundAgain() throws {
    let coordinator = try coordinator()
    let first = context(coordinator), second = context(coordinator)
    try first.performAndWait {
      let author = NSEntityDescription.insertNewObject(forEntityName: "Author", into: first)
      author.setValue("Ann", forKey: "name")
      for number in 1...20 {
        let book = NSEntityDescription.insertNewObject(forEntityName: number > 15 ? "Novel" : "Book", into: first)
        book.setValue("Book \(number)", forKey: "title")
        book.setValue(number * 10, forKey: "pages")
        book.setValue(author, forKey: "author")
      }
      try first.save()
      #expect(author.objectID.uriRepresentation().absoluteString.hasSuffix("/Author/p1"))
    }
    try second.performAndWait {
      let request = NSFetchRequest<NSManagedObject>(entityName: "Book")
      request.predicate = NSPredicate(format: "pages > 50 AND author.name == %@", "Ann")
      request.sortDescriptors = [NSSortDescriptor(key: "pages", ascending: false)]
      request.fetchLimit = 10
      let books = try second.fetch(request)
      #expect(books.map { $0.value(forKey: "pages") as? Int } == (11...20).reversed().map { $0 * 10 })
      #expect(books.first?.entity.name == "Novel")
      let author = try #require(books[0].value(forKey: "author") as? NSManagedObject)
      #expect((author.value(forKey: "books") as? NSSet)?.count == 20)
      request.predicate = NSPredicate(format: "author == %@", author)
      request.fetchLimit = 0
      #expect(try second.count(for: request) == 20)
      second.delete(author)
      try second.save()
      #expect(try second.count(for: request) == 0)
    }
  }

  @Test func whatOthersHaveChangedIsAConflict() throws {
    let coordinator = try coordinator()
    let first = context(coordinator), second = context(coordinator)
    try first.performAndWait {
      NSEntityDescription.insertNewObject(forEntityName: "Tag", into: first).setValue("a", forKey: "name")
      try first.save()
    }
    let tags = NSFetchRequest<NSManagedObject>(entityName: "Tag")
    let tag = try second.performAndWait { try #require(try second.fetch(tags).first) }
    second.performAndWait { #expect(tag.value(forKey: "name") as? String == "a") }
    try first.performAndWait {
      try #require(try first.fetch(tags).first).setValue("b", forKey: "name")
      try first.save()
    }
    second.performAndWait {
      tag.setValue("c", forKey: "name")
      #expect { try second.save() } throws: { ($0 as NSError).code == NSManagedObjectMergeError }
      second.refresh(tag, mergeChanges: true)
      #expect(throws: Never.self) { try second.save() }
    }
  }

  @Test func anUnknownKeyIsAnError() throws {
    let context = context(try coordinator())
    context.performAndWait {
      let request = NSFetchRequest<NSManagedObject>(entityName: "Tag")
      request.predicate = NSPredicate(format: "colour == 1")
      #expect { try context.fetch(request) } throws: { ($0 as NSError).code == 134060 }
    }
  }
}
