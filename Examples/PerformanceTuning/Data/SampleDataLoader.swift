import CoreData

/// Fills an empty store, through a context as an application would, and says how far it is.
public struct SampleDataLoader {
  /// How far a load is.
  public struct Progress: Hashable, Sendable {
    /// What is being loaded: "people", "social networks" or "selfies".
    public var what: String
    /// How many are there.
    public var done: Int
    /// How many there will be.
    public var total: Int
  }

  private let size: SampleSize
  private let batchSize: Int
  private let personNames: [String]
  private let selfieNames: [String]
  private let networkNames: [String]

  /// Prepares a load.
  ///
  /// - Parameters:
  ///   - size: How many of each.
  ///   - batchSize: After how many selfies the context is saved.
  public init(size: SampleSize = SampleSize(), batchSize: Int = 100) {
    self.size = size
    self.batchSize = max(1, batchSize)
    var names = SampleNames()
    personNames = names.next(count: size.people)
    selfieNames = names.next(count: size.selfies)
    networkNames = names.next(count: size.networks)
  }

  /// Inserts everything and saves.
  ///
  /// - Parameters:
  ///   - context: A context with a store and nothing in it.
  ///   - progress: Called as objects are made.
  /// - Throws: What `save()` throws.
  public func load(into context: NSManagedObjectContext, progress: (Progress) -> Void = { _ in }) throws {
    mark(.incomplete, in: context)

    var people: Set<Person> = []
    for (index, name) in personNames.enumerated() {
      let person = Person(context: context)
      person.name = name
      person.rating = SampleNames.rating(index: index)
      people.insert(person)
      progress(Progress(what: "people", done: index + 1, total: size.people))
    }

    var networks: Set<SocialNetwork> = []
    for (index, name) in networkNames.enumerated() {
      let network = SocialNetwork(context: context)
      network.name = name
      network.rating = SampleNames.rating(index: index)
      networks.insert(network)
      progress(Progress(what: "social networks", done: index + 1, total: size.networks))
    }
    try context.save()

    for (index, name) in selfieNames.enumerated() {
      let selfie = Selfie(context: context)
      selfie.name = name
      selfie.rating = SampleNames.rating(index: index)
      selfie.people = people
      selfie.socialNetworks = networks
      let isLast = index + 1 == size.selfies
      if isLast { mark(.complete(size), in: context) }
      if isLast || (index + 1).isMultiple(of: batchSize) { try context.save() }
      progress(Progress(what: "selfies", done: index + 1, total: size.selfies))
    }
  }

  // Metadata is written with the next save of the store.
  private func mark(_ state: LoadState, in context: NSManagedObjectContext) {
    guard let coordinator = context.persistentStoreCoordinator else { return }
    for store in coordinator.persistentStores {
      var metadata = coordinator.metadata(for: store)
      metadata[LoadState.metadataKey] = state.metadataValue
      coordinator.setMetadata(metadata, for: store)
    }
  }
}
