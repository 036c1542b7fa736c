import CoreData
import Testing

@_spi(Store) @testable import OpenCoreData

/// A context's list of changed objects, against a plain array.
@Suite struct ChangedObjectsTests {
  @Test(arguments: RandomSeeds.seeds(6), TestStore.all)
  func keepsOrderAndMembers(seed: UInt64, _ store: TestStore) throws {
    var random = SeededGenerator(seed: seed)
    let context = TestModel.context(try store.coordinator(TestModel.library()))
    context.performAndWait {
      let objects = (0..<60).map { _ in context.make("Author") }
      var list = ChangedObjects(), model: [NSManagedObject] = []
      for step in 0..<2_000 {
        let object = objects.randomElement(using: &random)!
        switch Int.random(in: 0..<20, using: &random) {
        case 0..<9:
          if model.contains(object) { continue }
          list.append(object)
          model.append(object)
        case 9..<17:
          list.remove(object)
          model.removeAll { $0 === object }
        case 17:
          guard let last = model.last else { continue }
          list.remove(last)
          model.removeLast()
        case 18 where step % 7 == 0:
          let gone = Set(objects.filter { _ in Bool.random(using: &random) })
          list.removeAll(where: gone.contains)
          model.removeAll(where: gone.contains)
        default:
          let positions = (0..<list.endPosition).compactMap(list.at)
          #expect(positions == model && list.endPosition <= 2 * model.count)
        }
        #expect(Array(list) == model && list.count == model.count && list.isEmpty == model.isEmpty)
      }
    }
  }

  /// Objects that come and go leave no trace, and those that stay are saved in their order.
  @Test(arguments: TestStore.all) func insertionsThatAreDeletedAgain(_ store: TestStore) throws {
    let context = TestModel.context(try store.coordinator(TestModel.library()))
    try context.performAndWait {
      var kept: [NSManagedObject] = []
      for number in 0..<100 {
        let object = context.make("Author", ["name": "\(number)"])
        context.processPendingChanges()
        if number % 3 == 0 { kept.append(object) } else { context.delete(object) }
        context.processPendingChanges()
        #expect(context.changed.endPosition <= 2 * kept.count)
      }
      #expect(context.insertedObjects == Set(kept) && context.deletedObjects.isEmpty)
      try context.save()
      let keys = kept.map(\.key)
      #expect(keys == keys.sorted() && keys.allSatisfy { $0 > 0 })
      let isPending = context.nesting.hasChanges.load(ordering: .relaxed)
      #expect(!isPending)
    }
  }
}
