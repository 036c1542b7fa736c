import Foundation
import ModelCompilerCore
import OpenCoreData
import Testing

/// What the plugin makes of a model and ships.
@Suite struct ModelResourceTests {
  private let folder: URL

  init() throws {
    folder = FileManager.default.temporaryDirectory.appending(path: "\(UUID())")
    try FileManager.default.createDirectory(at: folder.appending(path: "out"), withIntermediateDirectories: true)
  }

  private func write(_ text: String, to path: String) throws {
    let url = folder.appending(path: path)
    try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(text.utf8).write(to: url)
  }

  private func compile(_ name: String) throws -> ModelFolder {
    let model = ModelFolder(path: folder.appending(path: name).path)
    try model.compile(into: folder.appending(path: "out").path, module: "Shop")
    return model
  }

  private func info() throws -> [String: Any] {
    let data = try Data(contentsOf: folder.appending(path: "out/Model.momd/VersionInfo.plist"))
    return try #require(PropertyListSerialization.propertyList(from: data, format: nil) as? [String: Any])
  }

  @Test func versions() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    try write(
      "<model><entity name='A' representedClassName='.A'/></model>", to: "Model.xcdatamodeld/One.xcdatamodel/contents")
    try write("<model><entity name='B'/></model>", to: "Model.xcdatamodeld/Two.xcdatamodel/contents")
    // A version with a mistake, one in the old binary format, and one whose derivation is not understood here.
    try write("<model><entity name='B' parentEntity='Z'/></model>", to: "Model.xcdatamodeld/Bad.xcdatamodel/contents")
    try write("old", to: "Model.xcdatamodeld/Old.xcdatamodel/elements")
    #expect(try compile("Model.xcdatamodeld").compiledName == "Model.momd")
    let made = folder.appending(path: "out/Model.momd")
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: made.path).sorted() == [
        "Bad.mom", "One.mom", "Two.mom", "VersionInfo.plist",
      ])
    #expect(try info()["NSManagedObjectModel_CurrentVersionName"] as? String == "Two")
    let hashes = try info()["NSManagedObjectModel_VersionHashes"] as? [String: [String: Data]]
    #expect(hashes?.keys.sorted() == ["One", "Two"] && hashes?["One"]?["A"]?.count == 32)
    #expect(try NSManagedObjectModel(validatingContentsOf: made).entities.map(\.name) == ["B"])
    let first = try NSManagedObjectModel(validatingContentsOf: made.appending(path: "One.mom"))
    #expect(first.entities.first?.managedObjectClassName == "Shop.A")

    // Another version becomes the current one, and one is deleted: nothing of before stays.
    let marker = ["_XCCurrentVersionName": "One.xcdatamodel"]
    try PropertyListSerialization.data(fromPropertyList: marker, format: .xml, options: 0)
      .write(to: folder.appending(path: "Model.xcdatamodeld/.xccurrentversion"))
    try FileManager.default.removeItem(at: folder.appending(path: "Model.xcdatamodeld/Two.xcdatamodel"))
    _ = try compile("Model.xcdatamodeld")
    #expect(try NSManagedObjectModel(validatingContentsOf: made).entities.map(\.name) == ["A"])
    #expect(!FileManager.default.fileExists(atPath: made.appending(path: "Two.mom").path))
  }

  /// The reader of Xcode 3's archives is the framework's, which a build does not compile first.
  @Test func theBinaryFormIsNamed() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    func message(_ name: String) -> String {
      let error = #expect(throws: SourceProblems.self) {
        try ModelFolder(path: folder.appending(path: name).path).read()
      }
      return error?.list.map(\.description).joined() ?? ""
    }
    try write("old", to: "Alone.xcdatamodel/elements")
    try write("old", to: "All.xcdatamodeld/Old.xcdatamodel/elements")
    try write(
      "<plist><dict><key>_XCCurrentVersionName</key><string>Old.xcdatamodel</string></dict></plist>",
      to: "All.xcdatamodeld/.xccurrentversion")
    for (name, file) in [
      ("Alone.xcdatamodel", "Alone.xcdatamodel"), ("All.xcdatamodeld", "All.xcdatamodeld/Old.xcdatamodel"),
    ] {
      let text = message(name)
      #expect(text.hasPrefix("\(folder.path)/\(file)/elements: error: ") && text.contains("Xcode 3"), "\(text)")
      #expect(text.contains("coredata model convert '\(folder.path)/\(name)'"), "\(text)")
    }
    try FileManager.default.removeItem(at: folder.appending(path: "All.xcdatamodeld/.xccurrentversion"))
    #expect(message("All.xcdatamodeld").contains("coredata model convert"))

    // Of another version it is a warning; with XML beside it, it is nothing.
    try write("<model><entity name='A'/></model>", to: "All.xcdatamodeld/Two.xcdatamodel/contents")
    let model = ModelFolder(path: folder.appending(path: "All.xcdatamodeld").path)
    #expect(try model.read().entities.map(\.name) == ["A"])
    let warnings = try model.binaryVersions()
    #expect(warnings.map(\.path) == [folder.path + "/All.xcdatamodeld/Old.xcdatamodel/elements"])
    #expect(warnings.allSatisfy { $0.isWarning && $0.message.contains("coredata model convert") })
    try write("<model><entity name='B'/></model>", to: "All.xcdatamodeld/Old.xcdatamodel/contents")
    #expect(try model.binaryVersions().isEmpty)
  }

  @Test func aSingleModel() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    try write("<model><entity name='A' representedClassName='.A'/></model>", to: "Model.xcdatamodel/contents")
    #expect(try compile("Model.xcdatamodel").compiledName == "Model.mom")
    let model = try NSManagedObjectModel(validatingContentsOf: folder.appending(path: "out/Model.mom"))
    #expect(model.entities.first?.managedObjectClassName == "Shop.A")
  }

  @Test(arguments: [
    (#"<entity name="A" representedClassName=".A"/>"#, #"<entity name="A" representedClassName="Shop.A"/>"#),
    ("<entity\n\trepresentedClassName = '.A' name='A'>", "<entity\n\trepresentedClassName = 'Shop.A' name='A'>"),
    (#"<entity name="A>" representedClassName=".B.C"/>"#, #"<entity name="A>" representedClassName="Shop.B.C"/>"#),
  ])
  func classesOfTheModule(before: String, after: String) throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    try write("<model>\(before)</model>", to: "Model.xcdatamodel/contents")
    _ = try compile("Model.xcdatamodel")
    let text = try String(contentsOf: folder.appending(path: "out/Model.mom"), encoding: .utf8)
    #expect(text == "<model>\(after)</model>")
  }

  @Test(arguments: [
    #"<entity name="A" representedClassName="A"/>"#, #"<entity name="A" representedClassName="Kit.A"/>"#,
    #"<entity name="A" representedClassName="."/>"#, #"<entity name="A" representedClassName=".NSManagedObject"/>"#,
    #"<!-- <entity representedClassName=".A"/> -->"#, #"<![CDATA[<entity representedClassName=".A">]]>"#,
    #"<entry key="representedClassName" value=".A"/>"#, #"<entity name='representedClassName=".A"'/>"#,
    "<entity", "<", "é<!--", "",
  ])
  func whatStays(text: String) throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    try write(text, to: "Model.xcdatamodel/contents")
    _ = try compile("Model.xcdatamodel")
    #expect(try String(contentsOf: folder.appending(path: "out/Model.mom"), encoding: .utf8) == text)
  }

  @Test func aMappingModel() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let output = folder.appending(path: "out/Model.cdm").path
    func errors() -> String {
      do {
        try MappingFolder(path: folder.appending(path: "Model.xcmappingmodel").path).compile(to: output)
        return ""
      } catch {
        return (error as? SourceProblems)?.list.map(\.description).joined() ?? "\(error)"
      }
    }
    try write("", to: "Model.xcmappingmodel/other")
    #expect(errors().contains("Model.xcmappingmodel: error: the folder holds no xcmapping.xml"))
    try write("<model/>", to: "Model.xcmappingmodel/xcmapping.xml")
    #expect(errors().contains("the file is no mapping model"))
    try write("<database></database>", to: "Model.xcmappingmodel/xcmapping.xml")
    #expect(errors().isEmpty && FileManager.default.fileExists(atPath: output))
  }
}
