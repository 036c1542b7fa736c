import CoreData
import Foundation
@_spi(Store) import OpenCoreData

/// The abilities that not every kind of store has; stores declare their abilities with the same type.
public typealias StoreAbility = OCDStoreAbility

/// A kind of store that is to be checked.
public struct StoreSubject: Sendable {
  /// The type that the class is registered for.
  public let type: String
  /// What the store cannot do although its class says so, with the reason; checks that need it are skipped. Subclasses of
  /// `NSIncrementalStore` and `NSAtomicStore` need it, which inherit what these classes declare.
  public let cannot: [StoreAbility: String]
  private let options: [String: any Sendable]
  private let makeURL: @Sendable () throws -> URL?
  private let declaration = Declaration()

  /// Describes a kind of store.
  /// - Parameters:
  ///   - type: what the class is registered for.
  ///   - cannot: what its stores cannot do, and why.
  ///   - options: what every store is opened with.
  ///   - makeURL: a new place for each check; nil where the store needs none.
  public init(
    type: String, cannot: [StoreAbility: String] = [:], options: [String: any Sendable] = [:],
    makeURL: @escaping @Sendable () throws -> URL?
  ) {
    self.type = type
    self.options = options
    self.cannot = cannot
    self.makeURL = makeURL
  }

  /// Options together with those of the subject.
  func openOptions(_ options: [AnyHashable: Any]? = nil) -> [AnyHashable: Any]? {
    if self.options.isEmpty { return options }
    return (options ?? [:]).merging(self.options.map { (AnyHashable($0.key), $0.value as Any) }) { given, _ in given }
  }

  func stack(
    _ model: NSManagedObjectModel = ConformanceModel.make(), options: [AnyHashable: Any]? = nil
  ) throws -> StoreStack {
    try StoreStack(subject: self, model: model, url: makeURL(), options: options)
  }

  /// Why the store cannot do something; nil where it declares that it can.
  func reason(against ability: StoreAbility) throws -> String? {
    if let reason = cannot[ability] { return reason }
    let declared = try declaration.abilities { try Set(stack().store.abilities) }
    return declared.contains(ability) ? nil : "stores of this type do not declare it"
  }

  /// The abilities that stores of the type declare. A store is opened once to ask for them.
  private final class Declaration: @unchecked Sendable {  // everything belongs to `lock`
    private let lock = NSLock()
    private var known: Set<StoreAbility>?

    func abilities(_ read: () throws -> Set<StoreAbility>) rethrows -> Set<StoreAbility> {
      try lock.withLock {
        if let known { return known }
        let abilities = try read()
        known = abilities
        return abilities
      }
    }
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
    let options = subject.openOptions(options)
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
  func reopened(
    _ model: NSManagedObjectModel = ConformanceModel.make(), options: [AnyHashable: Any]? = nil
  ) throws -> StoreStack {
    try coordinator.remove(store)
    return try StoreStack(subject: subject, model: model, url: url, options: options)
  }
}
