import CoreData
import Synchronization
import Testing

@testable import OpenCoreData

/// A process that is killed in the middle of saves: what `save` has returned from is in the file, whole.
@Suite struct KilledProcessTests {
  /// Saves until the process kills itself from another thread, and notes in a file how many saves have returned.
  private static func saveUntilKilled(_ path: String, after saves: Int) throws {
    let url = URL(fileURLWithPath: path)
    let context = TestModel.context(try TestModel.coordinator(TestModel.library(), url: url))
    let note = open(path + ".saved", O_WRONLY | O_CREAT, 0o644)
    let count = Atomic(0)
    Thread.detachNewThread {
      // The saving thread goes on meanwhile, so that the signal arrives anywhere in a save.
      while count.load(ordering: .acquiring) < saves {}
      kill(getpid(), SIGKILL)
    }
    for number in 1... {
      try context.performAndWait {
        let author = context.make("Author", ["name": "A\(number)", "age": number % 1000])
        for _ in 0..<10 { _ = context.make("Book", ["title": "B\(number)", "author": author]) }
        try context.save()
      }
      var number = Int64(number)
      pwrite(note, &number, 8, 0)
      count.store(Int(number), ordering: .releasing)
    }
  }

  @Test(arguments: 0..<min(3 * Soak.factor, 100)) func committedSavesAreThere(round: Int) async throws {
    let url = try TestModel.temporaryFile()
    let path = url.path, saves = 3 + round * 7
    await #expect(processExitsWith: .signal(SIGKILL)) { [path = path as String, saves = saves as Int] in
      try Self.saveUntilKilled(path, after: saves)
    }
    let noted = try Data(contentsOf: URL(fileURLWithPath: path + ".saved"))
    let returned = Int(noted.withUnsafeBytes { $0.loadUnaligned(as: Int64.self) })
    #expect(returned >= saves)
    if Shell.hasSQLite {
      let copy = try TestModel.temporaryFile()
      for suffix in ["", "-wal"] { try FileManager.default.copyItem(atPath: path + suffix, toPath: copy.path + suffix) }
      #expect(try Shell.sql(copy, "PRAGMA integrity_check") == ["ok"])
    }
    let context = TestModel.context(try TestModel.coordinator(TestModel.library(), url: url))
    try context.performAndWait {
      let authors = try context.all("Author")
      #expect(authors.count == returned || authors.count == returned + 1)
      for author in authors { #expect((author.value(forKey: "books") as? NSSet)?.count == 10) }
      #expect(try context.all("Book").count == authors.count * 10)
      _ = context.make("Author", ["name": "after"])
      try context.save()
      #expect(try context.all("Author").count == authors.count + 1)
    }
  }
}
