import CoreData
import Foundation
import Testing

import class OpenCocoaFoundation.NSExpression

@_spi(Store) @testable import OpenCoreData

/// Mapping models in files: compiled ones, and Xcode's.
@Suite struct MappingFileTests {
  private let source = MigrationFixture.folder.appendingPathComponent("Notes.xcmappingmodel")

  private func error(_ body: () throws -> Void) throws -> NSError {
    try #require(throws: NSError.self, performing: body)
  }

  private static let notes: String = {
    let owner = "FUNCTION($manager, \"destinationInstancesForEntityMappingNamed:sourceInstances:\" , "
    let members = "FUNCTION($manager, \"destinationInstancesForSourceRelationshipNamed:sourceInstances:\" , "
    let headline = "FUNCTION($entityPolicy, \"headlineOf:or:\" , $source.title, \"untitled\")"
    return """
      DraftToDraft 1 Draft>Draft ## by Notes.NotePolicy
        headline = \(headline)
        stars = $source.stars
        words = $source.words
        attachments = nil
        folder = \(owner)"FolderToFolder", $source.folder)
        labels = \(owner)"TagToTag", $source.tags)
      FolderToFolder 4 Folder>Folder ##
        name = $source.name
        notes = \(members)"notes", $source.notes)
      NoteToNote 1 Note>Note ## by Notes.NotePolicy
        headline = \(headline)
        stars = $source.stars
        attachments = nil
        folder = \(owner)"FolderToFolder", $source.folder)
        labels = \(owner)"TagToTag", $source.tags)
      TagToTag 4 Tag>Tag ##
        name = $source.name
        notes = \(members)"notes", $source.notes)
      NoteToAttachment 5 Note>Attachment ##
        text = $source.text
        note = \(owner)"NoteToNote", $source)
      Search 3 Search>- #-
      """
  }()

