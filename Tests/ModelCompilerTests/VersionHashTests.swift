import Foundation
import ModelCompilerCore
import OpenCoreData
import Testing

/// The hashes that the plugin writes are those that the framework computes of the same file.
@Suite struct VersionHashTests {
  private func expectSame(_ entities: String, _ comment: Comment? = nil) throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let file = folder.appending(path: "A.mom")
    let contents = Data("<model>\(entities)</model>".utf8)
    try contents.write(to: file)
    let model = try NSManagedObjectModel(validatingContentsOf: file)
    let hashes = try #require(VersionHashes(contents), comment)
    #expect(hashes.entities == model.entityVersionHashesByName && !hashes.entities.isEmpty, comment)
    #expect(hashes.checksum == model.versionChecksum, comment)
  }

  @Test(arguments: [
    "Integer 16", "Integer 32", "Integer 64", "Double", "Float", "Boolean", "Decimal", "String", "Date", "Binary",
    "UUID",
    "URI", "Transformable", "Undefined",
  ])
  func types(type: String) throws {
    for options in ["", "optional='YES'", "transient='YES'", "versionHashModifier='2'"] {
      try expectSame("<entity name='A'><attribute name='x' attributeType='\(type)' \(options)/></entity>")
    }
  }

  @Test(arguments: [
    "name", "owner.name", " now() ", "canonical:(name)", "bs.@count", "bs.@sum", "uppercase:( name )",
  ])
  func derivations(text: String) throws {
    try expectSame(
      "<entity name='A'><attribute name='x' attributeType='String' derived='YES' derivationExpression='\(text)'/></entity>"
    )
  }

  @Test func everyKindOfProperty() throws {
    try expectSame(
      """
      <entity name='Ä' isAbstract='YES' versionHashModifier='m' elementID='old'>
        <attribute name='b' attributeType='Binary' allowsExternalBinaryDataStorage='YES' preserveAfterDeletion='YES'/>
        <attribute name='t' transient='YES'/>
        <attribute name='place' optional='YES' attributeType='Composite' composite='Place'/>
        <relationship name='one' maxCount='1' minCount='1' destinationEntity='C' inverseName='many' inverseEntity='C'/>
        <relationship name='none' optional='YES' toMany='YES' ordered='YES' destinationEntity='B'/>
        <fetchedProperty name='f'><fetchRequest name='f' entity='C' predicateString='TRUEPREDICATE'/></fetchedProperty>
        <uniquenessConstraints>
          <uniquenessConstraint><constraint value='b'/><constraint value='one'/></uniquenessConstraint>
          <uniquenessConstraint><constraint value='b'/></uniquenessConstraint>
        </uniquenessConstraints>
      </entity>
      <entity name='B' parentEntity='Ä'><attribute name='a' attributeType='UUID'/></entity>
      <entity name='C' parentEntity='B'>
        <relationship name='many' toMany='YES' maxCount='5' optional='YES' destinationEntity='Ä' inverseName='one' inverseEntity='Ä'/>
      </entity>
      <composite name='Place'>
        <attribute name='z' attributeType='Integer 16'/><attribute name='a' attributeType='Composite' composite='Inner'/>
      </composite>
      <composite name='Inner'><attribute name='q' optional='YES' attributeType='Date'/></composite>
      """)
  }

  @Test(arguments: [
    "<entity name='A' parentEntity='A'/>", "<entity name='A' parentEntity='B'/>",
    "<entity name='A'><attribute name='x' attributeType='Text'/></entity>",
    "<entity name='A'><relationship name='x' maxCount='many' destinationEntity='A'/></entity>",
    "<entity name='A'><attribute name='x' attributeType='Composite' composite='C'/></entity>"
      + "<composite name='C'><attribute name='y' attributeType='Composite' composite='C'/></composite>", "<entity",
  ])
  func aModelWithMistakesHasNone(entities: String) {
    #expect(VersionHashes(Data("<model>\(entities)</model>".utf8)) == nil)
  }

  private static let corpus: URL? = {
    let package = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    return ["../shared/corpus", "../../shared/corpus"].map { package.appending(path: $0).standardizedFileURL }
      .first { FileManager.default.fileExists(atPath: $0.path) }
  }()

  @Test(.enabled(if: corpus != nil, "the corpus is not there")) func publicModels() throws {
    let folder = try #require(Self.corpus)
    let names = FileManager.default.enumerator(atPath: folder.path)?.compactMap { $0 as? String } ?? []
    let models = names.filter { $0.hasSuffix(".xcdatamodel/contents") }.sorted()
    #expect(models.count >= 239)
    for name in models {
      let url = folder.appending(path: name)
      guard let model = NSManagedObjectModel(contentsOf: url) else { continue }
      #expect(VersionHashes(try Data(contentsOf: url))?.entities == model.entityVersionHashesByName, "\(name)")
    }
  }
}
