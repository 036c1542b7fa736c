import Foundation
import Testing
import ToolProcess

/// Exports and imports of more tables than a process may have files open.
@Suite struct ManyTablesTests {
  private static let entities = 400
  /// What the tool may have open at once: it needs about twenty for itself and the store.
  private static let limit = 48
  private let files: StoreFiles

  init() throws {
    files = try StoreFiles(withStore: false)
    let folder = files.folder.appending(path: "Many.xcdatamodel")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let entities = (0..<Self.entities).map {
      "<entity name='E\($0)'><attribute name='name' attributeType='String'/></entity>"
    }
    try Data("<model>\(entities.joined())</model>".utf8).write(to: folder.appending(path: "contents"))
    let objects = (0..<Self.entities).map { "\"E\($0)\": [{\"attributes\": {\"name\": \"object \($0)\"}}]" }
    try Data("{\(objects.joined(separator: ","))}".utf8).write(to: URL(fileURLWithPath: files.path("all.json")))
    let tool = try Tool("store", "import", files.store.path, files.path("all.json"), "--model", folder.path)
    #expect(tool.output == "Imported \(Self.entities) objects\n", "\(tool.errors)")
  }

  private func tool(_ arguments: String...) throws -> Tool { try Tool(arguments, openFiles: Self.limit) }

  private func tables(_ folder: String) throws -> [String: String] {
    var result: [String: String] = [:]
    for name in try FileManager.default.contentsOfDirectory(atPath: files.path(folder)) {
      result[name] = try String(contentsOfFile: files.path("\(folder)/\(name)"), encoding: .utf8)
    }
    return result
  }

  @Test func theyAreWrittenAndReadOneAfterTheOther() throws {
    let expected = Dictionary(
      uniqueKeysWithValues: (0..<Self.entities).map { ("E\($0).csv", "@id,name\nE\($0)/p1,object \($0)\n") })
    func export(_ folder: String, _ more: String...) throws {
      let exported = try Tool(
        ["store", "export", files.store.path, "--format", "csv", "--output", files.path(folder)] + more,
        openFiles: Self.limit)
      #expect(exported.status == 0 && exported.errors.isEmpty, "\(exported.errors)")
      #expect(try tables(folder) == expected)
    }
    try export("new")
    try FileManager.default.createDirectory(atPath: files.path("old"), withIntermediateDirectories: false)
    try export("old")
    // Over what is there; a link stays.
    let other = files.path("E7.text")
    try Data("old".utf8).write(to: URL(fileURLWithPath: other))
    try FileManager.default.removeItem(atPath: files.path("old/E7.csv"))
    try FileManager.default.createSymbolicLink(atPath: files.path("old/E7.csv"), withDestinationPath: other)
    try Data("old".utf8).write(to: URL(fileURLWithPath: files.path("old/E8.csv")))
    try export("old", "--force")
    #expect(try FileManager.default.destinationOfSymbolicLink(atPath: files.path("old/E7.csv")) == other)
    let model = files.path("Many.xcdatamodel")
    let imported = try tool("store", "import", files.path("New.sqlite"), files.path("old"), "--model", model)
    #expect(imported.output == "Imported \(Self.entities) objects\n", "\(imported.errors)")
    // Nothing is left beside them.
    let names = try FileManager.default.contentsOfDirectory(atPath: files.folder.path)
    #expect(names.filter { $0.contains("OCDWorking") } == [])
  }

  /// A place that cannot be written leaves the others as they were.
  @Test func whatFailsLeavesNothing() throws {
    try FileManager.default.createDirectory(atPath: files.path("old"), withIntermediateDirectories: false)
    try Data("old".utf8).write(to: URL(fileURLWithPath: files.path("old/E3.csv")))
    // Tables come in the order of their names, so that most are written by then.
    try FileManager.default.createDirectory(atPath: files.path("old/E99.csv"), withIntermediateDirectories: false)
    let failed = try tool(
      "store", "export", files.store.path, "--format", "csv", "--output", files.path("old"), "--force")
    #expect(failed.status == 1 && failed.errors.contains("old/E99.csv cannot be written"), "\(failed.errors)")
    #expect(try FileManager.default.contentsOfDirectory(atPath: files.path("old")).sorted() == ["E3.csv", "E99.csv"])
    #expect(try String(contentsOfFile: files.path("old/E3.csv"), encoding: .utf8) == "old")
  }
}
