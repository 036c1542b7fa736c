import CoreData
import Foundation
import Testing
import ToolProcess

/// `coredata model compile` and `generate`.
@Suite struct CompileTests {
  private let files: ModelFiles
  private let model: String

  init() throws {
    files = try ModelFiles()
    model = try files.model(named: "Music", ModelFiles.music)
  }

  private func read(_ path: String) throws -> NSManagedObjectModel {
    try NSManagedObjectModel(validatingContentsOf: URL(fileURLWithPath: path))
  }

  @Test func everyFormIsCompiled() throws {
    let source = try read(model)
    for (input, name) in [
      (model, "Music.mom"), (model + "/contents", "Music.mom"), (try files.store(of: model), "store.mom"),
      (try files.versions("All", [model]), "All.momd"),
    ] {
      let output = files.path("out-\(UUID().uuidString)")
      let tool = try Tool("model", "compile", input, "-o", output)
      #expect(tool.status == 0 && tool.output == "\(output)/\(name)\n", "\(tool.errors)")
      #expect(try read("\(output)/\(name)").entityVersionHashesByName == source.entityVersionHashesByName)
      #expect(try FileManager.default.contentsOfDirectory(atPath: output) == [name])
    }
  }

  @Test func classesOfTheCurrentModule() throws {
    for (input, name) in [
      (model, "Music.mom"), (model + "/contents", "Music.mom"), (try files.versions("All", [model]), "All.momd"),
    ] {
      let output = files.path("out-\(UUID().uuidString)")
      #expect(try Tool("model", "compile", input, "-o", output, "--module", "Player").status == 0)
      let compiled = try read("\(output)/\(name)")
      let names = ["Album", "Live", "Track"].map { compiled.entitiesByName[$0]?.managedObjectClassName }
      #expect(names == ["Album", "Player.Live", "Track"])
      #expect(try compiled.entityVersionHashesByName == read(model).entityVersionHashesByName)
    }
    let wrong = try Tool("model", "compile", model, "-o", files.path("out"), "--module", "My App")
    #expect(wrong.status != 0 && wrong.errors.contains("“My App” is no name of a module"))
  }

  /// `OpenCoreDataTests` has the conversion itself.
  @Test func whatIsToBeConverted() throws {
    // A model that has its XML is left as it is.
    let none = try Tool("model", "convert", model)
    #expect(none.status == 0 && none.output == "", "\(none.errors)")
    let old = files.folder.appending(path: "Old.xcdatamodel")
    try FileManager.default.createDirectory(at: old, withIntermediateDirectories: true)
    try Data("bplist00".utf8).write(to: old.appending(path: "elements"))
    let damaged = try Tool("model", "convert", old.path)
    #expect(damaged.status == 1 && damaged.errors.contains("elements"), "\(damaged.errors)")
    #expect(try FileManager.default.contentsOfDirectory(atPath: old.path) == ["elements"])
    let wrong = try Tool("model", "convert", model + "/contents")
    #expect(wrong.status == 1 && wrong.errors.contains("Expected a .xcdatamodeld or a .xcdatamodel"), "\(wrong.errors)")
  }

  @Test func mistakesAreReported() throws {
    let bad = try files.model(named: "Bad", "<entity name='A' parentEntity='B'/>")
    let tool = try Tool("model", "compile", bad, "--output", files.path("out"))
    #expect(tool.status == 1)
    #expect(tool.errors.contains("A: There is no entity “B”.") && tool.errors.contains("Bad.xcdatamodel"))
    #expect(!FileManager.default.fileExists(atPath: files.path("out")))
    _ = try Tool("model", "compile", model, "-o", files.folder.path)
    let again = try Tool("model", "compile", files.path("Music.mom"), "-o", files.folder.path)
    #expect(again.status == 1 && again.errors.contains("is compiled already"))
  }

