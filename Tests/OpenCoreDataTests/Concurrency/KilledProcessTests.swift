import CoreData
import Foundation
import Testing

@_spi(Store) @testable import OpenCoreData

/// Processes that are killed at random moments: what `save` has returned from is in the file, and nothing is half there.
@Suite struct KilledProcessTests {
  private static let seed = SeededGenerator.makeSeed(for: "killed processes")
  /// One store each; ten processes in turn die over it.
  private static let stores = 0..<8 * Soak.factor

  @Test(arguments: stores) func whatWasSavedIsThere(number: Int) async throws {
    var random = SeededGenerator(seed: Self.seed &+ UInt64(number))
    let url = try TestModel.temporaryFile()
    let path = url.path
    // The last save that is in the file, and the last that has returned: a process may die between the two, and the next
    // one before its first save returns.
    var last = 0, noted = 0
    for round in 0..<10 {
      let saves = Int.random(in: 0...8, using: &random)
      let microseconds = Int.random(in: 0...(saves == 0 ? 40_000 : 3000), using: &random)
      await #expect(processExitsWith: .signal(SIGKILL)) {
        [path = path as String, number = number as Int, saves = saves as Int, microseconds = microseconds as Int] in
        try KilledWriter.run(path, mode: number, after: saves, microseconds: microseconds)
      }
      let name = "store \(number), round \(round), SEED=\(Self.seed)"
      let note = (try? Data(contentsOf: URL(fileURLWithPath: path + ".saved"))) ?? Data()
      let returned = note.count == 8 ? Int(note.withUnsafeBytes { $0.loadUnaligned(as: Int64.self) }) : 0
      #expect(returned >= (saves == 0 ? noted : last + saves), "\(name)")
      guard FileManager.default.fileExists(atPath: path) else { #expect(returned == 0, "\(name)"); continue }
      let found = try KilledWriter.check(copy(url))
      let least = max(last, returned)
      #expect(found == least || found == least + 1, "\(name)")
      try readBack(path, number, found)
      #expect(try StoreCheck.errors(url) == [], "\(name)")
      (last, noted) = (found, returned)
    }
    try FileManager.default.removeItem(at: url.deletingLastPathComponent())
  }

  /// The files as the process left them: SQLite would put them in order on the spot.
  private func copy(_ url: URL) throws -> URL {
    let copy = try TestModel.temporaryFile()
    for suffix in ["", "-wal", "-journal"] where FileManager.default.fileExists(atPath: url.path + suffix) {
      try FileManager.default.copyItem(atPath: url.path + suffix, toPath: copy.path + suffix)
    }
    return copy
  }

  /// The framework opens the store as the process left it, and sees the same.
  private func readBack(_ path: String, _ mode: Int, _ number: Int) throws {
    let coordinator = try KilledWriter.open(path, mode: mode)
    try coordinator.inContext { context in
      let authors = try context.all("Author")
      #expect(authors.count == min(number, KilledWriter.kept))
      for author in authors {
        let number = Int(author.text("name")?.dropFirst() ?? "") ?? 0
        let books = author.many("books")
        #expect(books.count == KilledWriter.books(number))
        for book in books {
          #expect(book.number("pages") == number && book.one("author") === author)
          #expect(book.many("tags").count == KilledWriter.tags)
        }
      }
      #expect(
        try context.all("Tag").allSatisfy {
          $0.many("books").count == authors.map { $0.many("books").count }.reduce(0, +)
        })
    }
    try coordinator.remove(try #require(coordinator.persistentStores.first))
  }
}
