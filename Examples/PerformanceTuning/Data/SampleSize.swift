/// The number of objects of each entity. Every selfie is related to every person and every social network.
public struct SampleSize: Hashable, Sendable {
  /// The number of `Person` objects.
  public var people: Int
  /// The number of `Selfie` objects.
  public var selfies: Int
  /// The number of `SocialNetwork` objects.
  public var networks: Int

  /// Creates a size. The full size is 500 objects of each entity: two join tables of 250,000 rows.
  public init(people: Int = 500, selfies: Int = 500, networks: Int = 500) {
    self.people = people
    self.selfies = selfies
    self.networks = networks
  }

  /// The number of rows in both join tables.
  public var joinRows: Int { selfies * (people + networks) }

  /// Returns whether an interrupted load of another size can leave these numbers of objects in a store.
  ///
  /// People and social networks are saved together and before any selfie. A selfie is saved with all its related objects.
  public func isPart(of whole: SampleSize) -> Bool {
    if people == 0, networks == 0 { return selfies == 0 }
    return people == whole.people && networks == whole.networks && selfies <= whole.selfies
  }
}
