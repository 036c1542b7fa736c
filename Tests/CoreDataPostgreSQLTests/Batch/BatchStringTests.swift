#if PostgreSQL
  import CoreData
  import Testing

  @testable import CoreDataPostgreSQL

  /// Requests whose rows the framework has to judge: their strings are looked up in the transaction that writes.
  @Suite("Batch requests that ask for strings under options", .needsServer)
  struct BatchStringTests {
    private static let names = ["Äpfel", "apfel", "Birne", "BIRNE", "straße", "STRASSE", "ﬁsch", "Fisch", "çay", "Çay"]

    private func worlds() throws -> [BatchWorld] {
      try [true, false].map { isServer in
        let world = try BatchWorld(BatchModels.products(), isServer: isServer)
        try world.inContext { context in
          let rows = Self.names.enumerated().map { ["tag": "p\($0)", "name": $1, "stock": 0] as [String: Any] }
          _ = try context.insertBatch("Product", rows)
          context.make("Shop", ["tag": "s", "name": "Ämter"])
            .setValue(NSSet(array: Array(try context.all("Product").prefix(5))), forKey: "products")
          try context.save()
        }
        return world
      }
    }

    @Test(arguments: [
      "name CONTAINS[cd] 'apf'", "name ==[c] 'strasse'", "name MATCHES '[ÄÇ].*'", "name LIKE[cd] 'c?y'",
      "lowercase:(name) == 'äpfel'", "shop.name BEGINSWITH[cd] 'am'",
      "name CONTAINS[cd] 'i' AND shop.name ENDSWITH[c] 'R'",
    ]) func updatesAndDeletions(format: String) throws {
      let worlds = try worlds()
      let updated = try worlds.map { world in
        try world.inContext { try $0.updateBatch("Product", format, ["stock": 7, "name": "Über"]) }
      }
      #expect(updated[0] == updated[1])
      #expect(try worlds[0].contents() == worlds[1].contents())
      let others = try self.worlds()
      let deleted = try others.map { world in try world.inContext { try $0.deleteBatch("Product", format) } }
      #expect(deleted[0] == deleted[1])
      #expect(try others[0].contents() == others[1].contents())
      #expect((updated[0] ?? 0) > 0)
    }

    /// A value that others write between the lookup and the update must not be taken for one that does not match.
    @Test func othersWriteMeanwhile() throws {
      let world = try BatchWorld(BatchModels.products())
      try world.inContext { _ = try $0.insertBatch("Product", [["tag": "p", "name": "Ä0", "stock": 0]]) }
      let rounds = 15
      let failures = Failures()
      DispatchQueue.concurrentPerform(iterations: 2) { thread in
        for round in 0..<rounds {
          do {
            let values: [String: Any] = ["stock": NSExpression(format: "stock + 1"), "name": "Ä\(thread).\(round)"]
            let count = try world.inContext { try $0.updateBatch("Product", "name BEGINSWITH[cd] 'a'", values) }
            if count != 1 { failures.add("\(count ?? -1) rows") }
          } catch { failures.add("\(error)") }
        }
      }
      #expect(failures.all.isEmpty)
      #expect(try world.texts("SELECT stock::text FROM \"Product\"") == ["\(2 * rounds)"])
    }
  }

  /// What went wrong on any thread.
  private final class Failures: @unchecked Sendable {  // `lock`
    private let lock = NSLock()
    private var texts: [String] = []

    func add(_ text: String) { lock.withLock { texts.append(text) } }
    var all: [String] { lock.withLock { texts } }
  }
#endif
