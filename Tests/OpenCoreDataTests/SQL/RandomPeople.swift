import CoreData

/// Random people with bosses and tags, as managed objects of `PeopleFixture`'s model.
struct RandomPeople {
  let people: [NSManagedObject]
  let tags: [NSManagedObject]

  init(in context: NSManagedObjectContext, count: Int = 30, _ random: inout SeededGenerator) {
    tags = (0..<8).map { _ in context.make("Tag") }
    people = (0..<count).map { _ in context.make(Int.random(in: 0..<3, using: &random) == 0 ? "Employee" : "Person") }
    change(&random)
  }

  /// Gives every object new values and relations.
  func change(_ random: inout SeededGenerator) {
    for tag in tags {
      tag.setValue(kept(PeopleFixture.names.randomElement(using: &random)), forKey: "label")
      tag.setValue(Bool.random(using: &random) ? Int.random(in: -2...3, using: &random) : nil, forKey: "rank")
    }
    for person in people {
      setValues(of: person, &random)
      setRelations(of: person, &random)
    }
  }

  /// Gives an object another boss, or none, and other tags.
  func setRelations(of person: NSManagedObject, _ random: inout SeededGenerator) {
    let boss = Bool.random(using: &random) ? people.randomElement(using: &random) : nil
    person.setValue(boss, forKey: "boss")
    let own = tags.filter { _ in Int.random(in: 0..<4, using: &random) == 0 }
    person.setValue(NSSet(array: own), forKey: "tags")
  }

  /// Gives an object new values; some are nil.
  func setValues(of person: NSManagedObject, _ random: inout SeededGenerator) {
    let values = PeopleFixture.values(&random)
    for key in values.keys.sorted() {
      person.setValue(Int.random(in: 0..<4, using: &random) > 0 ? kept(values[key]) : nil, forKey: key)
    }
  }

  /// A value as the context's store can keep it: not every one has texts with U+0000.
  private func kept(_ value: Any?) -> Any? {
    guard let text = value as? String, text.utf8.contains(0),
      let type = tags.first?.managedObjectContext?.persistentStoreCoordinator?.persistentStores.first?.type
    else { return value }
    return TestStore.all.contains { $0.type == type && !$0.holdsNUL } ? text.replacing("\0", with: "") : text
  }

  func predicates(_ count: Int, _ random: inout SeededGenerator) -> [NSPredicate] {
    let predicates = RandomPredicates(people: people, tags: tags)
    return (0..<count).map { _ in predicates.predicate(depth: 2, &random) }
  }

  /// Predicates on the identifiers that the objects have now.
  func identities(_ random: inout SeededGenerator) -> [NSPredicate] {
    let ids = (0..<4).compactMap { _ in people.randomElement(using: &random)?.objectID }
    let tag = tags[0].objectID
    return [
      NSPredicate(format: "SELF == %@", ids[0]), NSPredicate(format: "objectID == %@", ids[1]),
      NSPredicate(format: "self.objectID IN %@", ids), NSPredicate(format: "SELF IN %@", Set(people.prefix(3))),
      NSPredicate(format: "boss IN %@ OR boss.objectID == %@", ids, ids[2]),
      NSPredicate(format: "ANY tags == %@ OR ANY tags.objectID == %@", tag, tag),
      NSPredicate(format: "SELF != %@", ids[3]),
      NSPredicate(format: "reports CONTAINS %@ OR %@ IN tags", ids[0], tag), NSPredicate(format: "SELF IN %@", [tag]),
      NSPredicate(format: "objectID.isTemporaryID == NO AND boss.objectID.isTemporaryID == NO"),
      NSPredicate(format: "boss.objectID.isTemporaryID != YES"),
      NSPredicate(format: "ANY tags == %@", tags.map(\.objectID)),
      NSPredicate(format: "objectID < %@ OR boss >= %@", ids[0], ids[1]),
      NSPredicate(format: "(reports UNION %@).@count > 3", ids),
      NSPredicate(format: "objectID.entity.name == 'Person'"),
      NSPredicate(format: "ANY reports IN %@", ids), NSPredicate(format: "NONE tags IN %@", NSSet(array: tags)),
    ]
  }
}
