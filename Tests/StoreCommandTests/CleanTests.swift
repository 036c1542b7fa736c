import Foundation
import OpenCoreData
import Testing
import ToolProcess

/// `coredata store clean`, and what the other commands make of what others put beside a store.
@Suite struct CleanTests {
  private static let value = "6F1B1C9E-0A53-4E0B-9B46-1F4C4A1B5D11"
  private let files: StoreFiles

  init() throws {
    files = try StoreFiles()
    try files.moveCoverToFile(of: 1, named: Self.value)
  }

  private func place(_ name: String) -> String { files.path(".Library_SUPPORT/_EXTERNAL_DATA/\(name)") }

  private func orphan(seconds: TimeInterval) throws -> String {
    let path = place(UUID().uuidString)
    try Data([1, 2, 3]).write(to: URL(fileURLWithPath: path))
    try FileManager.default.setAttributes(
      [.modificationDate: Date(timeIntervalSinceNow: -seconds)], ofItemAtPath: path)
    return path
  }

  @Test func nothingIsRemovedWithoutTheOption() throws {
    #expect(try Tool("store", "clean", files.store.path).output == "\(files.store.path): nothing to clean\n")
    let old = try orphan(seconds: 7200), young = try orphan(seconds: 60)
    let left = files.path(".Copy.sqlite-\(UUID().uuidString).OCDWorking")
    try FileManager.default.createDirectory(atPath: left, withIntermediateDirectories: true)
    let before = try files.contents()
    let tool = try Tool("store", "clean", files.store.path)
    #expect(
      tool.status == 0 && tool.output.contains("would remove \(old) (3 bytes): no row names it"), "\(tool.errors)")
    #expect(tool.output.contains("would remove \(left): a killed process has left it"))
    #expect(tool.output.contains("keeps \(young)") && tool.output.contains("would remove 2 things, 3 bytes"))
    #expect(try files.contents() == before)
    let json = try Tool("store", "clean", "--format", "json", files.store.path).json()
    #expect((json["files"] as? [[String: Any]])?.map { $0["path"] as? String } == [old])
    #expect(json["isRemoved"] as? Bool == false && (json["workingFolders"] as? [String])?.count == 1)
  }

  @Test func withTheOptionOldFilesAreRemoved() throws {
    let old = try orphan(seconds: 7200), young = try orphan(seconds: 60)
    let tool = try Tool("store", "clean", "--remove", files.store.path)
    #expect(tool.status == 0 && tool.output.contains("removed \(old)"), "\(tool.errors)")
    #expect(!FileManager.default.fileExists(atPath: old) && FileManager.default.fileExists(atPath: young))
    #expect(try Tool("store", "clean", "--remove", "--older-than", "0", files.store.path).status == 0)
    #expect(!FileManager.default.fileExists(atPath: young) && FileManager.default.fileExists(atPath: place(Self.value)))
    #expect(try Tool("store", "verify", files.store.path).output == "\(files.store.path): ok\n")
    #expect(try Tool("store", "clean", "--older-than=-1", files.store.path).status == 64)
    #expect(try Tool("store", "clean", files.model + "/contents").status == 1)
  }

  // MARK: Hostile files

  @Test func exportFollowsNoLink() throws {
    let secret = files.path("secret")
    try Data("the secret".utf8).write(to: URL(fileURLWithPath: secret))
    try FileManager.default.removeItem(atPath: place(Self.value))
    #expect(symlink(secret, place(Self.value)) == 0)
    let tool = try Tool("store", "export", files.store.path)
    #expect(tool.status == 1 && !tool.output.contains(Data("the secret".utf8).base64EncodedString()))
    #expect(tool.errors.contains(place(Self.value)) && tool.errors.contains("it is a link"), "\(tool.errors)")
    let query = try Tool("store", "query", files.store.path, "Book", "--columns", "cover")
    #expect(query.status == 1 && query.errors.contains("it is a link"), "\(query.errors)")
    let verified = try Tool("store", "verify", files.store.path)
    #expect(verified.status == 1 && verified.output.contains("it is a link"))
    let copy = try Tool("store", "copy", files.store.path, files.path("Copy.sqlite"))
    #expect(copy.status == 1 && copy.errors.contains("it is a link"), "\(copy.errors)")
    #expect(!FileManager.default.fileExists(atPath: files.path("Copy.sqlite")))
  }

  @Test func copyWaitsForNoPipe() throws {
    #expect(mkfifo(place(UUID().uuidString), 0o600) == 0 && mkfifo(files.path(".Library_SUPPORT/pipe"), 0o600) == 0)
    let tool = try Tool("store", "copy", files.store.path, files.path("Copy.sqlite"))
    #expect(tool.status == 0, "\(tool.errors)")
    let names = try FileManager.default.contentsOfDirectory(atPath: files.path(".Copy_SUPPORT"))
    #expect(names == ["_EXTERNAL_DATA"])
    let verified = try Tool("store", "verify", files.store.path)
    #expect(verified.status == 0 && verified.output.contains("(a pipe)"), "\(verified.output)")
  }

  @Test func whatIsExportedIsAsPrivateAsTheStore() throws {
    chmod(files.store.path, 0o600)
    try Data().write(to: URL(fileURLWithPath: files.path("there.json")))
    chmod(files.path("there.json"), 0o644)
    for arguments in [["--output", files.path("new.json")], ["--force", "--output", files.path("there.json")]] {
      #expect(try Tool(["store", "export"] + arguments + [files.store.path]).status == 0)
    }
    #expect(try Tool("store", "export", "--format", "csv", "--output", files.path("csv"), files.store.path).status == 0)
    #expect(try Tool("store", "copy", files.store.path, files.path("Copy.sqlite")).status == 0)
    for name in ["new.json", "there.json", "csv/Book.csv", "Copy.sqlite", ".Copy_SUPPORT"] {
      var status = stat()
      #expect(stat(files.path(name), &status) == 0 && status.st_mode & 0o077 == 0, "\(name)")
    }
  }
}
