import CoreData
import Foundation
import Testing

@testable import OpenCoreData

/// Stores that Apple's framework wrote, opened with the model of their own cache.
@Suite(.enabled(if: Corpus.isThere && Shell.hasSQLite, "the corpus of stores or sqlite3 is not there"), .serialized)
struct AppleStoreTests {
  static let stores = Corpus.files(".sqlite", below: "stores").map(\.path)

  /// A copy with its log, and the model in its cache; nil for stores from before caches.
  private func copy(_ path: String) throws -> (url: URL, model: NSManagedObjectModel)? {
    let url = try TestModel.temporaryFile("Copy.sqlite")
    try FileManager.default.copyItem(atPath: path, toPath: url.path)
    if FileManager.default.fileExists(atPath: path + "-wal") {
      try FileManager.default.copyItem(atPath: path + "-wal", toPath: url.path + "-wal")
    }
    for name in try FileManager.default.contentsOfDirectory(atPath: url.deletingLastPathComponent().path) {
      try FileManager.default.setAttributes(
        [.posixPermissions: 0o644], ofItemAtPath: url.deletingLastPathComponent().appendingPathComponent(name).path)
    }
    guard try Shell.sql(url, "SELECT 1 FROM sqlite_master WHERE name = 'Z_MODELCACHE'") == ["1"] else { return nil }
    try Shell.sql(url, "PRAGMA wal_checkpoint(TRUNCATE)")
    let cache = try #require(Corpus.blob("SELECT Z_CONTENT FROM Z_MODELCACHE", in: url))
    return (url, try ModelCache.decode(cache))
  }

  /// Everything in the file, as text, but the tables named.
  private func dump(_ url: URL, without tables: [String] = []) throws -> [String] {
    try Shell.sql(url, ".dump").filter { line in !tables.contains { line.hasPrefix("INSERT INTO \($0) ") } }
  }

  @Test(arguments: stores) func everyValueIsWhatSQLiteShows(path: String) throws {
    guard let (url, model) = try copy(path) else { return }
    let before = try dump(url)
    let coordinator = try TestModel.coordinator(model, url: url)
    let store = try #require(coordinator.persistentStores.first as? SQLStore)
    let context = TestModel.context(coordinator)
    try context.performAndWait {
      for entity in model.entities.sorted(by: { $0.name! < $1.name! }) where entity.superentity == nil {
        let request = NSFetchRequest<NSManagedObject>(entityName: entity.name!)
        let objects = try context.fetch(request)
        let table = try #require(store.schema.entity(for: entity)).tableName
        #expect(try Shell.sql(url, "SELECT COUNT(*) FROM \(table)") == ["\(objects.count)"])
        #expect(try context.count(for: request) == objects.count)
        try compare(objects, store)
      }
      #expect(!context.hasChanges)
      try context.save()
    }
    try coordinator.remove(store)
    #expect(try dump(url) == before)
  }

  /// Compares every attribute and relationship with the columns, in one query for each property.
  private func compare(_ objects: [NSManagedObject], _ store: SQLStore) throws {
    for (entity, objects) in Dictionary(grouping: objects, by: \.entity) {
      let stored = try #require(store.schema.entity(for: entity))
      for column in stored.columns {
        let name = column.propertyName
        guard let slot = objects[0].layout.slot(named: name) else { continue }
        let name0 = column.names[0]
        let text = "CASE typeof(\(name0)) WHEN 'text' THEN hex(\(name0)) ELSE quote(\(name0)) END"
        let query = "SELECT Z_PK, \(text) FROM \(stored.tableName) WHERE Z_ENT = \(stored.number)"
        let rows = try Shell.sql(store.url!, query).map {
          $0.split(separator: "|", maxSplits: 1, omittingEmptySubsequences: false)
        }
        #expect(rows.count == objects.count)
        let texts = Dictionary(rows.map { (Int64($0[0])!, String($0[1])) }, uniquingKeysWith: { $1 })
        for object in objects {
          guard let text = texts[object.key] else { Issue.record("no row \(object.key)"); continue }
          // Whether they can be decoded is another matter: the bytes are there.
          let bytes: Data? = if case .data(let data) = object.committedValue(slot) { data } else { nil }
          let value = slot.kind == .transformable ? bytes : object.value(forKey: name)
          #expect(matches(value, text, slot), "\(entity.name!).\(name) of \(object.objectID)")
        }
      }
      for slot in objects[0].layout.slots where slot.kind == .toMany && !slot.isTransient {
        guard let toMany = stored.toManys[slot.name] else { Issue.record("\(slot.name) is not stored"); continue }
        let (table, owner): (String, String) =
          switch toMany.storage {
          case .foreignKey(let table, let column, _, _): (table, column)
          case .join(let table, let source, _, _, _): (table, source)
          }
        let rows = try Shell.sql(store.url!, "SELECT \(owner), COUNT(*) FROM \(table) GROUP BY 1")
        let counts = Dictionary(
          rows.map { row in
            let parts = row.split(separator: "|", omittingEmptySubsequences: false)
            return (Int64(parts[0]) ?? 0, Int(parts[1]) ?? 0)
          }, uniquingKeysWith: { $1 })
        for object in objects {
          let members = object.members(slot)
          #expect(members.count == counts[object.key] ?? 0, "\(entity.name!).\(slot.name) of \(object.objectID)")
          #expect(members.allSatisfy { $0.managedObjectContext === object.managedObjectContext })
        }
      }
    }
  }

