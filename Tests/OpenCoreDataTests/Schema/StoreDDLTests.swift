import CoreData
import Foundation
import Testing

@_spi(Store) @testable import OpenCoreData

/// New stores, made from the models of stores that Apple's framework made, have the same schema.
@Suite(.enabled(if: Corpus.isThere && Shell.hasSQLite, "the corpus of stores or sqlite3 is not there"))
struct StoreDDLTests {
  static let stores = Corpus.files(".sqlite", below: "stores")

  /// Why a statement of Apple's file is not among ours, or ours not among Apple's; nil for a reason that is not known.
  private static func exception(_ statement: String, version: Int) -> String? {
    let name = name(of: statement)
    if ["ACHANGE", "ATRANSACTION", "Z_TRANSACTION"].contains(where: name.hasPrefix) {
      return "history tables are made where history is tracked"
    }
    if version < 637, name == "Z_MODELCACHE" { return "no model cache up to framework 519, one from 637" }
    return nil
  }

  @Test(arguments: stores) func schemaIsThatOfTheFile(store: URL) throws {
    let copy = try Self.copy(store)
    defer { try? FileManager.default.removeItem(at: copy.deletingLastPathComponent()) }
    let model = try #require(try Self.model(of: copy, beside: store), "no model of \(store.path)")
    let new = try TestModel.temporaryFile("New.sqlite")
    defer { try? FileManager.default.removeItem(at: new.deletingLastPathComponent()) }
    _ = try TestModel.coordinator(model, url: new)
    let version = try Self.frameworkVersion(of: copy)
    let (theirs, ours) = (try Self.statements(of: copy), try Self.statements(of: new))
    let (missing, more) = (theirs.filter { !ours.contains($0) }, ours.filter { !theirs.contains($0) })
    for (side, statements) in [("theirs", missing), ("ours", more)] {
      for statement in statements {
        let reason = Self.exception(statement, version: version)
        #expect(reason != nil, "only \(side), framework \(version): \(statement)")
        if let reason {
          print("\(store.lastPathComponent) \(version), only \(side), \(reason): \(statement.prefix(60))")
        }
      }
    }
    if Self.isMigrated(theirs) {
      print("\(store.lastPathComponent) \(version), order differs: a migration has made tables anew")
    } else if version < 637 {
      print("\(store.lastPathComponent) \(version), order differs: indexes follow their tables up to framework 519")
    } else {
      #expect(Self.ordered(ours.filter(theirs.contains)) == Self.ordered(theirs.filter(ours.contains)))
    }
  }

  /// Whether tables came after those that describe the store, or these in another order.
  private static func isMigrated(_ statements: [String]) -> Bool {
    let tables = statements.filter { $0.hasPrefix("CREATE TABLE Z") }.map(name)
    return !tables.joined(separator: " ").replacingOccurrences(of: " Z_MODELCACHE", with: "")
      .hasSuffix("Z_PRIMARYKEY Z_METADATA")
  }

  /// The statements, those of indexes of single attributes sorted: Apple's framework has no order for them.
  private static func ordered(_ statements: [String]) -> [String] {
    var result: [String] = []
    var indexes: [String] = []
    for statement in statements {
      if statement.hasPrefix("CREATE INDEX Z_"), !statement.contains(",") {
        indexes.append(statement)
      } else {
        result += indexes.sorted() + [statement]
        indexes = []
      }
    }
    return result + indexes.sorted()
  }

  private static func copy(_ store: URL) throws -> URL {
    let url = try TestModel.temporaryFile("Copy.sqlite")
    for suffix in ["", "-wal"] where FileManager.default.fileExists(atPath: store.path + suffix) {
      try Data(contentsOf: URL(fileURLWithPath: store.path + suffix))
        .write(to: URL(fileURLWithPath: url.path + suffix))
    }
    return url
  }

  /// The model in the store's cache; for the one store that has none, and whose model is in a format that is not read,
  /// a model with its properties.
  private static func model(of store: URL, beside original: URL) throws -> NSManagedObjectModel? {
    if let model = try StoredModel(contentsOf: store).model { return model }
    return original.lastPathComponent == "RKSeedDatabase.sqlite" ? tweets() : nil
  }

  private static func tweets() -> NSManagedObjectModel {
    let texts = { (names: [String]) in names.map { TestModel.attribute($0, .stringAttributeType) } }
    let tweet = TestModel.entity(
      "Tweet",
      texts(["inReplyToScreenName", "text", "urlString"]) + [
        TestModel.attribute("createdAt", .dateAttributeType), TestModel.attribute("isFavorited", .booleanAttributeType),
        TestModel.attribute("statusID", .integer64AttributeType),
      ])
    let user = TestModel.entity(
      "User", texts(["name", "screenName"]) + [TestModel.attribute("userID", .integer64AttributeType)])
    TestModel.relate(tweet, "user", max: 1, user, "tweets", max: 0)
    let model = NSManagedObjectModel()
    model.entities = [tweet, user]
    return model
  }

  private static func frameworkVersion(of store: URL) throws -> Int {
    (try StoredModel(contentsOf: store).metadata["NSPersistenceFrameworkVersion"] as? NSNumber)?.intValue ?? 0
  }

  /// The schema in its order, with one space for any, and names without quotes.
  private static func statements(of store: URL) throws -> [String] {
    try Shell.sql(store, "SELECT replace(sql, char(10), ' ') FROM sqlite_master WHERE sql NOT NULL ORDER BY rowid").map
    {
      $0.replacingOccurrences(of: "\"", with: "").split(separator: " ").joined(separator: " ")
    }
  }

  private static func name(of statement: String) -> String {
    let words = statement.split(separator: " ").map(String.init)
    return words[words[1] == "UNIQUE" ? 3 : 2]
  }
}
