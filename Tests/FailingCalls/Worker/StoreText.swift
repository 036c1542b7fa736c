import CoreData
import Foundation
import OpenCoreData

// The contents of a store as text, by which two of its states can be compared; and the problems of a store.
extension StorePlace {
  /// Returns the contents of the store as text.
  /// - Throws: the error that the store could not be read with.
  func text(withHistory: Bool = true) throws -> String {
    guard FileManager.default.fileExists(atPath: url.path) else { return "nothing" }
    if kind.isSQLite, try InspectedStore(url, timeout: 1).hasNoTables { return "a database without tables" }
    let metadata = try NSPersistentStoreCoordinator.metadataForPersistentStore(ofType: kind.type, at: url, options: nil)
    guard
      let version = WorkerModel.all.firstIndex(where: {
        $0.isConfiguration(withName: nil, compatibleWithStoreMetadata: metadata)
      })
    else { return "a store of no version" }
    return try withContext(version: version) { context in
      var lines = ["version \(version)"]
      for item in try WorkerModel.items(context) {
        let shelf = item.value(forKey: "shelf") as? NSManagedObject
        var values: [Any?] = [item.value(forKey: "number"), item.value(forKey: version == 0 ? "title" : "headline")]
        values.append(shelf?.value(forKey: "name"))
        values.append((item.value(forKey: "photo") as? Data).map(Self.digest))
        if version > 0 { values.append(item.value(forKey: "note")) }
        if version > 1 { values.append(item.value(forKey: "more")) }
        lines.append("item " + values.map { $0.map { "\($0)" } ?? "-" }.joined(separator: " | "))
      }
      for shelf in try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Shelf")) {
        let members = (shelf.value(forKey: "items") as? Set<NSManagedObject> ?? [])
          .compactMap { $0.value(forKey: "number") as? Int }.sorted()
        lines.append("shelf \(shelf.value(forKey: "name") ?? "-"): \(members)")
      }
      if kind.isSQLite, withHistory { lines.append(try Self.history(context)) }
      return ([lines[0]] + lines.dropFirst().sorted()).joined(separator: "\n")
    }
  }

  private static func history(_ context: NSManagedObjectContext) throws -> String {
    let request = NSPersistentHistoryChangeRequest.fetchHistory(after: Date.distantPast)
    let result = try context.execute(request) as? NSPersistentHistoryResult
    let transactions = result?.result as? [NSPersistentHistoryTransaction] ?? []
    let changes = transactions.map { transaction in
      (transaction.changes ?? []).map { "\($0.changedObjectID.entity.name ?? "-") \($0.changeType.rawValue)" }.sorted()
    }
    return "transactions \(changes)"
  }

  private static func digest(_ data: Data) -> String {
    let sum = data.reduce(0xcbf2_9ce4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
    return "\(data.count) bytes \(String(sum, radix: 16))"
  }

  /// Returns the problems that `coredata store verify` finds in the store: the errors, one-to-one
  /// relationships that one side alone has, and files of values that no row refers to.
  /// - Parameter orphans: whether files of values that no row refers to are included.
  func problems(orphans: Bool) -> [String] {
    guard kind.isSQLite, FileManager.default.fileExists(atPath: url.path) else { return [] }
    do {
      let store = try InspectedStore(url, timeout: 1)
      if store.hasNoTables { return [] }
      return StoreVerification(store).problems().filter {
        $0.severity == .error || $0.kind == .brokenInverse || $0.kind == .orphanExternalFile && orphans
      }
      .map { $0.kind == .orphanExternalFile ? "orphans: \($0.count)" : "verify: \($0.kind) \($0.place) \($0.text)" }
    } catch {
      return ["verify: cannot be read: \(error)"]
    }
  }
}
