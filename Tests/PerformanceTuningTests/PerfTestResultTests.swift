import CoreData
import PerformanceTuning
import Testing

/// Each of the ten says what it must say of a small store.
@Suite @MainActor struct PerfTestResultTests {
  private static let everything = "10 selfies, 80 social networks, 120 people"

  private func result(of test: any PerfTest) throws -> String {
    let store = try LoadedStore()
    store.context.reset()
    return test.runTest(with: store.context)
  }

  @Test func suiteHasTenTests() {
    #expect(
      PerfTestSuite.all.map(\.name) == [
        "FetchAll", "DidFault", "SingleFault", "BatchFault", "Prefetch", "Cache", "Uniquing", "Predicate", "Subquery",
        "BatchUpdate",
      ])
    #expect(PerfTestSuite.named("singlefault")?.name == "SingleFault")
    #expect(PerfTestSuite.named("nothing") == nil)
  }

  @Test func fetchAll() throws {
    #expect(try result(of: FetchAllTest()) == "Fetched 12 people, 10 selfies, 8 social networks")
  }

  @Test func didFault() throws {
    #expect(
      try result(of: DidFaultTest())
        == "A fault as fetched, none after reading the name, one again after refreshing; "
        + "logged willTurnIntoFault, didTurnIntoFault")
  }

  @Test func singleFault() throws {
    #expect(try result(of: SingleFaultTest()) == "Fired one by one: \(Self.everything)")
  }

  @Test func batchFault() throws {
    #expect(try result(of: BatchFaultTest()) == "Fetched in batches: \(Self.everything)")
  }

  @Test func prefetch() throws {
    #expect(try result(of: PrefetchTest()) == "Prefetched: \(Self.everything)")
  }

  @Test func cache() throws {
    let text = try result(of: CacheTest())
    #expect(text.hasPrefix("Cold ") && text.contains(" faster: \(Self.everything); "), "\(text)")
    // No more than a few words for a class of the program's, on every platform with 8 bytes to a pointer.
    let bytes = try #require(text.wholeMatch(of: /.*an object without values takes (\d+) bytes/)?.1)
    #expect((48...128).contains(Int(bytes) ?? 0), "\(bytes)")
  }

  @Test func uniquing() throws {
    #expect(try result(of: UniquingTest()) == "The same 12 instances on each of 10 selfies")
  }

  @Test func predicate() throws {
    let text = try result(of: PredicateTest(repetitions: 3))
    // Ratings 0 to 4, and one name more that matches.
    #expect(text.hasPrefix("6 selfies of 10, 3 times: pattern first "), "\(text)")
  }

  @Test func subquery() throws {
    let text = try result(of: SubqueryTest())
    #expect(text.hasPrefix("12 people: by hand "), "\(text)")
  }

  @Test func batchUpdate() throws {
    let text = try result(of: BatchUpdateTest())
    #expect(text.hasPrefix("12 ratings, 10 times: one at a time ") && text.contains(", 12 by batch update "), "\(text)")
  }

  @Test func batchUpdateLeavesTheRatingsAsTheyWere() throws {
    let store = try LoadedStore()
    _ = BatchUpdateTest().runTest(with: store.context)
    store.context.reset()
    let people = try store.context.fetch(Person.fetchRequest() as NSFetchRequest<Person>)
    #expect(people.map(\.rating).sorted() == Array(0..<12))
  }

  @Test func everyWalkFollowsTheRelationships() throws {
    let store = try LoadedStore()
    try loosen(store)
    let single = try SingleFaultTest().read(in: store.context)
    #expect((single.selfies, single.networks, single.people) == (10, 80, 114))
    store.context.reset()
    var prefetched = NamesRead()
    try prefetched.readAll(try PrefetchTest().fetch(in: store.context))
    #expect(single == prefetched)
    store.context.reset()
    #expect(BatchFaultTest().runTest(with: store.context) == "Fetched in batches: \(single)")
  }

  @Test func subqueryLeavesOutWhoIsOnNoSuchSelfie() throws {
    let store = try LoadedStore()
    try loosen(store)
    let text = SubqueryTest().runTest(with: store.context)
    #expect(text.hasPrefix("11 people: by hand "), "\(text)")
  }

  /// Takes the first person off the six selfies that the predicate finds.
  private func loosen(_ store: LoadedStore) throws {
    let request: NSFetchRequest<Person> = Person.fetchRequest()
    request.predicate = NSPredicate(format: "rating == 0")
    let person = try #require(try store.context.fetch(request).first)
    person.selfies = person.selfies.filter {
      !NSPredicate(format: "rating < 5 OR name LIKE \"*e*ie*\"").evaluate(with: $0)
    }
    try store.context.save()
    store.context.reset()
  }
}
