import Foundation
import PostgreSQLTestServer
import Testing
import ToolProcess

#if PostgreSQL
  /// `coredata tune` over a store in a PostgreSQL server.
  @Suite(.enabled(if: PostgreSQLServer.isInstalled, "PostgreSQL is not installed"))
  struct TuneServerTests {
    @Test func theTenTestsRunAndTheStoreStays() throws {
      let place = try TestPlace.new().absoluteString
      func tune() throws -> [String: Any] {
        let tool = try Tool(["tune", "--people", "6", "--selfies", "5", "--networks", "4", "--json", "--store", place])
        #expect(tool.status == 0, "\(tool.errors)")
        return try tool.json()
      }
      for isFirst in [true, false] {
        let json = try tune()
        let load = try #require(json["load"] as? [String: Any])
        #expect(load["loaded"] as? Bool == isFirst)
        #expect(load["store"] as? String == place)
        let tests = try #require(json["tests"] as? [[String: Any]])
        #expect(tests.count == 10)
        for test in tests {
          #expect((test["result"] as? String)?.hasPrefix("Failed") == false, "\(test)")
        }
        let fetch = try #require(tests.first { $0["name"] as? String == "FetchAll" })
        #expect(fetch["statements"] as? Int ?? 0 > 0)
      }
    }
  }
#else
  @Suite struct TuneServerTests {
    @Test func aToolWithoutServersSaysSo() throws {
      let tool = try Tool(["tune", "--store", "postgresql://app@127.0.0.1/shop"])
      #expect(tool.status == 1)
      #expect(tool.errors.contains("--traits PostgreSQL"))
    }
  }
#endif
