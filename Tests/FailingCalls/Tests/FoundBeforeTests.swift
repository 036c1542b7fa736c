import Foundation
import Testing

/// Repeats cases that have found bugs, and the cases of nearby calls, because the numbers of calls change.
@Suite struct FoundBeforeTests {
  /// The operation, the kind of call, the failure mode, and the part of the calls that is tried. The comments describe the bugs.
  private static let found: [(String, String, String, ClosedRange<Double>)] = [
    // The log of the new store could not be merged into the store's file, and the file was put in place without the log.
    ("migrate-manager-WAL", "read", "EIO-ever", 0.85...1),
    ("migrate-manager-WAL", "write", "EIO", 0.93...1),
    // A database that could not be emptied was left at the place of the new store.
    ("move-to-WAL-XML", "lock", "EIO-ever", 0.28...0.33),
    ("move-to-WAL-XML", "write", "ENOSPC-ever", 0...0.05),
    // A file with a journal beside it was treated as damaged.
    ("batch-update-DELETE", "write", "EIO-ever", 0.77...0.82),
    // Values were left at the place of the new store, more at each try. The database was left, too, if its folder could not be
    // read.
    ("migrate-manager-WAL", "write", "ENOSPC-ever", 0.91...0.93),
    ("move-to-WAL-XML", "open", "EIO-ever", 0.38...0.42),
    // An incomplete document was left.
    ("tool-export-json-WAL", "write", "ENOSPC", 0...1),
    ("tool-export-csv-WAL", "write", "EIO", 0...1),
    // The store's file had been removed when its folder could not be opened, and a second try did not find the store.
    ("tool-destroy-WAL", "open", "ENOSPC", 0.6...1),
    // A mapping model that could not be read was ignored.
    ("migrate-mapped-WAL", "read", "EIO", 0...0.06),
    // If the lock of a log's index fails, SQLite reports that another process has the lock. The tool waited for four minutes.
    ("tool-import-WAL", "lock", "EIO-ever", 0.27...0.3),
    // The folder of the new values could not be opened, was treated as missing, and was removed with all values.
    ("migrate-mapped-WAL", "open", "ENOSPC", 0.8...0.83),
    // The database was left at the place of the new store, because its folder could not be searched.
    ("move-to-WAL-XML", "open", "ENOSPC-ever", 0.58...0.6),
    // An empty database that could not be removed was left at the place of the new store.
    ("move-to-WAL-XML", "unlink", "EIO-ever", 0...1),
    // SQLite left the database unchanged without an error, and the store was reported as destroyed.
    ("destroy-DELETE", "read", "EIO", 0.8...1),
    // An empty store was left at the place of the new one, and a second try did not replace it.
    ("move-to-XML-WAL", "rename", "KILL", 0...1),
    ("move-to-binary-WAL", "mkdir", "KILL", 0...1),
    // The log of the emptied store was removed first, and the file without it was the store again, without its values.
    ("tool-destroy-WAL", "unlink", "KILL", 0.5...1),
    // The files of values stayed for ever when a new store was made in the emptied database; and where the log of that was left, none
    // could be made.
    ("destroy-open-WAL", "unlink", "KILL", 0...1),
    // A part of the output was left, and stayed after a second try.
    ("tool-export-csv-WAL", "rename", "KILL", 0...1),
    ("tool-export-json-WAL", "rename", "KILL", 0...1),
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
