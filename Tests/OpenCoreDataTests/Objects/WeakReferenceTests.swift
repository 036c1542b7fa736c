import CoreData
import Foundation
import Testing

@_spi(Store) @testable import OpenCoreData

/// References that keep nothing alive.
@Suite struct WeakReferenceTests {
  @Test func theObjectIsThereAsLongAsSomebodyHasIt() {
    var context: NSManagedObjectContext? = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    let reference = context?.reference
    #expect(reference?.object === context)
    context = nil
    #expect(reference?.object == nil)
  }

  @Test func manyMayLookWhileItGoes() {
    for _ in 0..<200 {
      let context = OneOwner(NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType))
      let reference = context.value?.reference
      Soak.threads(3) { thread in
        if thread == 0 { return context.value = nil }
        for _ in 0..<20 { if let found = reference?.object { #expect(found is NSManagedObjectContext) } }
      }
      #expect(reference?.object == nil)
    }
  }

  private final class OneOwner: @unchecked Sendable {  // written by the one thread alone
    var value: NSManagedObjectContext?

    init(_ value: NSManagedObjectContext) { self.value = value }
  }

  @Test func anEntityIsNotKeptByItsProperties() throws {
    var model: NSManagedObjectModel? = Society.model()
    let boss = try #require(model?.entitiesByName["Person"]?.relationshipsByName["boss"])
    #expect(boss.destinationEntity?.name == "Person" && boss.owner?.name == "Person")
    model = nil
    #expect(boss.destinationEntity == nil && boss.owner == nil)
  }

  /// Each fault that fires retains both. The flag is the top bit of the word of counts, which Swift sets for good when an
  /// object has been referred to by `weak`.
  @Test(arguments: TestStore.all) func nothingMakesCountingOfStoresAndReadTransactionsSlow(_ kind: TestStore) throws {
    func isSlow(_ object: AnyObject) -> Bool {
      UnsafeRawPointer(Unmanaged.passUnretained(object).toOpaque()).load(fromByteOffset: 8, as: UInt64.self) >> 63 == 1
    }
    let model = NSManagedObjectModel()
    weak var weakly: NSManagedObjectModel?
    weakly = model
    #expect(weakly != nil && isSlow(model))
    let coordinator = try kind.coordinator(TestModel.library(), url: try kind.place())
    let store = try #require(coordinator.persistentStores.first)
    let context = TestModel.context(coordinator)
    try context.performAndWait {
      let author = context.make("Author", ["name": "A"])
      try context.save()
      context.refreshAllObjects()
      #expect(author.value(forKey: "name") as? String == "A")
      #expect(author.objectID.persistentStore === store)
      #expect(!isSlow(context.reads.transaction(on: store)))
    }
    #expect(!isSlow(store))
  }
}