  @Test func aFileForEachClass() throws {
    let output = files.path("Player")
    let tool = try Tool("model", "generate", model, "-o", output)
    #expect(tool.status == 0, "\(tool.errors)")
    #expect(tool.output == "\(output)/Album.swift\n\(output)/Live.swift\n\(output)/Track.swift\n")
    let album = try String(contentsOfFile: "\(output)/Album.swift", encoding: .utf8)
    #expect(album.contains("public class Album: NSManagedObject {}"))
    #expect(album.contains("public var year: Int16 {") && album.contains("public func addToTracks(_ value: Track)"))
    #expect(album.contains(#"name: "Player""#) && !album.contains("class Track"))
    let live = try String(contentsOfFile: "\(output)/Live.swift", encoding: .utf8)
    #expect(live.contains("public class Live: Album {}") && live.contains(#"\Live.title as AnyKeyPath"#))
    // Without places in a file there is none to refer to.
    #expect(try !String(contentsOfFile: "\(output)/Track.swift", encoding: .utf8).contains("#sourceLocation"))
    #expect(try Tool("model", "generate", model, "-o", output).status == 0)
  }

  @Test func aStoreDoesNotSayWhatIsScalar() throws {
    let store = try files.store(of: model)
    for (options, type) in [([], "NSNumber?"), (["--scalar"], "Int16")] {
      #expect(try Tool(["model", "generate", store, "-o", files.path("App")] + options).status == 0)
      let album = try String(contentsOfFile: files.path("App/Album.swift"), encoding: .utf8)
      #expect(album.contains("public var year: \(type) {"))
    }
  }

  @Test func entitiesThatShareAClass() throws {
    let shared = try files.model(
      named: "Shared",
      """
      <entity name='Animal' representedClassName='Animal'><attribute name='name' attributeType='String' optional='YES'/></entity>
      <entity name='Cat' representedClassName='Animal' parentEntity='Animal'><attribute name='lives' attributeType='Integer 16' usesScalarValueType='YES'/></entity>
      <entity name='Type' representedClassName='Type'><relationship name='cats' toMany='YES' destinationEntity='Cat' optional='YES'/></entity>
      """)
    let tool = try Tool("model", "generate", shared, "-o", files.path("Zoo"))
    #expect(tool.status == 0 && tool.output.split(separator: "\n").count == 2, "\(tool.errors)")
    let animal = try String(contentsOfFile: files.path("Zoo/Animal.swift"), encoding: .utf8)
    #expect(animal.contains("public var name: String?") && animal.contains("public var lives: Int16"))
    #expect(animal.components(separatedBy: "class Animal").count == 2)
    #expect(
      try String(contentsOfFile: files.path("Zoo/Type.swift"), encoding: .utf8).contains("Type`: NSManagedObject"))
    let torn = try files.model(
      named: "Torn",
      """
      <entity name='A' representedClassName='Both'><attribute name='x' attributeType='String' optional='YES'/></entity>
      <entity name='B' representedClassName='Both'><attribute name='x' attributeType='Date' optional='YES'/></entity>
      """)
    let refused = try Tool("model", "generate", torn, "-o", files.path("Torn"))
    #expect(refused.status == 1 && refused.errors.contains("A and B share the class Both"), "\(refused.errors)")
  }

  @Test func filesWrittenByHandStay() throws {
    let folder = files.folder.appending(path: "App")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try Data("// Mine.\n".utf8).write(to: folder.appending(path: "Live.swift"))
    let tool = try Tool("model", "generate", model, "-o", folder.path)
    #expect(tool.status == 1 && tool.errors.contains("Live.swift is there already"))
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["Live.swift"])
    #expect(try String(contentsOf: folder.appending(path: "Live.swift"), encoding: .utf8) == "// Mine.\n")
  }

  @Test func aPropertyThatCannotBeGeneratedIsNamed() throws {
    let bad = try files.model(
      named: "Bad", "<entity name='A' representedClassName='A'><attribute name='hash' attributeType='String'/></entity>"
    )
    let tool = try Tool("model", "generate", bad, "-o", files.path("App"))
    #expect(tool.status == 1 && tool.errors.contains("“A.hash”: NSManagedObject has a member of this name"))
  }
}
