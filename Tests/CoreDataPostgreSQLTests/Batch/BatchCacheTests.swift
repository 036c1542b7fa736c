#if PostgreSQL
  import CoreData
  import Testing

  @testable import CoreDataPostgreSQL

  /// Two coordinators know as little of each other as two processes do.
  @Suite("Batch requests and the caches of others", .needsServer)
  struct BatchCacheTests {
    /// - Parameter count: above 10,000 others are told no single rows.
    @Test(arguments: [20, 12_000]) func othersSeeWhatABatchHasChanged(count: Int) throws {
      let world = try BatchWorld(BatchModels.products())
      try world.inContext { context in
        for number in 0..<3 { context.make("Shop", ["tag": "s\(number)", "name": "S\(number)"]) }
        try context.save()
      }
      let other = try BatchWorld(BatchModels.products(), at: world.url)
      var shown = 0

      /// Both have read everything; one writes; then the other one reads.
      func check(_ what: String, _ body: (NSManagedObjectContext) throws -> Int?) throws {
        let count = try world.inContext { try body($0) }
        #expect((count ?? 0) > 0, "\(what)")
        let fresh = try BatchWorld(BatchModels.products(), at: world.url)
        let contents = try fresh.sums()
        #expect(try other.sums() == contents, "\(what)")
        #expect(try world.sums() == contents, "\(what)")
        shown += 1
      }

      _ = try other.sums()
      try check("an insert") { context in
        try context.insertBatch("Product", (0..<count).map { ["tag": "p\($0)", "name": "N\($0)", "code": $0] })
      }
      try check("an update of a relationship and what is derived") { context in
        let shop = try #require(try context.all("Shop", "tag == 's1'").first)
        return try context.updateBatch("Product", "code >= \(count / 8)", ["shop": shop.objectID, "weight": 2])
      }
      try check("a name that others show") { try $0.updateBatch("Shop", "tag == 's1'", ["name": "renamed"]) }
      try check("a deletion of members") { try $0.deleteBatch("Product", "code < \(count / 4)") }
      try check("a deletion that nullifies") { try $0.deleteBatch("Shop", "tag == 's1'") }
      #expect(shown == 5)
    }
  }

  extension BatchWorld {
    /// What the lasting context sees of products and shops, in few words.
    fileprivate func sums() throws -> [String] {
      try context.performAndWait {
        context.refreshAllObjects()
        var sums: [String: Int] = [:]
        for product in try context.all("Product") {
          let shop = product.value(forKey: "shop") as? NSManagedObject
          let words = [
            product.value(forKey: "weight"), product.value(forKey: "shopName"), shop?.value(forKey: "name"),
          ]
          sums["\(words.map { $0.map { "\($0)" } ?? "nil" })", default: 0] += 1
        }
        let shops = try context.all("Shop").map { shop in
          let members = shop.value(forKey: "products") as? NSSet
          let words = ["name", "productCount", "weight"].map { shop.value(forKey: $0).map { "\($0)" } ?? "nil" }
          return "\(words) \(members?.count ?? -1)"
        }
        return sums.map { "\($0.key): \($0.value)" }.sorted() + shops.sorted()
      }
    }
  }
#endif
