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
}
