import CoreData
import Foundation
import PerformanceTuning
import Testing

@Suite @MainActor struct SampleDataTests {
  @Test func namesAreTheSameOnEveryRun() {
    var names = SampleNames()
    #expect(names.next(count: 4) == ["anjo 0", "iedoie 1", "nopiri 2", "kabekaka 3"])
  }

  @Test func namesMatchThePatternNowAndThen() throws {
    var names = SampleNames()
    _ = names.next(count: 500)
    let predicate = NSPredicate(format: "SELF LIKE \"*e*ie*\"")
    let matches = names.next(count: 500).filter { predicate.evaluate(with: $0) }
    #expect((20...200).contains(matches.count))
  }

  @Test func everySelfieIsRelatedToEverything() throws {
    let store = try LoadedStore()
    store.context.reset()
    let selfies = try store.context.fetch(Selfie.fetchRequest() as NSFetchRequest<Selfie>)
    #expect(selfies.count == 10)
    #expect(selfies.allSatisfy { $0.people.count == 12 && $0.socialNetworks.count == 8 })
    let people = try store.context.fetch(Person.fetchRequest() as NSFetchRequest<Person>)
    #expect(people.allSatisfy { $0.selfies.count == 10 })
    #expect(Set(people.map(\.rating)) == Set(0..<12))
  }

  @Test func progressEndsWithTheTotal() throws {
    let folder = try TemporaryFolder.make()
    defer { try? FileManager.default.removeItem(at: folder) }
    let stack = try PerformanceStack(url: folder.appending(path: "store.sqlite"))
    var steps: [SampleDataLoader.Progress] = []
    try SampleDataLoader(size: LoadedStore.size).load(into: stack.context) { steps.append($0) }
    #expect(steps.count == 12 + 8 + 10)
    let last = try #require(steps.last)
    #expect((last.what, last.done, last.total) == ("selfies", 10, 10))
    try stack.close()
  }

  @Test func aStoreKnowsWhatItHolds() throws {
    let store = try LoadedStore()
    try store.stack.close()
    let again = try PerformanceStack(url: store.url)
    #expect(try again.loadedSize() == LoadedStore.size)
    try again.close()
  }

  @Test func anInterruptedLoadGoesOn() throws {
    let folder = try TemporaryFolder.make()
    defer { try? FileManager.default.removeItem(at: folder) }
    let url = folder.appending(path: "store.sqlite")
    let size = LoadedStore.size
    var part = size
    part.selfies = 3
    let first = try PerformanceStack(url: url)
    try SampleDataLoader(size: part).load(into: first.context)
    try first.close()

    let stack = try PerformanceStack(url: url)
    #expect(try stack.loadedSize().isPart(of: size))
    var selfies = 0
    try SampleDataLoader(size: size).load(into: stack.context) { _ in selfies += 1 }
    #expect(selfies == size.selfies - 3)
    #expect(try stack.loadedSize() == size)
    var names = NamesRead()
    try names.readAll(try PrefetchTest().fetch(in: stack.context))
    #expect(names.people + names.networks == size.joinRows)
    try stack.close()
  }

  @Test func partsOfALoad() {
    let size = LoadedStore.size
    #expect(SampleSize(people: 0, selfies: 0, networks: 0).isPart(of: size))
    #expect(SampleSize(people: 12, selfies: 0, networks: 8).isPart(of: size))
    #expect(!SampleSize(people: 11, selfies: 0, networks: 8).isPart(of: size))
    #expect(!SampleSize(people: 12, selfies: 11, networks: 8).isPart(of: size))
  }
}