  private func matches(_ value: Any?, _ text: String, _ slot: PropertySlot) -> Bool {
    if text == "NULL" { return value == nil }
    switch value {
    case let object as NSManagedObject: return "\(object.key)" == text
    case let date as Date: return date.timeIntervalSinceReferenceDate == Double(text)
    case let id as UUID: return withUnsafeBytes(of: id.uuid) { hex($0) } == text
    case let data as Data:
      return data.withUnsafeBytes { hex($0) } == text || ([1] + data).withUnsafeBytes { hex($0) } == text
    case let url as URL: return url.absoluteString.utf8.elementsEqual(unhexed(text))
    case let string as String: return string.utf8.elementsEqual(unhexed(text))
    case let number as NSDecimalNumber: return Double(number.stringValue) == Double(text)
    case let number as NSNumber: return number.doubleValue == Double(text)
    default: return false
    }
  }

  private func unhexed(_ text: String) -> [UInt8] {
    let digits = text.utf8.map { $0 <= 57 ? $0 - 48 : $0 - 55 }
    return stride(from: 0, to: digits.count - 1, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
  }

  private func hex(_ bytes: UnsafeRawBufferPointer) -> String {
    "X'" + bytes.map { String(format: "%02X", $0) }.joined() + "'"
  }

  // MARK: Writing

  /// The models of some stores validate text: it must contain this word.
  private static let newText = "changed title"

  /// One changed attribute changes one column and the version of one row, and nothing else in the file.
  @Test(arguments: stores) func oneChangedAttributeChangesOneRow(path: String) throws {
    guard let (url, model) = try copy(path) else { return }
    try Shell.sql(url, "CREATE TABLE unknown (a, b); INSERT INTO unknown VALUES (1, 'kept')")
    let before = try dump(url)
    let coordinator = try TestModel.coordinator(model, url: url)
    let store = try #require(coordinator.persistentStores.first as? SQLStore)
    let context = TestModel.context(coordinator)
    let outcome: (entity: String, failure: NSError?)? = try context.performAndWait {
      for entity in model.entities.sorted(by: { $0.name! < $1.name! }) {
        for object in try context.all(entity.name!) where object.entity === entity {
          guard
            let slot = object.layout.slots.first(where: {
              $0.kind == .string && !$0.isTransient && type(of: $0.attribute) == NSAttributeDescription.self
                && !entity.uniquenessConstraintNames.joined().contains($0.name)
            }), object.value(forKey: slot.name) != nil
          else { continue }
          object.setValue(Self.newText, forKey: slot.name)
          do { try context.save() } catch { return (entity.name!, error as NSError) }
          return (entity.name!, nil)
        }
      }
      return nil
    }
    try coordinator.remove(store)
    let after = try dump(url)
    guard let outcome else { return #expect(after == before) }
    if let failure = outcome.failure {
      #expect(after == before)
      Issue.record("\(url.lastPathComponent) \(path): \(outcome.entity) cannot be saved: \(failure)")
      return
    }
    let gone = before.filter { !after.contains($0) }, new = after.filter { !before.contains($0) }
    #expect(new.filter { $0.contains(Self.newText) }.count == 1, "\(new)")
    #expect(gone.count == new.count && new.count <= 2, "\(gone) \(new)")
    #expect(after.contains("INSERT INTO unknown VALUES(1,'kept');"))
    let again = TestModel.context(try TestModel.coordinator(model, url: url))
    let values = try again.performAndWait {
      try again.all(outcome.entity).flatMap { object in
        object.layout.slots.filter { $0.kind == .string }.map { object.value(forKey: $0.name) as? String }
      }
    }
    #expect(values.contains(Self.newText))
  }

  /// A new object of each entity whose mandatory attributes can be filled in.
  @Test(arguments: stores) func newObjects(path: String) throws {
    guard let (url, model) = try copy(path) else { return }
    let coordinator = try TestModel.coordinator(model, url: url)
    let store = try #require(coordinator.persistentStores.first as? SQLStore)
    let keys = try Shell.sql(url, "SELECT Z_MAX FROM Z_PRIMARYKEY WHERE Z_SUPER = 0 AND Z_ENT < 16000").compactMap(
      Int.init)
    let metadata = Corpus.metadata(of: url) as NSDictionary
    var inserted = 0
    let context = TestModel.context(coordinator)
    context.performAndWait {
      for entity in model.entities.sorted(by: { $0.name! < $1.name! }) where !entity.isAbstract {
        let hasRelations = entity.relationshipsByName.values.contains { !$0.isOptional }
        if hasRelations { continue }
        let object = context.make(entity.name!)
        for slot in object.layout.slots where !slot.kind.isRelationship {
          if slot.kind == .composite || object.value(forKey: slot.name) != nil { continue }
          switch slot.kind {
          case .string: object.setValue("new \(UUID())", forKey: slot.name)
          case .date: object.setValue(Date(), forKey: slot.name)
          case .uuid: object.setValue(UUID(), forKey: slot.name)
          case .data: object.setValue(Data([1, 2]), forKey: slot.name)
          case .transformable:
            // Some name transformers that only their applications have.
            let name = slot.attribute.valueTransformerName ?? "NSSecureUnarchiveFromData"
            if ValueTransformer(forName: NSValueTransformerName(name)) != nil {
              object.setValue(["new": "value"], forKey: slot.name)
            }
          case .uri: object.setValue(URL(string: "https://example.org"), forKey: slot.name)
          default: object.setValue(1, forKey: slot.name)
          }
        }
        do {
          try context.save()
          inserted += 1
        } catch {
          Issue.record("\(path): \(entity.name!) cannot be inserted: \(error)")
          context.rollback()
        }
      }
    }
    try coordinator.remove(store)
    let now = try Shell.sql(url, "SELECT Z_MAX FROM Z_PRIMARYKEY WHERE Z_SUPER = 0 AND Z_ENT < 16000").compactMap(
      Int.init)
    #expect(now.reduce(0, +) == keys.reduce(0, +) + inserted)
    #expect(try Shell.sql(url, "PRAGMA integrity_check") == ["ok"])
    #expect(Corpus.metadata(of: url) as NSDictionary == metadata)
  }

  /// Apple's own triggers count the pages of books; what they change is seen by objects and by fetches.
  @Test(arguments: stores.filter { $0.contains("SampleModel2_V") }) func derivedAttributes(path: String) throws {
    guard let (url, model) = try copy(path) else { return }
    let triggers = try Shell.sql(url, "SELECT sql FROM sqlite_master WHERE type = 'trigger'")
    let coordinator = try TestModel.coordinator(model, url: url)
    let context = TestModel.context(coordinator)
    try context.performAndWait {
      let books = try context.all("Book")
      let (book, other) = (try #require(books.first), try #require(books.last))
      let counts = books.map { $0.value(forKey: "pagesCount") as? Int ?? 0 }
      let name = NSValueTransformerName("ContentTransformer")
      ValueTransformer.setValueTransformer(NSSecureUnarchiveFromDataTransformer(), forName: name)
      let page = context.make("Page", ["number": 1, "isBookmarked": true, "book": book, "content": "text"])
      let second = context.make("Page", ["number": 2, "isBookmarked": true, "book": book, "content": "text"])
      try context.save()
      #expect(book.value(forKey: "pagesCount") as? Int == counts[0] + 2)
      page.setValue(other, forKey: "book")
      try context.save()
      #expect(book.value(forKey: "pagesCount") as? Int == counts[0] + 1)
      #expect(other.value(forKey: "pagesCount") as? Int == counts[counts.count - 1] + 1)
      context.delete(second)
      try context.save()
      #expect(book.value(forKey: "pagesCount") as? Int == counts[0])
      let request = NSFetchRequest<NSManagedObject>(entityName: "Book")
      request.predicate = NSPredicate(format: "pagesCount == pages.@count")
      #expect(try context.count(for: request) == books.count)
    }
    try coordinator.remove(try #require(coordinator.persistentStores.first))
    #expect(try Shell.sql(url, "SELECT sql FROM sqlite_master WHERE type = 'trigger'") == triggers)
  }
}
