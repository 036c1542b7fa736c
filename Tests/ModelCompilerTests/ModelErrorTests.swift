import Foundation
import ModelCompilerCore
import Testing

/// What is wrong with a model is told as a compiler would: file, line, column.
@Suite struct ModelErrorTests {
  /// A model in a folder of its own, and what reading it says.
  private func errors(_ xml: String) throws -> [String] {
    let folder = FileManager.default.temporaryDirectory.appending(path: "\(UUID()).xcdatamodel")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    try Data(xml.utf8).write(to: folder.appending(path: "contents"))
    do {
      _ = try ModelFolder(path: folder.path).read()
      return []
    } catch {
      return error.list.map { $0.description.replacing(folder.path + "/", with: "") }
    }
  }

  @Test(arguments: [
    ("<entity name=\"A\"><attribute name=\"x\" attributeType=\"Text\"/></entity>", "“Text” is no attribute type"),
    ("<entity name=\"A\"><attribute name=\"x\"/></entity>", "“A.x” has no type"),
    ("<entity name=\"A\"><relationship name=\"r\"/></entity>", "“A.r” has no destination entity"),
    ("<entity name=\"A\"><relationship name=\"r\" destinationEntity=\"B\"/></entity>", "no destination entity “B”"),
    ("<entity name=\"A\"><attribute/></entity>", "a property has no name"),
    ("<entity name=\"A\" parentEntity=\"B\"/>", "there is no parent entity “B”"),
    ("<entity name=\"A\" parentEntity=\"A\"/>", "inherits from itself"), ("<entity/>", "an entity has no name"),
    ("<entity name=\"A\"/><entity name=\"A\"/>", "there are two entities “A”"),
    (
      "<entity name=\"A\"><relationship name=\"r\" destinationEntity=\"A\" inverseName=\"q\" inverseEntity=\"A\"/></entity>",
      "its inverse “A.q” is no relationship"
    ),
    (
      "<entity name=\"A\"><attribute name=\"x\" attributeType=\"String\"/><attribute name=\"x\" attributeType=\"String\"/></entity>",
      "two properties “x”"
    ),
    (
      "<entity name=\"A\"><attribute name=\"x\" attributeType=\"Composite\" composite=\"C\"/></entity>",
      "no composite “C”"
    ),
    (
      "<entity name=\"A\" representedClassName=\"P\" codeGenerationType=\"class\"/><entity name=\"B\" representedClassName=\".P\" codeGenerationType=\"category\"/>",
      "the class “P” would be generated for “A” and “B”"
    ),
    (
      "<entity name=\"A\" representedClassName=\"my class\" codeGenerationType=\"class\"/>",
      "“my class”, the class of entity “A”, is no name of a class"
    ),
    (
      "<entity name=\"A\" representedClassName=\"A\" codeGenerationType=\"class\"><attribute name=\"hash\" attributeType=\"String\"/></entity>",
      "NSManagedObject has a member of this name"
    ),
    (
      "<entity name=\"A\" representedClassName=\"A\" codeGenerationType=\"class\"><attribute name=\"first name\" attributeType=\"String\"/></entity>",
      "“A.first name”: a property of a class cannot have this name"
    ),
    (
      "<entity name=\"A\"><attribute name=\"x\" attributeType=\"Integer 16\" defaultValueString=\"40000\"/></entity>",
      "“A.x”: its default value “40000” does not fit the type"
    ),
    (
      "<entity name=\"A\"><attribute name=\"x\" attributeType=\"Double\" defaultValueString=\"many\"/></entity>",
      "“A.x”: its default value “many” is not a number"
    ),
    (
      "<entity name=\"A\"><fetchIndex name=\"i\"><fetchIndexElement property=\"y\"/></fetchIndex></entity>",
      "an index or constraint of entity “A” names “y”"
    ),
    (
      "<entity name=\"A\"/><configuration name=\"C\"><memberEntity name=\"B\"/></configuration>",
      "a configuration names “B”, which is no entity"
    ),
  ])
  func problems(entity: String, message: String) throws {
    let errors = try errors("<model>\n\n\(entity)\n</model>")
    #expect(errors.count == 1 && errors[0].contains(message), "\(errors)")
    #expect(errors.first?.hasPrefix("contents:3:") == true)
  }

