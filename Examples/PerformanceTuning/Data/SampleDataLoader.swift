import CoreData

/// Fills a store through a context, as an application would, and reports its progress.
///
/// A load that was interrupted continues after its last save.
public struct SampleDataLoader {
  /// The progress of a load.
  public struct Progress: Hashable, Sendable {
    /// The kind of objects being loaded: "people", "social networks" or "selfies".
    public var what: String
    /// The number of objects loaded so far.
    public var done: Int
    /// The number of objects to load.
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
  ///   - size: The number of objects of each entity.
  ///   - batchSize: The number of selfies after which the context is saved.
  public init(size: SampleSize = SampleSize(), batchSize: Int = 100) {
    self.size = size
    self.batchSize = max(1, batchSize)
    var names = SampleNames()
    personNames = names.next(count: size.people)
    selfieNames = names.next(count: size.selfies)
    networkNames = names.next(count: size.networks)
  }

  /// Inserts the objects that the store does not have, and saves.
  ///
  /// - Parameters:
  ///   - context: A context without changes, whose store is empty or has a part of this load.
  ///   - progress: Called as objects are made.
  /// - Throws: The errors of `fetch(_:)` and `save()`.
  public func load(into context: NSManagedObjectContext, progress: (Progress) -> Void = { _ in }) throws {
    var people = Set(try context.fetch(Person.fetchRequest() as NSFetchRequest<Person>))
    for (index, name) in personNames.enumerated().dropFirst(people.count) {
      let person = Person(context: context)
      person.name = name
      person.rating = SampleNames.rating(index: index)
      people.insert(person)
      progress(Progress(what: "people", done: index + 1, total: size.people))
    }

    var networks = Set(try context.fetch(SocialNetwork.fetchRequest() as NSFetchRequest<SocialNetwork>))
    for (index, name) in networkNames.enumerated().dropFirst(networks.count) {
      let network = SocialNetwork(context: context)
      network.name = name
      network.rating = SampleNames.rating(index: index)
      networks.insert(network)
      progress(Progress(what: "social networks", done: index + 1, total: size.networks))
    }
    try context.save()

    let loaded = try context.count(for: Selfie.fetchRequest() as NSFetchRequest<Selfie>)
    for (index, name) in selfieNames.enumerated().dropFirst(loaded) {
      let selfie = Selfie(context: context)
      selfie.name = name
      selfie.rating = SampleNames.rating(index: index)
      selfie.people = people
      selfie.socialNetworks = networks
      if (index + 1).isMultiple(of: batchSize) { try context.save() }
      progress(Progress(what: "selfies", done: index + 1, total: size.selfies))
    }
    try context.save()
  }
}
