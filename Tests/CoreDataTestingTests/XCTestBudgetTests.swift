#if canImport(XCTest)
  import CoreData
  import CoreDataTesting
  import XCTest

  /// Budgets in a test of XCTest.
  final class XCTestBudgetTests: XCTestCase {
    private var failures: [String]?

    override func recordFailure(
      withDescription description: String, inFile filePath: String, atLine lineNumber: Int, expected: Bool
    ) {
      if failures != nil, filePath.hasSuffix("XCTestBudgetTests.swift") {
        failures?.append(description)
      } else {
        super.recordFailure(
          withDescription: description, inFile: filePath, atLine: lineNumber, expected: expected)
      }
    }

    func testBudgets() throws {
      let entity = NSEntityDescription()
      entity.name = "Thing"
      let model = NSManagedObjectModel()
      model.entities = [entity]
      let container = try TestContainer.inMemory(model), context = container.newBackgroundContext()
      let request = NSFetchRequest<NSManagedObject>(entityName: "Thing")
      func count() throws -> Int { try context.performAndWait { try context.count(for: request) } }
      try expectStatements(exactly: 1) { XCTAssertEqual(try count(), 0) }
      failures = []
      try expectStatements(atMost: 1) { for _ in 0..<2 { _ = try count() } }
      let found = failures ?? []
      failures = nil
      XCTAssertEqual(found.count, 1)
      XCTAssertTrue(found.first?.contains("2 statements ran, where at most 1 were expected:") == true, "\(found)")
    }
  }
#endif
