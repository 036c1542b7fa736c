import Foundation
import Testing

@testable import ModelCompilerCore

/// The plugins' tool reads models of packages that somebody else wrote: they are read or refused.
@Suite struct HostileModelTests {
  @Test(arguments: [
    "<!DOCTYPE model [<!ATTLIST model x CDATA \"y\">]><model/>",
    "<!DOCTYPE model [<!NOTATION n SYSTEM \"q\">]><model/>",
    "<!DOCTYPE model [<!ENTITY e SYSTEM \"file:///etc/passwd\">]><model>&e;</model>",
    String(repeating: "<a>", count: 200_000),
    "<model " + (0..<50_000).map { "a\($0)=''" }.joined(separator: " ") + "/>", "<model></model></model>",
  ])
  func hostileDocumentsAreRefused(xml: String) {
    #expect(throws: SourceProblems.self) { try ModelReader.read(Data(xml.utf8), path: "contents") }
    #expect(VersionHashes(Data(xml.utf8))?.checksum == nil)
  }

  @Test func instructionsArePassedOver() throws {
    let xml = "<?xml version='1.0'?>\n<?a b?><model>\n  <entity name='A'/></model>"
    let model = try ModelReader.read(Data(xml.utf8), path: "contents")
    #expect(model.entities.map(\.name) == ["A"] && model.entities.first?.place == ModelPlace(line: 3, column: 3))
    #expect(VersionHashes(Data(xml.utf8)) != nil)
  }

  /// Whoever opened a pipe would wait for its other end.
  @Test(.timeLimit(.minutes(60)), arguments: ["contents", ".xccurrentversion", "xcmapping.xml"])
  func pipesAreNotOpened(name: String) throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "\(UUID()).xcdatamodeld")
    let version = folder.appending(path: "A.xcdatamodel")
    try FileManager.default.createDirectory(at: version, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let place = (name == "contents" ? version : folder).appending(path: name)
    #expect(mkfifo(place.path, 0o600) == 0)
    let model = ModelFolder(path: folder.path)
    #expect(throws: SourceProblems.self) { try model.read() }
    // Where the pipe is no file of a version, there is nothing to compile.
    let compiled = Result { try model.compile(into: version.path, module: "M") }
    if name == "contents" { #expect(throws: SourceProblems.self) { try compiled.get() } }
    #expect(throws: SourceProblems.self) {
      try MappingFolder(path: folder.path).compile(to: version.appending(path: "out").path)
    }
  }

  @Test func deepModelsAreRefused() throws {
    let chain =
      "<model><entity name='E0'/>" + (1...1_000).map { "<entity name='E\($0)' parentEntity='E\($0 - 1)'/>" }.joined()
      + "</model>"
    let model = try ModelReader.read(Data(chain.utf8), path: "contents")
    let problems = #expect(throws: SourceProblems.self) { try model.check() }
    #expect(problems?.list.first?.message == "entity “E501” inherits from more than 500 others")
    #expect(VersionHashes(Data(chain.utf8))?.checksum == nil)

    let composites = (0..<60).map { number in
      "<composite name='C\(number)'>"
        + ["a", "b"].map { "<attribute name='\($0)' attributeType='Composite' composite='C\(number + 1)'/>" }.joined()
        + "</composite>"
    }.joined()
    let growing =
      "<model><entity name='E'><attribute name='a' attributeType='Composite' composite='C0'/></entity>\(composites)"
      + "<composite name='C60'><attribute name='x' attributeType='String'/></composite></model>"
    #expect(VersionHashes(Data(growing.utf8))?.checksum == nil)
  }

  /// A list with arrays in each other, as XML and binary; Foundation's readers recurse as deep as it says.
  @Test(arguments: [true, false])
  func deepListsAreRefused(isBinary: Bool) throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "\(UUID()).xcdatamodeld")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let marker = folder.appending(path: ".xccurrentversion")
    try (isBinary ? Self.deepBinary(200_000) : Self.deepXML(200_000)).write(to: marker)
    #expect(throws: SourceProblems.self) { try ModelFolder(path: folder.path).contents() }
  }

  private static func deepXML(_ depth: Int) -> Data {
    let arrays = String(repeating: "<array><!--</></>-->", count: depth) + String(repeating: "</array>", count: depth)
    return Data("<plist version=\"1.0\"><dict><key>_XCCurrentVersionName</key>\(arrays)</dict></plist>".utf8)
  }

  /// {"_XCCurrentVersionName": [[[...]]]}: object 0 is the dictionary, 1 the key, the others are arrays of the next.
  private static func deepBinary(_ depth: Int) -> Data {
    func bytes(_ number: Int, _ count: Int) -> [UInt8] {
      (0..<count).map { UInt8(truncatingIfNeeded: number >> (8 * (count - 1 - $0))) }
    }
    let key = Array("_XCCurrentVersionName".utf8)
    var list = Array("bplist00".utf8)
    var offsets = [list.count]
    list += [0xD1] + bytes(1, 4) + bytes(2, 4)
    offsets.append(list.count)
    list += [0x5F, 0x10, UInt8(key.count)] + key
    for number in 0..<depth {
      offsets.append(list.count)
      list += number == depth - 1 ? [0xA0] : [0xA1] + bytes(number + 3, 4)
    }
    let table = list.count
    for offset in offsets { list += bytes(offset, 4) }
    list += [0, 0, 0, 0, 0, 0, 4, 4] + bytes(offsets.count, 8) + bytes(0, 8) + bytes(table, 8)
    return Data(list)
  }
}
