import CoreData
import Foundation
import Testing

/// Fetch requests in generic code, as published packages have them.
@Suite struct RequestSourceTests {
  /// `NSFetchRequest<T>` makes T a result, as on Apple's platforms: what says so by itself fulfils the requirement.
  private protocol Fetching {
    func fetch<T>(_ request: NSFetchRequest<T>) throws -> [T]
  }

  private struct Nothing: Fetching {
    func fetch<R: NSFetchRequestResult>(_ request: NSFetchRequest<R>) throws -> [R] { [] }
  }

  private struct All: Fetching {
    let context: NSManagedObjectContext
    func fetch<R>(_ request: NSFetchRequest<R>) throws -> [R] { try context.fetch(request) }
  }

  private protocol Source {
    associatedtype Result: NSFetchRequestResult
    var request: NSFetchRequest<Result> { get }
  }

  private struct Untyped: Source {
    var request: NSFetchRequest<NSFetchRequestResult> { RequestSourceTests.make(NSFetchRequestResult.self) }
  }

  private static func make<R: NSFetchRequestResult>(_ type: R.Type) -> NSFetchRequest<R> {
    NSFetchRequest(entityName: "Star")
  }

  private func context() throws -> NSManagedObjectContext {
    let star = NSEntityDescription()
    star.name = "Star"
    let model = NSManagedObjectModel()
    model.entities = [star]
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
    try coordinator.addPersistentStore(ofType: NSInMemoryStoreType, configurationName: nil, at: nil)
    let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    context.persistentStoreCoordinator = coordinator
    return context
  }

  @Test func theProtocolIsAResultItself() throws {
    let context = try context()
    try context.performAndWait {
      let star = NSEntityDescription.insertNewObject(forEntityName: "Star", into: context)
      let results = try All(context: context).fetch(Untyped().request)
      #expect(results.count == 1 && results[0] as? NSManagedObject === star)
      #expect(try All(context: context).fetch(Self.make(NSManagedObject.self)) == [star])
      #expect(try Nothing().fetch(Self.make(NSDictionary.self)).isEmpty)
      #expect(try context.count(for: Self.make((any NSFetchRequestResult).self)) == 1)
    }
  }

  @Test func othersConstrainTheirResults() throws {
    let context = try context()
    let request = Self.make(NSFetchRequestResult.self)
    request.sortDescriptors = [NSSortDescriptor(key: "self", ascending: true)]
    let controller = NSFetchedResultsController(
      fetchRequest: request, managedObjectContext: context, sectionNameKeyPath: nil, cacheName: nil)
    let asynchronous = NSAsynchronousFetchRequest(fetchRequest: controller.fetchRequest)
    #expect(asynchronous.fetchRequest === controller.fetchRequest)
  }
}