  @Test func xcodesMappingModelIsCompleted() throws {
    let model = try NSMappingModel(validatingContentsOf: source)
    #expect(MigrationFixture.text(model.entityMappings) == Self.notes)
    #expect(
      model.entityMappingsByName["NoteToAttachment"]?.sourceExpression?.description.contains(
        "text != nil AND stars < 3")
        == true)
    let given = try NSMappingModel(
      validatingContentsOf: source.appendingPathComponent("xcmapping.xml"), forSourceModel: MigrationFixture.notes(1),
      destinationModel: MigrationFixture.notes(2))
    #expect(MigrationFixture.text(given.entityMappings) == Self.notes)
    #expect(NSMappingModel(contentsOf: source)?.entityMappings.count == 6)
    #expect(NSMappingModel(contentsOf: nil) == nil)
  }

  @Test func aCompiledMappingModelIsTheSame() throws {
    let url = MigrationFixture.folder.appendingPathComponent("Notes.cdm")
    let compiled = try #require(NSMappingModel(contentsOf: url))
    let made = try NSMappingModel(validatingContentsOf: source)
    #expect(MigrationFixture.text(compiled.entityMappings) == Self.notes)
    for (one, other) in zip(compiled.entityMappings, made.entityMappings) {
      #expect(one.sourceEntityVersionHash == other.sourceEntityVersionHash)
      #expect(one.destinationEntityVersionHash == other.destinationEntityVersionHash)
      #expect(one.sourceExpression == other.sourceExpression)
      let pairs = zip(
        one.attributeMappings! + one.relationshipMappings!, other.attributeMappings! + other.relationshipMappings!)
      for (first, second) in pairs { #expect(first.valueExpression == second.valueExpression) }
    }
    // Archiving gives the same bytes again.
    #expect(try MappingEncoder.encode(made) == Data(contentsOf: url))
    #expect(try MappingEncoder.encode(compiled) == Data(contentsOf: url))
  }

  @Test func everythingIsArchived() throws {
    let mapping = NSEntityMapping()
    mapping.name = "m"
    mapping.mappingType = .customEntityMappingType
    mapping.entityMigrationPolicyClassName = "P"
    mapping.userInfo = ["key": ["a", 1] as [Any], "text": "t"]
    mapping.sourceExpression = MappingFunction.objects(of: "E", where: "x > 1")
    let property = NSPropertyMapping("p", NSExpression(format: "TERNARY($source.x == nil, 'none', $source.x)"))
    property.userInfo = ["n": 1]
    mapping.attributeMappings = [property]
    let model = NSMappingModel()
    model.entityMappings = [mapping]
    let read = try #require(try MappingDecoder.decode(MappingEncoder.encode(model)).first)
    #expect(read.name == "m" && read.mappingType == .customEntityMappingType && read.relationshipMappings == nil)
    #expect(
      read.entityMigrationPolicyClassName == "P" && read.userInfo as NSDictionary? == mapping.userInfo as NSDictionary?)
    #expect(read.sourceExpression == mapping.sourceExpression)
    #expect(read.attributeMappings?.first?.valueExpression == property.valueExpression)
    #expect(read.attributeMappings?.first?.userInfo?["n"] as? Int == 1)
    property.valueExpression = NSExpression(block: { _, _, _ in 1 }, arguments: nil)
    let url = try MigrationFixture.temporaryFolder().appendingPathComponent("m.cdm")
    #expect(try error { try model.write(compiledMappingTo: url) }.code == 134020)
  }

  // MARK: Bad input

  @Test func filesThatAreNone() throws {
    let folder = try MigrationFixture.temporaryFolder()
    func code(_ name: String, _ contents: String?) throws -> Int {
      let url = folder.appendingPathComponent(name)
      try contents.map { try Data($0.utf8).write(to: url) }
      #expect(NSMappingModel(contentsOf: url) == nil)
      let error = try error { _ = try NSMappingModel(validatingContentsOf: url) }
      #expect(error.localizedDescription.contains(url.path) && error.localizedDescription.contains("mapping model"))
      return error.code
    }
    #expect(try code("missing.cdm", nil) == 260)
    #expect(try code("empty.cdm", "") == 259)
    #expect(try code("text.xml", "<database>") == 259)
    #expect(try code("other.xml", "<model/>") == 259)
    #expect(try code("none.xml", "<database></database>") == 259)
    #expect(try code("bad.cdm", "bplist00") == 259)
    try FileManager.default.createDirectory(
      at: folder.appendingPathComponent("a.xcmappingmodel"), withIntermediateDirectories: true)
    #expect(try code("a.xcmappingmodel", nil) == 259)
    let model = folder.appendingPathComponent("m.mom")
    try MigrationFixture.notes(1).write(compiledModelTo: model)
    #expect(try error { _ = try NSMappingModel(validatingContentsOf: model) }.code == 259)
  }

  @Test func whatTheModelsDoNotHave() throws {
    let text = try String(contentsOf: source.appendingPathComponent("xcmapping.xml"), encoding: .utf8)
    let url = try MigrationFixture.temporaryFolder().appendingPathComponent("xcmapping.xml")
    func message(_ old: String, _ new: String) throws -> String {
      let changed = text.replacing(old, with: new)
      #expect(changed != text)
      try Data(changed.utf8).write(to: url)
      let error = try error {
        _ = try NSMappingModel(
          validatingContentsOf: url, forSourceModel: MigrationFixture.notes(1),
          destinationModel: MigrationFixture.notes(2)
        )
      }
      #expect(error.code == 134020)
      return error.localizedFailureReason ?? ""
    }
    #expect(try message(">Search<", ">Quest<") == "Quest: The source model has no entity “Quest”.")
    let shelf = "destinationname\" type=\"string\">Shelf<"
    #expect(
      try message(shelf.replacing("Shelf", with: "Folder"), shelf)
        == "FolderToShelf: The destination model has no entity “Shelf”.")
    #expect(
      try message(">words<", ">letters<")
        == "DraftToDraft.letters: The destination entity “Draft” has no such attribute.")
    #expect(try message(">labels<", ">marks<").hasSuffix("has no such relationship."))
    #expect(
      try message(">NoteToNote<", ">NoteToMemo<") == "NoteToAttachment.note: There is no entity mapping “NoteToMemo”.")
    #expect(try message("text != nil", "text !!").contains("NoteToAttachment: Its filter “text !!"))
    #expect(try message("$source.tags", "$other.tags").contains("“$other.tags” is no key path."))
    #expect(
      try message("YnBsaXN0MDDUAQIDBAUG", "YnBsaXN0MDDUAQIDBAU/").contains("headline: The value expression is damaged"))
    // The models are not beside it.
    try Data(text.utf8).write(to: url)
    let missing = try error { _ = try NSMappingModel(validatingContentsOf: url) }
    #expect(missing.code == 260 && missing.localizedDescription.contains("Notes 1.xcdatamodel"))
  }

  @Test func aCompiledMappingModelOfOtherModels() throws {
    let url = MigrationFixture.folder.appendingPathComponent("Notes.cdm")
    let (first, second) = (try MigrationFixture.notes(1), try MigrationFixture.notes(2))
    _ = try NSMappingModel(validatingContentsOf: url, forSourceModel: first, destinationModel: second)
    let other = try error {
      _ = try NSMappingModel(validatingContentsOf: url, forSourceModel: first, destinationModel: first)
    }
    #expect(other.code == 134140 && other.localizedDescription.contains("“Draft” has another version hash"))
  }

  @Test func aKeyPathOfAnotherTypeIsDamaged() throws {
    let model = NSMappingModel()
    let mapping = NSEntityMapping()
    mapping.attributeMappings = [NSPropertyMapping("p", MappingFunction.source("q"))]
    model.entityMappings = [mapping]
    var list = try #require(
      PropertyListSerialization.propertyList(from: MappingEncoder.encode(model), format: nil) as? [String: Any])
    var objects = try #require(list["$objects"] as? [Any])
    let index = try #require(
      objects.firstIndex { ($0 as? [String: Any])?["NSExpressionType"] as? Int == 10 })
    var specifier = try #require(objects[index] as? [String: Any])
    specifier["NSExpressionType"] = 0
    objects[index] = specifier
    list["$objects"] = objects
    let data = try PropertyListSerialization.data(fromPropertyList: list, format: .binary, options: 0)
    #expect(throws: ArchiveProblem.self) { try MappingDecoder.decode(data) }
  }

  @Test func damagedArchivesAreRefusedOrRead() throws {
    let data = try Data(contentsOf: MigrationFixture.folder.appendingPathComponent("Notes.cdm"))
    var random = SeededGenerator(for: "damaged mapping models")
    for _ in 0..<(300 * Soak.factor) {
      var damaged = data
      for _ in 0..<Int.random(in: 1...6, using: &random) {
        damaged[Int.random(in: 0..<damaged.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
      }
      // Neither a crash nor an endless loop; what is read can be described.
      do {
        _ = MigrationFixture.text(try MappingDecoder.decode(damaged))
      } catch is ArchiveProblem {
      } catch {
        Issue.record(error)
      }
    }
  }

  @Test func damagedSourcesAreRefusedOrRead() throws {
    let data = try Data(contentsOf: source.appendingPathComponent("xcmapping.xml"))
    let (before, after) = (try MigrationFixture.notes(1), try MigrationFixture.notes(2))
    var random = SeededGenerator(for: "damaged source mapping models")
    for _ in 0..<(100 * Soak.factor) {
      var damaged = data
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        let place = Int.random(in: 0..<damaged.count, using: &random)
        switch Int.random(in: 0...2, using: &random) {
        case 0: damaged[place] = UInt8.random(in: 32...126, using: &random)
        case 1: damaged.removeSubrange(place..<min(place + Int.random(in: 1...40, using: &random), damaged.count))
        default: damaged.insert(contentsOf: damaged[place...].prefix(Int.random(in: 1...40, using: &random)), at: place)
        }
      }
      do {
        _ = MigrationFixture.text(try SourceMappingReader.read(damaged).entityMappings(from: before, to: after))
      } catch is ModelProblem {
      } catch {
        Issue.record(error)
      }
    }
  }
}
