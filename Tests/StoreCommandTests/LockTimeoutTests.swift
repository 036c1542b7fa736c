import CSQLite
import Foundation
import Testing
import ToolProcess

/// The option `--timeout` of the commands that another process can keep waiting.
@Suite struct LockTimeoutTests {
  private let files: StoreFiles

  init() throws { files = try StoreFiles() }

  @Test func aStoreThatStaysLockedIsReportedAndLeftAlone() throws {
    let document = files.path("tag.json"), copy = files.path("Copy.sqlite")
    try Data(#"{"Tag": [{"id": "Tag/p90", "attributes": {"name": "new"}, "relationships": {}}]}"#.utf8)
      .write(to: URL(fileURLWithPath: document))
    let before = try Tool("store", "export", files.store.path).output
    var database: OpaquePointer?
    try #require(sqlite3_open(files.store.path, &database) == SQLITE_OK)
    defer { sqlite3_close(database) }
    // Nobody else can even read it.
    try #require(
      sqlite3_exec(
        database, "PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE; UPDATE ZTAG SET ZNAME = ZNAME", nil, nil, nil)
        == SQLITE_OK)
    for arguments in [
      ["import", files.store.path, document], ["copy", files.store.path, copy],
      ["destroy", files.store.path, "--yes"],
    ] {
      let tool = try Tool(["store"] + arguments + ["--timeout", "0.2"])
      #expect(tool.status == 1 && tool.errors.contains("locked"), "\(arguments): \(tool.errors)")
    }
    sqlite3_close(database)
    database = nil
    #expect(!FileManager.default.fileExists(atPath: copy))
    #expect(try Tool("store", "export", files.store.path).output == before)
    #expect(try Tool("store", "import", files.store.path, document, "--timeout", "0.2").status == 0)
  }

  @Test func aNegativeTimeIsRefused() throws {
    let tool = try Tool("store", "destroy", files.store.path, "--yes", "--timeout=-1")
    #expect(tool.status == 64 && tool.errors.contains("--timeout must be 0 or more."), "\(tool.errors)")
  }
}
