import Foundation
import Testing

@testable import OpenCoreData

/// Sentences that count: one, and more than one.
@Suite struct ErrorSentenceTests {
  @Test(arguments: [(1, ""), (2, " (There is 1 more reason.)"), (3, " (There are 2 more reasons.)")])
  func reasonsAgainstAMapping(_ count: Int, _ end: String) throws {
    let obstacles = (1...count).map {
      MigrationObstacle(kind: .noInferredMapping, entity: "Book", property: "p\($0)", reason: "no.")
    }
    let error = try #require(MigrationObstacle.inferenceError(obstacles))
    #expect(error.localizedDescription.hasSuffix("Book.p1: no." + end))
  }

  @Test(arguments: [(1, "."), (2, ", and 1 other conflict."), (3, ", and 2 other conflicts.")])
  func conflictsOfUniqueValues(_ count: Int, _ end: String) {
    let entity = NSEntityDescription()
    entity.name = "Book"
    let model = NSManagedObjectModel()
    model.entities = [entity]
    let conflicts = (1...count).map { _ in
      NSConstraintConflict(
        constraint: ["isbn"], database: nil, databaseSnapshot: nil,
        conflicting: [NSManagedObject(entity: entity, insertInto: nil)], conflictingSnapshots: [[String: Any]()])
    }
    #expect(NSError(constraintConflicts: conflicts).localizedDescription.hasSuffix("isbn of Book" + end))
  }
}
