import CoreData
import Testing

@_spi(Store) @testable import OpenCoreData

/// The statements of batch requests.
@Suite struct BatchSQLTests {
  private func statements(
    _ model: NSManagedObjectModel, _ body: (NSManagedObjectContext) throws -> Void
  ) throws -> [String] {
    try TestModel.coordinator(model).inContext { context in
      try StatementLog.collect(thisThread: true) { try body(context) }.statements.filter { text in
        ["INSERT", "UPDATE", "DELETE", "SELECT"].contains { text.hasPrefix($0) } && !text.contains("Z_PRIMARYKEY")
      }
    }
  }

  @Test func anInsertIsOneStatementForEachRow() throws {
    let model = BatchModel.graph()
    let statements = try statements(model) { context in
      _ = try context.insertBatch(NSBatchInsertRequest(entityName: "Card", objects: [["name": "a"], [:]]))
    }
    let insert = "INSERT INTO ZCARD(Z_PK, Z_ENT, Z_OPT, ZNAME, ZNODE, Z3_NODE) VALUES(?, ?, ?, ?, ?, ?)"
    #expect(statements == [insert, insert].map { $0.replacingOccurrences(of: "Z3_NODE", with: nodeColumn(model)) })
  }

  private func nodeColumn(_ model: NSManagedObjectModel) -> String {
    model.prepare()
    return "Z\(model.entitiesByName["Node"]!.storeNumber)_NODE"
  }

  @Test func anUpsertLooksForTheRowAndChangesWhatWasGiven() throws {
    let statements = try statements(BatchModel.products(unique: true)) { context in
      context.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
      let request = NSBatchInsertRequest(entityName: "Product", objects: [["name": "a"], ["name": "a", "stock": 4]])
      _ = try context.insertBatch(request)
    }
    #expect(
      statements.suffix(2) == [
        "SELECT Z_PK, Z_ENT FROM ZPRODUCT WHERE ZNAME = ?",
        "UPDATE ZPRODUCT SET ZSTOCK = ?, ZNAME = ?, ZUPPER = ?, Z_OPT = (Z_OPT + 1) WHERE Z_PK = ?",
      ])
  }

  @Test func aDeletionThatTouchesNobodyIsOneStatement() throws {
    let model = BatchModel.graph { _ in .noActionDeleteRule }
    #expect(
      try statements(model) { try $0.deleteBatch("Card", where: "name == 'a'") } == [
        "DELETE FROM ZCARD AS t0 WHERE t0.ZNAME = ?"
      ])
    #expect(try statements(model) { try $0.deleteBatch("Tag") } == ["DELETE FROM ZTAG AS t0"])
    #expect(
      try statements(model) { try $0.deleteBatch("Card", where: "name == 'a'", .resultTypeObjectIDs) } == [
        "DELETE FROM ZCARD AS t0 WHERE t0.ZNAME = ? RETURNING Z_PK, Z_ENT"
      ])
  }

  @Test func theRulesAreStatementsOverATableOfKeys() throws {
    let rules: [String: NSDeleteRule] = ["Node.children": .cascadeDeleteRule, "Node.friends": .denyDeleteRule]
    let model = BatchModel.graph { rules[$0] ?? .nullifyDeleteRule }
    let statements = try statements(model) { context in
      _ = context.make("Leaf", ["name": "a", "tags": [context.make("Tag")]])
      try context.save()
      _ = try StatementLog.collect(thisThread: true) { try context.deleteBatch("Leaf", where: "name == 'a'") }
    }
    let keys = "OCD_DELETED_3"
    let all = statements.drop { $0 != "DELETE FROM \(keys)" }
    #expect(model.entitiesByName["Node"]!.storeNumber == 3 && model.entitiesByName["Leaf"]!.storeNumber == 4)
    let cascade =
      "INSERT OR IGNORE INTO \(keys)(Z_PK, Z_ENT, OCD_LEVEL) SELECT t2.Z_PK, t2.Z_ENT, ? FROM \(keys) t0 "
      + "CROSS JOIN ZNODE t2 ON t2.ZPARENT = t0.Z_PK WHERE t0.OCD_LEVEL = ?"
    #expect(
      Array(all) == [
        "DELETE FROM \(keys)",
        "INSERT INTO \(keys)(Z_PK, Z_ENT) SELECT t0.Z_PK, t0.Z_ENT FROM ZNODE t0 WHERE t0.ZNAME = ? AND "
          + "likelihood(t0.Z_ENT = 4, 0.4)",
        cascade,
        "SELECT t0.Z_PK FROM \(keys) t0 CROSS JOIN Z_3FRIENDS t1 ON t1.Z_3FRIENDS = t0.Z_PK "
          + "CROSS JOIN ZNODE t2 ON t2.Z_PK = t1.Z_3FRIENDS1 WHERE t2.Z_PK NOT IN (SELECT Z_PK FROM \(keys)) LIMIT 1",
        "UPDATE ZCARD SET ZNODE = NULL, Z3_NODE = NULL, Z_OPT = (Z_OPT + 1) WHERE ZNODE IN (SELECT Z_PK FROM \(keys))",
        "DELETE FROM Z_3FRIENDS WHERE Z_3FRIENDS IN (SELECT Z_PK FROM \(keys))",
        "DELETE FROM Z_3FRIENDS WHERE Z_3FRIENDS1 IN (SELECT Z_PK FROM \(keys))",
        "DELETE FROM Z_3TAGS WHERE Z_3NODES IN (SELECT Z_PK FROM \(keys))",
        "DELETE FROM ZNODE WHERE Z_PK IN (SELECT Z_PK FROM \(keys))",
        "DELETE FROM \(keys)",
      ], "\(all.joined(separator: "\n"))")
  }
}
