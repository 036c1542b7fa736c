#if PostgreSQL
  import CoreData
  import Foundation
  import PostgreSQLTestServer
  import Testing

  @testable import CoreDataPostgreSQL

  /// Saves of many rows do not ask the server for the rows that they have written themselves.
  @Suite(.enabled(if: PostgreSQLServer.isInstalled, "PostgreSQL is not installed"))
  struct LargeSaveTests {
    /// Small saves ask for all changed rows, large ones for those of others: both hear of them.
    @Test(arguments: [5, 150]) func aSaveHearsOfOthersChanges(rows: Int) throws {
      let url = try TestPlace.new()
      let other = try HistoryProgram(url), program = try HistoryProgram(url)
      let changed = try other.save("a"), gone = try other.save("b")
      #expect(program.text(of: changed) == "a" && program.text(of: gone) == "b")
      try other.change(changed, to: "c")
      try other.context.performAndWait {
        other.context.delete(try other.context.existingObject(with: gone))
        try other.context.save()
      }
      let saved = try program.context.performAndWait {
        let notes = (0..<rows).map { number in
          let note = NSEntityDescription.insertNewObject(forEntityName: "Note", into: program.context)
          note.setValue("new \(number)", forKey: "text")
          return note
        }
        try program.context.save()
        return notes.map(\.objectID)
      }
      #expect(program.text(of: changed) == "c")
      #expect(program.text(of: gone) == nil)
      // What others do to the rows of the save afterwards is heard as well.
      try other.change(saved[rows - 1], to: "theirs")
      #expect(program.text(of: saved[rows - 1]) == "theirs")
      #expect(program.text(of: saved[0]) == "new 0")
    }

    /// Its own rows are in the cache: firing their faults asks the server for none of them.
    @Test func theRowsOfALargeSaveAreInTheCache() throws {
      let world = try ProxiedWorld(BatchModels.products()), context = world.store.context
      try context.performAndWait {
        let products = (0..<150).map { context.make("Product", ["tag": "t\($0)", "name": "n\($0)"]) }
        try context.save()
        world.proxy.resetCounts()
        for product in products { context.refresh(product, mergeChanges: false) }
        #expect(products.map { $0.value(forKey: "name") as? String } == (0..<150).map { "n\($0)" })
        #expect(world.proxy.count(of: .client) == 0)
      }
    }
  }
#endif
