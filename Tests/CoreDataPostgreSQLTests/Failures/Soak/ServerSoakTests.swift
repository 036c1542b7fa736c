#if PostgreSQL
  import CoreData
  import Foundation
  import PostgreSQLTestServer
  import Testing

  @testable import CoreDataPostgreSQL

  /// Processes and contexts on one store while connections are cut and the server's processes are killed, against a model in
  /// memory: no acknowledged save is lost, none is made twice or by half. `SOAK=900` lasts an hour.
  @Suite("A soak of a store in a server", .needsServer, .serialized)
  struct ServerSoakTests {
    private static let processes = 4, contexts = 2
    private static let seconds =
      4.0 * Double(max(1, Int(ProcessInfo.processInfo.environment["SOAK"] ?? "") ?? 1))

    @Test func nothingIsLostMadeTwiceOrByHalf() async throws {
      var random = SeededGenerator(for: "server soak")
      let seed = random.next()
      let server = try PostgreSQLServer(), proxy = try MessageProxy(to: server.socket)
      defer { proxy.stop() }
      let direct = try BatchWorld(SoakModel.make(), at: server.url(), options: SoakModel.options)
      try direct.inContext { context in
        for number in 0..<SoakModel.counters { context.make("Counter", ["tag": "counter\(number)"]) }
        try context.save()
      }
      let disturbance = SoakDisturbance(server, proxy, seed: seed)
      disturbance.begin()
      let url = proxy.url().absoluteString, seconds = Self.seconds
      await withTaskGroup(of: Void.self) { group in
        for number in 0..<Self.processes {
          let file = server.folder.appending(path: "report\(number)").path
          group.addTask { await self.process(url, number, seconds, seed, file) }
        }
      }
      disturbance.end()
      var all = SoakReport()
      for number in 0..<Self.processes {
        let file = server.folder.appending(path: "report\(number)")
        guard let data = try? Data(contentsOf: file) else {
          let words = try? String(contentsOfFile: "\(file.path).log", encoding: .utf8)
          all.differences.append("process \(number) has ended: \(words?.suffix(20_000) ?? "")")
          continue
        }
        all.add(try JSONDecoder().decode(SoakReport.self, from: data))
      }
      let differences = try all.differences + compare(all, server)
      for difference in differences.prefix(20) { Issue.record("\(difference)") }
      print(
        """
        server soak: seed \(seed), \(Int(seconds)) s, \(Self.processes) processes of \(Self.contexts) contexts: \
        \(all.saves) saves, \(all.looks) comparisons, \(all.conflicts) conflicts, failures \(all.failures), \
        \(all.doubts) in doubt; \(proxy.cutCount) cuts at messages, \(disturbance.cutsOfAll) of all connections, \
        \(disturbance.terminations) sessions ended, \(disturbance.kills) processes killed, \(disturbance.restarts) stops \
        of the server; \(differences.count) differences
        """)
      // In a short one on a busy machine each context does what it does at least.
      let isLong = Self.seconds >= 60
      #expect(all.saves > (isLong ? 1_000 : 10) && proxy.cutCount > 0 && (!isLong || disturbance.kills > 0))
    }

    private func process(_ url: String, _ number: Int, _ seconds: Double, _ seed: UInt64, _ file: String) async {
      await #expect(processExitsWith: .success) {
        [
          url = url as String, number = number as Int, seconds = seconds as Double, seed = seed as UInt64,
          file = file as String
        ] in
        try SoakProcess.run(
          at: URL(string: url)!, number: number, contexts: Self.contexts, seconds: seconds, seed: seed,
          reportTo: URL(fileURLWithPath: file))
      }
    }

    /// The store in the end, read by a program that has not seen it before.
    private func compare(_ all: SoakReport, _ server: PostgreSQLServer) throws -> [String] {
      let world = try BatchWorld(SoakModel.make(), at: server.url(), options: SoakModel.options)
      var differences: [String] = []
      let items = try world.inContext { context in
        Dictionary(try context.all("Item").map { (SoakItem.tag($0), SoakItem($0)) }) { first, _ in
          differences.append("\(first) is there twice")
          return first
        }
      }
      for tag in Set(items.keys).union(all.items.keys) where items[tag] != all.items[tag] {
        differences.append("\(tag) in the end")
      }
      let texts = { (text: String) in try world.texts(text) }
      let counted = try texts("SELECT number::text FROM \"Counter\" ORDER BY tag")
      if counted != all.counted.map(String.init) { differences.append("counters \(counted) are \(all.counted)") }
      let commits = try texts("SELECT count(*)::text FROM \"_commit\" WHERE process IS NOT NULL")
      if commits != ["\(all.saves + 1)"] { differences.append("history has \(commits) of \(all.saves + 1) saves") }
      let dangling = try texts(
        "SELECT count(*)::text FROM \"Item\" i WHERE \"group\" IS NOT NULL AND NOT EXISTS "
          + "(SELECT FROM \"Group\" g WHERE g._pk = i.\"group\")")
      if dangling != ["0"] { differences.append("\(dangling) items of no group") }
      return differences
    }
  }
#endif
