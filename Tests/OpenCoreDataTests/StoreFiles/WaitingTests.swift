import CoreData
import Testing

@_spi(Store) @testable import OpenCoreData

/// Several processes on one file: who waits, and for how long.
@Suite(.enabled(if: Shell.hasSQLite, "sqlite3 is not there")) struct WaitingTests {
  /// 134090 after the time that was given, which is much shorter than the usual one: for writers always, for readers where there is no
  /// log.
  @Test(arguments: ["WAL", "DELETE"]) func theTimeoutIsKept(journal: String) throws {
    let options: [AnyHashable: Any] = [
      NSSQLitePragmasOption: ["journal_mode": journal], NSPersistentStoreTimeoutOption: 0.4,
    ]
    let url = try FileStore.make(["A"], options: options)
    let coordinator = try FileStore.open(url, options)
    let other = try OtherProcess(url)
    try other.run("BEGIN EXCLUSIVE; UPDATE ZAUTHOR SET ZAGE = 1;")
    /// Whether the work ends with that error, neither much too early nor after the usual time.
    func timesOut(_ work: () throws -> Void) -> Bool {
      let begin = ContinuousClock.now
      let code = FileStore.code { try work() }
      let time = ContinuousClock.now - begin
      return code == NSPersistentStoreTimeoutError && time > .seconds(0.35)
        && time < .seconds(NSPersistentStoreDescription().timeout)
    }
    let context = TestModel.context(coordinator)
    try context.performAndWait {
      let author = context.make("Author", ["name": "B"])
      for _ in 0..<2 { #expect(timesOut { try context.save() }) }
      #expect(timesOut { try context.obtainPermanentIDs(for: [author]) })
      if journal == "DELETE" { #expect(timesOut { _ = try context.all("Author") }) }
      try other.run("COMMIT;")
      try context.save()
      #expect(try context.names("Author") == ["A", "B"])
    }
  }

  @Test(arguments: ["WAL", "DELETE"]) func aSaveWaitsForTheOther(journal: String) throws {
    let options: [AnyHashable: Any] = [NSSQLitePragmasOption: ["journal_mode": journal]]
    let url = try FileStore.make(["A"], options: options)
    let coordinator = try FileStore.open(url, options)
    let other = try OtherProcess(url)
    try other.run("BEGIN IMMEDIATE; UPDATE ZAUTHOR SET ZAGE = 1, Z_OPT = Z_OPT + 1;")
    nonisolated(unsafe) let process = other
    Thread.detachNewThread {
      usleep(200_000)
      _ = try? process.run("COMMIT;")
    }
    try FileStore.add(["B"], to: coordinator)
    #expect(try coordinator.inContext { try $0.named("A", "Author").number("age") } == 1)
    #expect(try FileStore.names(coordinator) == ["A", "B"])
  }

  /// Each adds its own, on top of what the other has saved.
  @Test(arguments: ["WAL", "DELETE"]) func twoProcessesTakeTurns(journal: String) throws {
    let options: [AnyHashable: Any] = [NSSQLitePragmasOption: ["journal_mode": journal]]
    let url = try FileStore.make(["A"], options: options)
    let coordinator = try FileStore.open(url, options)
    let other = try OtherProcess(url)
    try other.run(".timeout 900000")
    let rounds = 20 * Soak.factor
    nonisolated(unsafe) let process = other
    Soak.threads(2) { number in
      for round in 0..<rounds {
        if number == 0 {
          try process.run(
            "BEGIN IMMEDIATE; UPDATE Z_PRIMARYKEY SET Z_MAX = Z_MAX + 1 WHERE Z_NAME = 'Author'; "
              + "INSERT INTO ZAUTHOR (Z_PK, Z_ENT, Z_OPT, ZNAME) "
              + "SELECT Z_MAX, Z_ENT, 1, 'other \(round)' FROM Z_PRIMARYKEY WHERE Z_NAME = 'Author'; COMMIT;")
        } else {
          try coordinator.inContext { (context) throws in
            _ = context.make("Author", ["name": "own \(round)"])
            try context.save()
            #expect(try context.names("Author").filter { $0.hasPrefix("own") }.count == round + 1)
          }
        }
      }
    }
    #expect(try FileStore.names(coordinator).count == 1 + 2 * rounds)
    #expect(try Shell.sql(url, "PRAGMA integrity_check") == ["ok"])
  }

  @Test func timesThatAreNone() throws {
    let url = try FileStore.make(["A"])
    for seconds in [-1, .nan, .infinity, 1e300] as [Double] {
      let coordinator = try FileStore.open(url, [NSPersistentStoreTimeoutOption: seconds])
      #expect(try FileStore.names(coordinator) == ["A"])
    }
  }
}
