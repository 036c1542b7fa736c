/// The number of names that were read from the object graph.
public struct NamesRead: Hashable, Sendable, CustomStringConvertible {
  /// The number of names of selfies.
  public var selfies = 0
  /// The number of names of the selfies' social networks.
  public var networks = 0
  /// The number of names of the people on the selfies.
  public var people = 0
  /// The length of all names of networks and people in UTF-8, which proves that the names were really read.
  public var bytes = 0

  /// Creates numbers that are all 0.
  public init() {}

  /// The numbers in words, such as "500 selfies, 250000 social networks, 250000 people".
  public var description: String { "\(selfies) selfies, \(networks) social networks, \(people) people" }

  /// Counts a selfie.
  mutating func read(_ selfie: Selfie) throws {
    try expect(selfie.name != nil, "a selfie without a name")
    selfies += 1
  }

  /// Counts a social network.
  mutating func read(_ network: SocialNetwork) {
    bytes += network.name?.utf8.count ?? 0
    networks += 1
  }

  /// Counts a person.
  mutating func read(_ person: Person) {
    bytes += person.name?.utf8.count ?? 0
    people += 1
  }

  /// Reads the names of selfies, and of every social network and person of each selfie.
  public mutating func readAll(_ selfies: [Selfie]) throws {
    for selfie in selfies {
      try read(selfie)
      for network in selfie.socialNetworks { read(network) }
      for person in selfie.people { read(person) }
    }
  }
}
