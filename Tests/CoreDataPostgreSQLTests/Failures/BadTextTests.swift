#if PostgreSQL
  import CoreData
  import Foundation
  import PostgreSQLTestServer
  import Testing

  @testable import CoreDataPostgreSQL

  @Suite("Texts that servers do not take, and hostile ones", .needsServer)
  struct BadTextTests {
    /// Nothing is sent, and the error says which attribute it is.
    @Test func aStringWithNULIsRefused() throws {
      let world = try ProxiedWorld(BatchModels.products()), context = world.store.context
      try context.performAndWait {
        let product = context.make("Product", ["tag": "a", "name": "good"])
        try context.save()
        product.setValue("a\0b", forKey: "name")
        world.proxy.resetCounts()
        let error = #expect(throws: NSError.self) { try context.save() }
        #expect(world.proxy.count(of: .client) == 0)
        #expect(error?.domain == NSCocoaErrorDomain && error?.code == NSPersistentStoreSaveError)
        #expect(error?.userInfo[NSValidationKeyErrorKey] as? String == "name")
        #expect(error?.localizedDescription.contains("name of Product has the character U+0000") == true)
        product.setValue("better", forKey: "name")
        try context.save()
      }
      #expect(try world.direct.texts("SELECT name FROM \"Product\"") == ["better"])
    }

    /// The error names the new object that has it, and the others are saved with it once it is mended.
    @Test(arguments: [3, 150]) func aNewObjectWithNULIsNamed(count: Int) throws {
      let world = try BatchWorld(BatchModels.products())
      try world.inContext { context in
        let products = (0..<count).map { context.make("Product", ["tag": "t\($0)", "name": "n\($0)"]) }
        products[count - 2].setValue("a\0b", forKey: "name")
        let error = #expect(throws: NSError.self) { try context.save() }
        #expect(error?.code == NSPersistentStoreSaveError)
        #expect(error?.userInfo[NSValidationObjectErrorKey] as? NSManagedObject === products[count - 2])
        #expect(products.allSatisfy { $0.isInserted && $0.objectID.isTemporaryID })
        products[count - 2].setValue("better", forKey: "name")
        try context.save()
      }
      try world.inContext { context in
        let names = Set(try context.all("Product").compactMap { $0.value(forKey: "name") as? String })
        #expect(names == Set((0..<count).map { $0 == count - 2 ? "better" : "n\($0)" }))
      }
    }

    /// No object has such a string: there are none, or the error says why it is not asked.
    @Test(arguments: ["==", "CONTAINS", "BEGINSWITH", "==[c]", "CONTAINS[cd]", "LIKE", "IN", "!="])
    func aPredicateWithNUL(comparison: String) throws {
      let world = try BatchWorld(BatchModels.products())
      try world.inContext { context in
        context.make("Product", ["tag": "ab", "name": "b"])
        try context.save()
        let request = NSFetchRequest<NSManagedObject>(entityName: "Product")
        let constant: Any = comparison == "IN" ? ["a\0b"] : "a\0b"
        request.predicate = NSPredicate(format: "tag \(comparison) %@", argumentArray: [constant])
        do {
          #expect(try context.fetch(request).count == (comparison == "!=" ? 1 : 0))
        } catch {
          checkFailure(error, comparison)
          #expect((error as NSError).code == NSCoreDataError)
        }
        #expect(try context.all("Product").count == 1)
      }
    }

    static let hostile = [
      "'; DROP TABLE \"Product\"; --", "\"; DROP TABLE \"Product\"; --", "\\'; DROP TABLE \"Product\"; --", "$1", "$$",
      "$a$",
      "%s%n", "\\", "\\\\", "'", "''", "\"", "a\nb\r\tc", "\u{1}\u{7f}", "é\u{301}\u{202e}", "𝄞🧑‍🧑‍🧒‍🧒",
      "\u{fffd}\u{ffff}\u{10ffff}",
      "{a,b}", "NULL", "{}", "/*", "*/", "--", "; SELECT pg_sleep(100)", "E'\\x41'", "U&'\\0061'", "?", "@@", ":name",
      String(repeating: "'\"\\", count: 20_000), "", " ",
    ]

    /// They come back as they are, and are found, by every way into SQL.
    @Test func hostileValues() throws {
      let world = try BatchWorld(BatchModels.products())
      try world.inContext { context in
        for (number, text) in Self.hostile.enumerated() {
          context.make("Product", ["tag": text, "name": "n", "code": number])
        }
        try context.save()
      }
      let rows = Self.hostile.enumerated().map { ["tag": $1, "name": "batch", "code": 1000 + $0] as [String: Any] }
      #expect(try world.inContext { try $0.insertBatch("Product", rows) } == rows.count)
      try world.inContext { context in
        for (number, text) in Self.hostile.enumerated() where !text.isEmpty {
          let request = NSFetchRequest<NSManagedObject>(entityName: "Product")
          for format in [
            "tag == %@", "tag IN {%@, 'no such'}", "tag LIKE %@ OR tag == %@", "tag BEGINSWITH %@ AND tag == %@",
          ] {
            request.predicate = NSPredicate(format: format, argumentArray: [text, text])
            let found = try context.fetch(request).map { $0.value(forKey: "code") as? Int ?? -1 }
            let isExact = !format.contains("LIKE")
            #expect(
              isExact ? Set(found) == [number, 1000 + number] : Set(found).isSuperset(of: [number, 1000 + number]),
              "\(format) \(text.prefix(50))")
          }
        }
        let update = NSBatchUpdateRequest(entityName: "Product")
        update.predicate = NSPredicate(format: "tag == %@", Self.hostile[0])
        update.propertiesToUpdate = ["name": Self.hostile[1]]
        _ = try context.execute(update)
        #expect(try context.all("Product", "code == 0").first?.value(forKey: "name") as? String == Self.hostile[1])
        #expect(try context.all("Product").count == 2 * Self.hostile.count)
      }
    }
  }
#endif
