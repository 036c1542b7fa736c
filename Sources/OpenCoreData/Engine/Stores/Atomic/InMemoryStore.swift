import Foundation
import OpenCocoaFoundation

/// A store whose objects are in memory only. Two such stores never share objects.
final class InMemoryStore: NSAtomicStore, @unchecked Sendable {  // Sendable for the same reason as NSAtomicStore
  private var lastReference: Int64 = 0

  override class func placeWithoutURL() throws -> URL { .privateStore }

  override class var isInMemoryOnly: Bool { true }

  override func load() throws {
    let option = OCDInMemoryStoreEnforcesUniquenessOption
    enforcesUniqueness = try options?[option] == nil || StoreOptionValue.flag(option, in: options)
    metadata = [NSStoreTypeKey: NSInMemoryStoreType, NSStoreUUIDKey: UUID().uuidString]
  }

  override func save() throws {}

  override func newReferenceObject(for managedObject: NSManagedObject) -> Any {
    locked {
      lastReference += 1
      return NSNumber(value: lastReference)
    }
  }

  override class var isFile: Bool { false }

  override func move(to url: URL) -> Bool { false }

  // MARK: Uniqueness constraints

  private lazy var uniqueness = InMemoryUniqueness()

  private var enforcesUniqueness = true

  /// Whether Apple's stores in memory enforce uniqueness constraints is not certain: sources differ.
  override var abilities: Set<OCDStoreAbility> {
    let abilities = super.abilities.subtracting([.reopening, .files])
    return enforcesUniqueness ? abilities.union([.uniqueness]) : abilities
  }

  override func save(_ work: SaveWork, in context: NSManagedObjectContext) throws -> SaveResult {
    guard enforcesUniqueness else { return try super.save(work, in: context) }
    return try locked {
      try uniqueness.check(work)
      let result = try super.save(work, in: context)
      uniqueness.take(work, result)
      return result
    }
  }

  override func findRows(
    of constraint: UniquenessConstraint, having values: ContiguousArray<[StoredValue]>, transaction: ReadTransaction
  ) throws -> [FoundRow] {
    locked {
      values.enumerated().compactMap { place, values in
        guard let key = uniqueness.holder(of: values, constraint),
          let stored = stored(key, constraint.entity.layout)
        else { return nil }
        return FoundRow(place: place, key: key, number: number(of: stored.node.objectID.entity))
      }
    }
  }
}
