import CoreData
import Foundation
@_spi(Store) import OpenCoreData

/// An ability that not every kind of store has: stores declare their features with a list of these.
public typealias StoreAbility = OCDStoreAbility

/// A kind of store to be checked.
public struct StoreSubject: Sendable {
  /// The type for which the class is registered.
  public let type: String
  /// Abilities that the store lacks although its class declares them, with the reason; checks that need them are
  /// skipped. This is for subclasses of `NSIncrementalStore` and `NSAtomicStore`, which inherit the declarations of
  /// these classes.
  public let cannot: [StoreAbility: String]
  private let options: [String: any Sendable]
  private let makeURL: @Sendable () throws -> URL?
  private let declaration = Declaration()

  /// Describes a kind of store.
  /// - Parameters:
  ///   - type: the type for which the class is registered.
  ///   - cannot: the abilities that its stores lack, and why.
  ///   - options: the options with which every store is opened.
  ///   - makeURL: returns a new place for each check; nil if the store needs none.
  public init(
    type: String, cannot: [StoreAbility: String] = [:], options: [String: any Sendable] = [:],
    makeURL: @escaping @Sendable () throws -> URL?
  ) {
    self.type = type
    self.options = options
    self.cannot = cannot
    self.makeURL = makeURL
  }

  /// Returns options merged with those of the subject; the given ones take precedence.
  func openOptions(_ options: [AnyHashable: Any]? = nil) -> [AnyHashable: Any]? {
    if self.options.isEmpty { return options }
    return (options ?? [:]).merging(self.options.map { (AnyHashable($0.key), $0.value as Any) }) { given, _ in given }
  }

  func stack(
    _ model: NSManagedObjectModel = ConformanceModel.make(), options: [AnyHashable: Any]? = nil
  ) throws -> StoreStack {
    try StoreStack(subject: self, model: model, url: makeURL(), options: options)
  }

  /// Returns the reason why a store lacks an ability; nil if it declares the ability.
  func reason(against ability: StoreAbility) throws -> String? {
    if let reason = cannot[ability] { return reason }
    let declared = try declaration.abilities { try Set(stack().store.abilities) }
    return declared.contains(ability) ? nil : "stores of this type do not declare it"
  }

  /// The abilities that stores of the type declare. One store is opened to read them.
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

  /// Returns another context on the same store.
  func another() -> NSManagedObjectContext {
    let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    context.persistentStoreCoordinator = coordinator
    return context
  }

  /// Opens the store again, in a coordinator of its own, after it is removed from this one.
  func reopened(
    _ model: NSManagedObjectModel = ConformanceModel.make(), options: [AnyHashable: Any]? = nil
  ) throws -> StoreStack {
    try coordinator.remove(store)
    return try StoreStack(subject: subject, model: model, url: url, options: options)
  }
}
