#if PostgreSQL
  import CoreData
  import CoreDataPostgreSQL
  import Foundation
  import PostgreSQLTestServer
  import Testing

  @Suite(
    "A server sorts strings as sort descriptors do",
    .enabled(if: PostgreSQLServer.isInstalled, "PostgreSQL is not installed"))
  struct StringOrderTests {
    @Test(arguments: ["caseInsensitiveCompare:", "localizedCompare:", "localizedCaseInsensitiveCompare:"])
    func orders(_ selector: String) throws {
      for isAscending in [true, false] {
        let problems = try StringOrders.problems(at: try TestPlace.new(), selector, isAscending: isAscending)
        for problem in problems { Issue.record("\(selector) \(problem)") }
      }
    }

    @Test func orderOfFileBrowsers() throws {
      let problems = try StringOrders.problems(at: try TestPlace.new(), "localizedStandardCompare:", isAscending: true)
      for problem in problems { Issue.record("\(problem)") }
    }

    @Test func randomWordsInAnOrderWithoutCase() throws {
      var random = RandomWords(seed: 5)
      let words = (0..<400).map { _ in random.word() }
      let problems = try StringOrders.problems(at: try TestPlace.new(), "caseInsensitiveCompare:", words)
      for problem in problems { Issue.record("\(problem)") }
    }
  }
#endif
