import CoreData
import Testing

@_spi(Store) @testable import OpenCoreData

/// History that Apple's framework wrote.
@Suite(.enabled(if: Corpus.isThere, "the corpus is not there")) struct AppleHistoryTests {
  @Test func storesOfTheCorpus() throws {
    var found = 0
    for file in Corpus.files(".sqlite", below: "stores") {
      let copy = try TestModel.temporaryFile(file.lastPathComponent)
      for suffix in ["", "-wal"] where FileManager.default.fileExists(atPath: file.path + suffix) {
        try FileManager.default.copyItem(atPath: file.path + suffix, toPath: copy.path + suffix)
      }
      guard Corpus.blob("SELECT CAST(COUNT(*) AS BLOB) FROM ACHANGE", in: copy) != nil,
        let cache = Corpus.blob("SELECT Z_CONTENT FROM Z_MODELCACHE", in: copy)
      else { continue }
      found += 1
      let context = TestModel.context(
        try HistoryModel.coordinator(copy, model: try ModelCache.decode(cache)))
      try context.performAndWait { try check(context, copy) }
    }
    #expect(found > 0)
  }

  private func check(_ context: NSManagedObjectContext, _ file: URL) throws {
    let number = { (query: String) in
      Corpus.blob("SELECT CAST(\(query) AS BLOB)", in: file).map { String(decoding: $0, as: UTF8.self) }
    }
    let all = try context.transactions(.fetchHistory(after: nil as NSPersistentHistoryToken?))
    let changes = all.flatMap { $0.changes ?? [] }
    #expect(number("(SELECT COUNT(*) FROM ATRANSACTION)") == "\(all.count)")
    #expect(number("(SELECT COUNT(*) FROM ACHANGE)") == "\(changes.count)")
    #expect(all.first?.bundleID == "com.apple.dt.xctest.tool")
    #expect(all.first?.processID == "xctest")
    #expect(all.first?.author == nil)
    for (name, entity) in try #require(context.persistentStoreCoordinator?.managedObjectModel.entitiesByName) {
      let keys = Set(changes.lazy.filter { $0.changedObjectID.entity === entity }.map(\.changedObjectID))
      let request = NSFetchRequest<NSManagedObjectID>(entityName: name)
      request.includesSubentities = false
      request.resultType = .managedObjectIDResultType
      #expect(try Set(context.fetch(request)) == keys, "\(name)")
    }
    // What is written here goes on where Apple's framework stopped.
    let token = try #require(all.last?.token)
    #expect(context.persistentStoreCoordinator?.currentPersistentHistoryToken(fromStores: nil) == token)
    let object = try #require(
      changes.first { $0.changedObjectID.entity.name == "Feedback" }.map { context.object(with: $0.changedObjectID) })
    context.delete(object)
    try context.save()
    let new = try context.transactions(.fetchHistory(after: token))
    #expect(new.map(\.transactionNumber) == [all[all.count - 1].transactionNumber + 1])
    #expect(new.first?.changes?.contains { $0.changeType == .delete } == true)
    #expect(try #require(new.first?.changes?.first).changeID == changes.map(\.changeID).max()! + 1)
  }
}
