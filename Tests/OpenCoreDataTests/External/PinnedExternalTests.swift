import CoreData
import Testing

@_spi(Store) @testable import OpenCoreData

/// Values in files of their own that a query generation may come upon.
@Suite struct PinnedExternalTests {
  @Test func filesStayAsLongAsAGenerationNeedsThem() throws {
    let fixture = try ExternalFixture()
    let writer = TestModel.context(fixture.coordinator), reader = TestModel.context(fixture.coordinator)
    let store = try #require(fixture.coordinator.sqlStores.first)
    let picture = try writer.performAndWait { () throws in
      let picture = writer.make("Picture", ["name": "P", "data": ExternalFixture.large])
      try writer.save()
      return picture
    }
    try reader.performAndWait { () throws in
      try reader.setQueryGenerationFrom(.current)
      #expect(try reader.count(for: NSFetchRequest<NSManagedObject>(entityName: "Picture")) == 1)
    }
    let old = fixture.files()
    try writer.performAndWait { () throws in
      picture.setValue(ExternalFixture.bytes(200_000, 2), forKey: "data")
      try writer.save()
      writer.delete(picture)
      try writer.save()
    }
    fixture.coordinator.emptyRowCache()
    store.readers.takeBackIdle()
    store.writer.external?.removeUnused(store.writer)
    #expect(fixture.files().isSuperset(of: old))
    try reader.performAndWait { () throws in
      let pictures = try reader.all("Picture")
      #expect(pictures.map { $0.value(forKey: "data") as? Data } == [ExternalFixture.large])
      reader.refreshAllObjects()
      try reader.setQueryGenerationFrom(nil)
      #expect(try reader.all("Picture").isEmpty)
    }
    // The end of the generation has them removed, without anybody saving.
    #expect(Soak.wait { fixture.files().isEmpty }, "\(fixture.files())")
  }
}
