import Foundation
import Testing

/// Cases that found something, and those around them, since the numbers of calls change.
@Suite struct FoundBeforeTests {
  /// Each is an operation, a kind of call, how it fails, and the part of the calls that is tried.
  private static let found: [(String, String, String, ClosedRange<Double>)] = [
    // The new store's log could not be moved into its file, which was put in place without it.
    ("migrate-manager-WAL", "read", "EIO-ever", 0.85...1),
    ("migrate-manager-WAL", "write", "EIO", 0.93...1),
    // A database that could not be emptied was left where the store was to be.
    ("move-to-WAL-XML", "lock", "EIO-ever", 0.28...0.33),
    ("move-to-WAL-XML", "write", "ENOSPC-ever", 0...0.05),
    // A file with a journal beside it was taken for a damaged one.
    ("batch-update-DELETE", "write", "EIO-ever", 0.77...0.82),
    // Values were left where the store was to be, more with each try; and the database where its folder cannot be read.
    ("migrate-manager-WAL", "write", "ENOSPC-ever", 0.91...0.93),
    ("move-to-WAL-XML", "open", "EIO-ever", 0.38...0.42),
    // Half of a document was left.
    ("tool-export-json-WAL", "write", "ENOSPC", 0...1),
    ("tool-export-csv-WAL", "write", "EIO", 0...1),
    // The store's file had gone when its folder could not be opened, and a second try did not find the store.
    ("tool-destroy-WAL", "open", "ENOSPC", 0.6...1),
    // A mapping model that could not be read was passed over.
    ("migrate-mapped-WAL", "read", "EIO", 0...0.06),
    // SQLite takes a lock of a log's index that fails for one that another process has; the tool waited for four minutes.
    ("tool-import-WAL", "lock", "EIO-ever", 0.27...0.3),
    // The folder of the new values did not open, was taken for one that is not there, and was removed with all values.
    ("migrate-mapped-WAL", "open", "ENOSPC", 0.8...0.83),
    // The database was left where the store was to be, since its folder could not be looked through.
    ("move-to-WAL-XML", "open", "ENOSPC-ever", 0.58...0.6),
    // An empty database that could not be removed was left where the store was to be.
    ("move-to-WAL-XML", "unlink", "EIO-ever", 0...1),
    // SQLite left the database as it was without saying so, and the store was said to be destroyed.
    ("destroy-DELETE", "read", "EIO", 0.8...1),
  ]

  @Test(.enabled(if: PreloadedLibrary.url != nil, "there is no C compiler to make the library that makes calls fail"))
  func staysMended() throws {
    let worker = try FaultWorker(try #require(PreloadedLibrary.url))
    for (name, kind, mode, part) in Self.found {
      let counts = try worker.ask("counts \(name)").text.split(separator: " ")
      let count = counts.first { $0.hasPrefix(kind + "=") }.flatMap { Double($0.dropFirst(kind.count + 1)) }
      let last = try #require(count, "\(name) \(kind)")
      for number in max(1, Int(last * part.lowerBound))...Int(last * part.upperBound) {
        let answer = try worker.ask("case \(name) \(kind) \(number) \(mode)")
        for problem in answer.problems { Issue.record("\(name) \(kind) \(number) \(mode): \(answer.text): \(problem)") }
      }
    }
  }
}
