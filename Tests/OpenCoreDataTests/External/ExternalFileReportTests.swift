import CoreData
import Testing

@_spi(Store) @testable import OpenCoreData

/// Files that no row names, and rows whose file is not there.
@Suite struct ExternalFileReportTests {
  typealias Fixture = ExternalFixture

  private func store() throws -> Fixture {
    let store = try Fixture()
    try store.inContext { context in
      _ = context.make("Photo", ["name": "a", "data": Fixture.large, "negative": Fixture.large])
      _ = context.make("Picture", ["name": "b", "data": Data([1])])
      try context.save()
    }
    return store
  }

  @Test func aSoundStore() throws {
    let report = try ExternalFileReport(storeAt: try store().file)
    #expect(report.referenceCount == 2)
    #expect(report.orphans.isEmpty && report.missing.isEmpty && report.shared.isEmpty)
    let empty = try Fixture()
    #expect(try ExternalFileReport(storeAt: empty.file).referenceCount == 0)
    #expect(!FileManager.default.fileExists(atPath: empty.folder.path))
  }

  @Test func orphansAndMissingFiles() throws {
    let store = try store()
    let lost = try #require(store.files().first)
    try FileManager.default.removeItem(at: store.folder.appendingPathComponent(lost))
    let orphan = store.folder.appendingPathComponent(UUID().uuidString)
    try Data([1]).write(to: orphan)
    try Data([1]).write(to: store.folder.appendingPathComponent("somebody else's"))
    let report = try ExternalFileReport(storeAt: store.file)
    #expect(report.orphans.map(\.path) == [orphan.path])
    #expect(report.foreign.map(\.name) == ["somebody else's"])
    #expect(report.missing.map(\.name) == [lost] && report.missing.first?.table == "ZPICTURE")
    #expect(report.missing.first?.primaryKey == 1 && report.referenceCount == 2)
    // Young ones may be about to be named.
    #expect(try ExternalFileCleaning.remove(storeAt: store.file).files.isEmpty)
    let removed = try ExternalFileCleaning.remove(storeAt: store.file, olderThan: -1).files
    #expect(removed.map(\.url.path) == [orphan.path])
    #expect(store.files().count == 2)
    #expect(try ExternalFileReport(storeAt: store.file).orphans.isEmpty)
  }

  @Test func twoRowsWithOneFile() throws {
    let store = try store()
    _ = try store.sql("UPDATE ZPICTURE SET ZDATA = (SELECT ZNEGATIVE FROM ZPICTURE WHERE Z_PK = 1)")
    let report = try ExternalFileReport(storeAt: store.file)
    #expect(report.shared.count == 2 && report.orphans.count == 1 && report.missing.isEmpty)
  }

  @Test func whatIsNoStore() throws {
    let file = try TestModel.temporaryFile()
    try Data("no store, but long enough to look like something that could be one".utf8).write(to: file)
    #expect(throws: NSError.self) { try ExternalFileReport(storeAt: file) }
    #expect(throws: NSError.self) { try ExternalFileCleaning.remove(storeAt: file) }
  }
}
