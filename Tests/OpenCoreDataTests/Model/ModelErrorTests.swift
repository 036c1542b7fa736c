import Foundation
import OpenCocoaFoundation
import Testing

@_spi(Store) @testable import OpenCoreData

/// Models that cannot be read say why, and where.
@Suite struct ModelErrorTests {
  private func error(_ contents: String, name: String = "Broken.xcdatamodel") throws -> NSError {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID().uuidString)/\(name)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder.deletingLastPathComponent()) }
    try Data(contents.utf8).write(to: folder.appendingPathComponent("contents"))
    #expect(NSManagedObjectModel(contentsOf: folder) == nil)
    let error = #expect(throws: NSError.self) { try NSManagedObjectModel(validatingContentsOf: folder) }
    return try #require(error)
  }

  @Test(arguments: [
    (#"<entity name="A"/><entity name="A"/>"#, "A", "", "two entities"),
    (#"<entity name=""/>"#, "", "", "no name"),
    (#"<entity name="A" parentEntity="B"/>"#, "A", "", "“B”"),
    (#"<entity name="A" parentEntity="B"/><entity name="B" parentEntity="A"/>"#, "A", "", "itself"),
    (#"<entity name="A"><attribute name="x" attributeType="Integer 12"/></entity>"#, "A", "x", "Integer 12"),
    (#"<entity name="A"><attribute name="x"/></entity>"#, "A", "x", "no type"),
    (
      #"<entity name="A"><attribute name="x" attributeType="Integer 16" defaultValueString="70000"/></entity>"#, "A",
      "x", "70000"
    ),
    (
      #"<entity name="A"><attribute name="x" attributeType="Double" defaultValueString="many"/></entity>"#, "A", "x",
      "many"
    ),
    (
      #"<entity name="A"><attribute name="x" attributeType="UUID"/><attribute name="x" attributeType="UUID"/></entity>"#,
      "A", "x", "two properties"
    ),
    (#"<entity name="A"><relationship name="r"/></entity>"#, "A", "r", "no destination"),
    (#"<entity name="A"><relationship name="r" destinationEntity="Z"/></entity>"#, "A", "r", "“Z”"),
    (
      #"<entity name="A"><relationship name="r" destinationEntity="A" inverseName="s" inverseEntity="A"/></entity>"#,
      "A", "r", "A.s"
    ),
    (
      #"<entity name="A"><relationship name="r" destinationEntity="A" inverseName="s" inverseEntity="A"/>"#
        + #"<relationship name="s" destinationEntity="B"/></entity><entity name="B"/>"#, "A", "r", "another entity"
    ),
    (
      #"<entity name="A"><relationship name="r" destinationEntity="A" deletionRule="Maybe"/></entity>"#, "A", "r",
      "Maybe"
    ),
    (
      #"<entity name="A"><uniquenessConstraints><uniquenessConstraint><constraint value="q"/></uniquenessConstraint>"#
        + "</uniquenessConstraints></entity>", "A", "", "“q”"
    ),
    (
      #"<entity name="A"><fetchedProperty name="f"><fetchRequest name="r" entity="Q"/></fetchedProperty></entity>"#,
      "A", "f", "“Q”"
    ),
    (#"<fetchRequest name="r" entity="Q"/>"#, "", "r", "“Q”"),
    (#"<entity name="A"/><fetchRequest name="r" entity="A" predicateString="x =="/>"#, "", "r", "x =="),
    (#"<entity name="A"/><fetchRequest name="r" entity="A" fetchLimit="-1"/>"#, "", "r", "fetchLimit"),
    (
      #"<entity name="A"><fetchIndex name="i" partialIndexPredicate="x AND"/></entity>"#, "A", "", "x AND"
    ),
    (#"<configuration name="C"><memberEntity name="Q"/></configuration>"#, "", "", "“Q”"),
    (
      #"<entity name="A"><attribute name="x" attributeType="Composite" composite="P"/></entity>"#
        + #"<composite name="P"><attribute name="y" attributeType="Composite" composite="P"/></composite>"#, "A", "y",
      "itself"
    ),
  ])
  func contradictionsAreNamed(contents: String, entity: String, property: String, reason: String) throws {
    let error = try error("<model>\(contents)</model>")
    #expect(error.domain == NSCocoaErrorDomain && error.code == 134020)
    #expect(error.userInfo["entity"] as? String ?? "" == entity)
    #expect(error.userInfo["property"] as? String ?? "" == property)
    #expect(error.localizedDescription.contains(reason), "\(error.localizedDescription)")
    let path = try #require(error.userInfo[NSFilePathErrorKey] as? String)
    #expect(path.hasSuffix("Broken.xcdatamodel/contents") && error.localizedDescription.contains(path))
  }

  @Test(arguments: [
    "", "no XML", "<model><entity></model>", "<plist/>", String(repeating: "<a>", count: 5000), "bplist00",
    "<!DOCTYPE a [<!ENTITY b SYSTEM \"file:///etc/passwd\">]><a>&b;</a>",
  ])
  func unreadableFiles(contents: String) throws {
    #expect(try error(contents).code == 259)
    #expect(try error(contents, name: "Broken.folder").code == 259)
  }

  @Test func bytesThatAreNoTextAreRefusedWithTheirLine() throws {
    let problem = #expect(throws: ModelProblem.self) {
      try XMLElementTree.parse(Data("<model>\n<".utf8) + [0xE9] + Data("ntity name='A'/></model>".utf8))
    }
    #expect(problem?.kind == .unreadable && problem?.reason == "The file is not text in UTF-8 (line 2).")
  }

  @Test func missingFiles() throws {
    let error = #expect(throws: NSError.self) {
      try NSManagedObjectModel(validatingContentsOf: URL(fileURLWithPath: "/no/such.momd"))
    }
    #expect(error?.domain == NSCocoaErrorDomain && error?.code == 260)
  }

  /// What Xcode wrote before version 4 is said to be that, whichever way it is named.
  /// Text of whatever kind is an error, never the end of the program.
  @Test(arguments: [
    (#"<attribute name="x" attributeType="Integer 64" defaultValueString="9223372036854775808"/>"#, "does not fit"),
    (#"<attribute name="x" attributeType="Float" defaultValueString="1e60"/>"#, "finite"),
    (#"<attribute name="x" attributeType="String" derived="YES" derivationExpression="count:()"/>"#, "count:()"),
    (#"<attribute name="x" attributeType="String" derived="YES" derivationExpression="foo(a)"/>"#, "foo(a)"),
    (#"<attribute name="x" attributeType="Composite" composite="c0"/>"#, "too many elements"),
  ]) func whatWouldStopTheProgram(attribute: String, reason: String) throws {
    // Composites of ten composites of ten composites...
    let composites = (0..<9).map { level in
      let type = level < 8 ? #""Composite" composite="c\#(level + 1)""# : #""String""#
      let elements = (0..<10).map { #"<attribute name="a\#($0)" attributeType=\#(type)/>"# }
      return #"<composite name="c\#(level)">"# + elements.joined() + "</composite>"
    }
    let error = try error(#"<model><entity name="A">"# + attribute + "</entity>" + composites.joined() + "</model>")
    #expect(error.code == 134020 && error.localizedDescription.contains(reason), "\(error)")
  }

  @Test func inheritanceWithoutEndIsRefused() throws {
    let entities = (1...600).map { #"<entity name="E\#($0)" parentEntity="E\#($0 - 1)"/>"# }
    let error = try error(#"<model><entity name="E0"/>"# + entities.joined() + "</model>")
    #expect(error.code == 134020 && error.localizedDescription.contains("more than 500"))
  }

  @Test(arguments: ["../Loop.xcdatamodeld", ".", "gone.xcdatamodel", "/etc"]) func theCurrentVersionIsInTheFolder(
    name: String
  ) throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID().uuidString)/Loop.xcdatamodeld")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder.deletingLastPathComponent()) }
    let list = try PropertyListSerialization.data(
      fromPropertyList: ["_XCCurrentVersionName": name], format: .xml, options: 0)
    try list.write(to: folder.appendingPathComponent(".xccurrentversion"))
    let error = #expect(throws: NSError.self) { try NSManagedObjectModel(validatingContentsOf: folder) }
    #expect(error?.localizedDescription.contains("“\(name)”") == true)
  }

  @Test func damagedModelsOfXcode3() throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID().uuidString)/Old.xcdatamodel")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder.deletingLastPathComponent()) }
    let elements = folder.appendingPathComponent("elements")
    var writer = KeyedArchiveWriter()
    let empty = writer.add(array: [])
    for (data, reason) in [
      (BinaryPropertyListWriter.write(.dictionary(["$archiver": .string("NSKeyedArchiver")])), "is no keyed archive"),
      (writer.serialized(root: empty), "holds no model of Xcode before 4"), (Data("<model/>".utf8), "property list"),
    ] {
      try data.write(to: elements)
      for url in [folder, elements] {
        let error = #expect(throws: NSError.self) { try NSManagedObjectModel(validatingContentsOf: url) }
        #expect(error?.code == 259 && error?.localizedDescription.contains(reason) == true, "\(error as Any)")
      }
    }
  }
}