  @Test func xmlThatIsNone() throws {
    #expect(try errors("<model>\n <entity name=\"A\">\n</model>")[0].hasPrefix("contents:3:9: error: the file is not"))
    #expect(try errors("<plist/>").first?.hasSuffix("the file holds <plist>, not <model>") == true)
    #expect(try errors("") == ["contents: error: the file holds no <model>"])
  }

  @Test func versions() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "\(UUID()).xcdatamodeld")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let model = ModelFolder(path: folder.path)
    #expect(throws: SourceProblems.self) { try model.contents() }
    for version in ["A 2", "A 10"] {
      let url = folder.appending(path: version + ".xcdatamodel")
      try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
      try Data("<model/>".utf8).write(to: url.appending(path: "contents"))
    }
    #expect(try model.contents().hasSuffix("/A 2.xcdatamodel/contents"))
    let marker = folder.appending(path: ".xccurrentversion")
    for (name, isThere) in [("A 10.xcdatamodel", true), ("A 3.xcdatamodel", false)] {
      let list = ["_XCCurrentVersionName": name]
      try PropertyListSerialization.data(fromPropertyList: list, format: .xml, options: 0).write(to: marker)
      if isThere {
        #expect(try model.contents().hasSuffix("/A 10.xcdatamodel/contents"))
      } else {
        #expect(throws: SourceProblems.self) { try model.contents() }
      }
    }
  }

  @Test func bytesThatAreNoTextAreRefusedWithTheirLine() throws {
    let problems = #expect(throws: SourceProblems.self) {
      try ModelReader.read(Data("<model>\n<".utf8) + [0xE9] + Data("ntity/></model>".utf8), path: "m")
    }
    #expect(problems?.list.map(\.description) == ["m:2:1: error: the file is not text in UTF-8"])
  }

  private static let corpus: URL? = {
    let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    return ["../shared", "../../shared"].map { root.appending(path: "\($0)/corpus/models") }
      .first { FileManager.default.fileExists(atPath: $0.path) }
  }()

  /// Models of real applications have no errors.
  @Test(.enabled(if: corpus != nil, "the corpus is not there")) func modelsOfTheCorpus() throws {
    let folder = try #require(Self.corpus)
    for model in try FileManager.default.contentsOfDirectory(atPath: folder.path) where ModelFolder.isModel(model) {
      #expect(throws: Never.self) { try ModelFolder(path: folder.appending(path: model).path).read() }
    }
  }

  @Test(arguments: [
    ("category", "Category/Extension, which makes the properties alone"), ("", "plain NSManagedObjects"),
  ])
  func aClassThatNobodyDeclares(generation: String, reason: String) throws {
    func warnings(
      _ className: String, _ source: String, dependency: String = "", module: String = "App"
    ) throws -> [String] {
      let xml = """
        <model>
        <entity name="A" representedClassName="\(className)" codeGenerationType="\(generation)"/>
        <entity name="B" representedClassName="B" codeGenerationType="class"/><entity name="C"/>
        </model>
        """
      let model = try ModelReader.read(Data(xml.utf8), path: "/a/contents")
      return MissingClasses.warnings(
        model, module: module, files: [Parser.parse(source, path: "/a/A.swift")],
        dependencies: [("Kit", { [Parser.parse(dependency, path: "/k/K.swift")] })]
      ).map(\.description)
    }
    for name in ["A", ".A", "App.A"] {
      let found = try warnings(name, "class Other: NSManagedObject {}")
      #expect(found.count == 1 && found[0].hasPrefix("/a/contents:2:"), "\(found)")
      #expect(found.first?.contains("warning: “A”: no file of App declares its class A. ") == true)
      #expect(found.first?.contains(reason) == true)
      #expect(try warnings(name, "class A: NSManagedObject {}").isEmpty)
      #expect(try warnings(name, "enum E { class A: NSManagedObject {} }").isEmpty)
      #expect(try warnings(name, "", dependency: "open class A: NSManagedObject {}").isEmpty)
    }
    #expect(try warnings("A", "@objc(A) class Animal: NSManagedObject {}").isEmpty)
    // What another module is said to have is that module's business.
    #expect(try warnings("Kit.A", "").isEmpty)
  }
}
