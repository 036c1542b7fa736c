import CoreData
import Testing

@_spi(Store) @testable import OpenCoreData

/// Faults that fire in company while another context saves.
@Suite struct CompanyTests {
  @Test func aCompanyLoadsTogetherThoughTheCacheIsAheadOfItsReader() throws {
    let coordinator = try TestModel.coordinator(TestModel.library())
    try #require(coordinator.sqlStores.first).readers.idleNanoseconds = .max
    let writer = TestModel.context(coordinator), reader = TestModel.context(coordinator)
    try writer.performAndWait { () throws in
      for index in 0..<100 { _ = writer.make("Tag", ["name": "\(index)"]) }
      try writer.save()
    }
    coordinator.emptyRowCache()
    try reader.performAndWait { () throws in
      let request = NSFetchRequest<NSManagedObject>(entityName: "Tag")
      request.includesPropertyValues = false
      let tags = try reader.fetch(request)
      // A save of the same entity: from now on the cache takes no row that was read before it.
      try writer.performAndWait { () throws in
        _ = writer.make("Tag", ["name": "new"])
        try writer.save()
      }
      let read = StatementLog.collect(thisThread: true) {
        for tag in tags { _ = tag.value(forKey: "name") }
      }
      #expect(read.statements.filter { $0.hasPrefix("SELECT") }.count == 1)
      #expect(tags.allSatisfy { !$0.isFault })
    }
  }
}
