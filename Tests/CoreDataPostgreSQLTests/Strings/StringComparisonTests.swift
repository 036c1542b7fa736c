#if PostgreSQL
  import CoreData
  import Foundation
  import OpenCocoaFoundation
  import PostgreSQLTestServer
  import Testing

  import class OpenCocoaFoundation.NSExpression

  @Suite(
    "A server finds the strings that the evaluator finds",
    .enabled(if: PostgreSQLServer.isInstalled, "PostgreSQL is not installed"))
  struct StringComparisonTests {
    @Test(arguments: [UInt64(1), 2, 3]) func randomPredicates(_ seed: UInt64) throws {
      for problem in try StringDifferential.problems(at: try TestPlace.new(), seed: seed, count: 400) {
        Issue.record("seed \(seed): \(problem)")
      }
    }

    @Test func aRandomSeed() throws {
      let seed = UInt64.random(in: 1000...1_000_000)
      print("seed \(seed)")
      for problem in try StringDifferential.problems(at: try TestPlace.new(), seed: seed, count: 400) {
        Issue.record("seed \(seed): \(problem)")
      }
    }
  }
#endif
