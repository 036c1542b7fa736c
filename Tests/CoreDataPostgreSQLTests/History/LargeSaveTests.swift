#if PostgreSQL
  import CoreData
  import Foundation
  import PostgreSQLTestServer
  import Testing

  @testable import CoreDataPostgreSQL

  /// Saves of many rows do not ask the server for the rows that they have written themselves.
  @Suite(.enabled(if: PostgreSQLServer.isInstalled, "PostgreSQL is not installed"))
  struct LargeSaveTests {
    /// What another program calls an object.
    private func id(_ id: NSManagedObjectID, in program: HistoryProgram) throws -> NSManagedObjectID {
      try #require(program.coordinator.managedObjectID(forURIRepresentation: id.uriRepresentation()))
    }

    /// Small saves ask for all changed rows, large ones for those of others: both hear of them.
    @Test(arguments: [5, 150]) func aSaveHearsOfOthersChanges(rows: Int) throws {
      let url = try TestPlace.new()
      let other = try HistoryProgram(url), program = try HistoryProgram(url)
      let changedByOther = try other.save("a"), goneByOther = try other.save("b")
      let changed = try id(changedByOther, in: program), gone = try id(goneByOther, in: program)
      #expect(program.text(of: changed) == "a" && program.text(of: gone) == "b")
      try other.change(changedByOther, to: "c")
      try other.context.performAndWait {
        other.context.delete(try other.context.existingObject(with: goneByOther))
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
      try other.change(id(saved[rows - 1], in: other), to: "theirs")
      #expect(program.text(of: saved[rows - 1]) == "theirs")
      #expect(program.text(of: saved[0]) == "new 0")
    }
  }
#endif
