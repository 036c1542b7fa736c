import CoreData
import Testing

@_spi(Store) @testable import OpenCoreData

/// Transformable values that Apple's framework wrote.
@Suite(.enabled(if: Corpus.isThere && Shell.hasSQLite, "the corpus of stores or sqlite3 is not there"))
struct StoredTransformableTests {
  /// A copy of a store, with the model of its cache.
  private func copy(_ name: String) throws -> StoreFile {
    let path = try #require(Corpus.files("/\(name)", below: "stores").first).path
    let url = try TestModel.temporaryFile("Copy.sqlite")
    for suffix in ["", "-wal"] where FileManager.default.fileExists(atPath: path + suffix) {
      try FileManager.default.copyItem(atPath: path + suffix, toPath: url.path + suffix)
      try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: url.path + suffix)
    }
    try Shell.sql(url, "PRAGMA wal_checkpoint(TRUNCATE)")
    let cache = try #require(Corpus.blob("SELECT Z_CONTENT FROM Z_MODELCACHE", in: url))
    let model = try ModelCache.decode(cache)
    // Other tests register transformers under the names that applications gave theirs.
    for attribute in model.entities.flatMap(\.attributesByName.values) {
      guard let name = attribute.valueTransformerName, !name.hasPrefix("NS") else { continue }
      attribute.valueTransformerName = "An application's \(name)"
    }
    return try StoreFile(.sqlite, model, url: url)
  }

  @Test func dictionariesOfASecureArchiveDecode() throws {
    try copy("SampleStore2.0.sqlite").opened { context in
      var decoded = 0
      for object in try context.all("OCKCDContact") {
        for slot in object.layout.transformables {
          // Of the standard transformer's classes: none is an error.
          let value = try object.transformedValue(forKey: slot.name)
          guard let value else { continue }
          decoded += 1
          #expect(value is NSDictionary || value is NSArray)
          if let dictionary = value as? [String: String] { #expect(!dictionary.isEmpty) }
        }
      }
      #expect(decoded > 0)
    }
  }

  @Test func anObjectOfAnApplicationsOwnTransformerIsAnErrorAndStays() throws {
    let file = try copy("SampleModel2_V1.sqlite")
    let query = "SELECT hex(ZCOVER) FROM ZBOOK WHERE ZCOVER IS NOT NULL ORDER BY Z_PK"
    let before = try Shell.sql(file.url, query)
    #expect(!before.isEmpty)
    try file.opened { context in
      let covered = try context.all("Book").filter { book in
        do { return try book.transformedValue(forKey: "cover") != nil } catch {
          let error = error as NSError
          #expect(error.code == NSCoreDataError && error.userInfo["attribute"] as? String == "cover")
          #expect(error.localizedDescription.contains("CoverTransformer"))
          return true
        }
      }
      #expect(covered.count == before.count && covered.allSatisfy { $0.value(forKey: "cover") == nil })
    }
    #expect(try Shell.sql(file.url, query) == before)
  }
}
