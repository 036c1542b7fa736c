import CoreData
import Foundation

/// What not every kind of store can do.
public enum StoreAbility: String, CaseIterable, Sendable {
  /// Objects are still there when the store is removed from its coordinator and added again.
  case reopening
  /// The application's own keys in the metadata are kept.
  case customMetadata
  /// Members of ordered relationships come in their order.
  case ordering
  /// Transformable and composite attributes.
  case composites
  /// `NSBatchUpdateRequest`.
  case batchUpdates
  /// Uniqueness constraints of the model are enforced.
  case uniqueness
  /// The store can be added for reading only.
  case readOnly
  /// Contexts on several threads at once.
  case concurrency
}

/// A kind of store that is to be checked.
public struct StoreSubject: Sendable {
  /// The type that the class is registered for.
  public let type: String
  /// What the store cannot do, with the reason; checks that need it are skipped.
  public let cannot: [StoreAbility: String]
  private let makeURL: @Sendable () throws -> URL?

  /// Describes a kind of store.
  /// - Parameter makeURL: a new place for each check; nil where the store needs none.
  public init(
    type: String, cannot: [StoreAbility: String] = [:], makeURL: @escaping @Sendable () throws -> URL?
  ) {
    self.type = type
    self.cannot = cannot
    self.makeURL = makeURL
  }

  func stack(_ model: NSManagedObjectModel = ConformanceModel.make()) throws -> StoreStack {
    try StoreStack(subject: self, model: model, url: makeURL())
  }
}

/// A coordinator with one store of the subject, and a context.
public final class StoreStack {
  let subject: StoreSubject
  let coordinator: NSPersistentStoreCoordinator
  let url: URL?
  private(set) var context: NSManagedObjectContext

  init(subject: StoreSubject, model: NSManagedObjectModel, url: URL?, options: [AnyHashable: Any]? = nil) throws {
    self.subject = subject
    self.url = url
    coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
    try coordinator.addPersistentStore(
      ofType: subject.type, configurationName: nil, at: url, options: options)
    context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    context.persistentStoreCoordinator = coordinator
  }

  var store: NSPersistentStore { coordinator.persistentStores[0] }

  /// Another context on the same store.
  func another() -> NSManagedObjectContext {
    let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    context.persistentStoreCoordinator = coordinator
    return context
  }

  /// The store again, in a coordinator of its own; this one lets it go.
  func reopened(options: [AnyHashable: Any]? = nil) throws -> StoreStack {
    try coordinator.remove(store)
    return try StoreStack(
      subject: subject, model: ConformanceModel.make(), url: url, options: options)
  }
}
