import CoreData
import Foundation
import FuzzSupport
import OpenCocoaFoundation
import Testing

@_spi(Store) @testable import OpenCoreData

/// Models in the form of Xcode 3, a keyed archive named `elements`.
@Suite struct ElementsReaderTests {
  /// A real one, beside a store that it made: the store states the version hashes.
  @Test(.enabled(if: Corpus.root != nil, "the corpus is not there")) func theHashesAreThoseOfTheStore() throws {
    let folders = Corpus.files("/elements").map { $0.deletingLastPathComponent() }
    #expect(!folders.isEmpty)
    for folder in folders {
      let model = try NSManagedObjectModel(validatingContentsOf: folder)
      let examples = folder.deletingLastPathComponent().deletingLastPathComponent()
      let copy = try TestModel.temporaryFile()
      defer { try? FileManager.default.removeItem(at: copy.deletingLastPathComponent()) }
      try Data(contentsOf: examples.appendingPathComponent("RKSeedDatabase.sqlite")).write(to: copy)
      let metadata = try NSPersistentStoreCoordinator.metadataForPersistentStore(
        ofType: NSSQLiteStoreType, at: copy, options: nil)
      #expect(metadata[NSStoreModelVersionHashesKey] as? [String: Data] == model.entityVersionHashesByName)
      #expect(model.isConfiguration(withName: nil, compatibleWithStoreMetadata: metadata))
      let tweet = try #require(model.entitiesByName["Tweet"])
      #expect(tweet.managedObjectClassName == "RKTweet" && tweet.userInfo?.isEmpty == true)
      #expect(tweet.attributesByName["createdAt"]?.attributeType == .dateAttributeType)
      #expect(tweet.attributesByName["statusID"]?.defaultValue as? Int == 0)
      let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
      try coordinator.addPersistentStore(ofType: NSSQLiteStoreType, configurationName: nil, at: copy, options: nil)
      let context = TestModel.context(coordinator)
      try context.performAndWait {
        let tweets = try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Tweet"))
        #expect(!tweets.isEmpty && tweets.contains { ($0.value(forKey: "user") as? NSManagedObject) != nil })
      }
    }
  }

  private func read(_ data: Data) throws -> NSManagedObjectModel {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID().uuidString)/Old.xcdatamodel")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder.deletingLastPathComponent()) }
    try data.write(to: folder.appendingPathComponent("elements"))
    return try NSManagedObjectModel(validatingContentsOf: folder)
  }

  /// What the real one lacks, beside the XML that says the same.
  @Test func itIsTheModelOfTheXML() throws {
    let old = try read(ElementsArchive.shop), new = try Gallery.model(ElementsArchive.shopXML)
    #expect(old.entityVersionHashesByName == new.entityVersionHashesByName)
    for (name, entity) in new.entitiesByName {
      let other = try #require(old.entitiesByName[name])
      #expect(other.isAbstract == entity.isAbstract && other.superentity?.name == entity.superentity?.name)
      #expect(other.renamingIdentifier == entity.renamingIdentifier)
      #expect(other.userInfo as? [String: String] == entity.userInfo as? [String: String])
      for (key, property) in entity.propertiesByName {
        #expect(other.propertiesByName[key] == property, "\(name).\(key)")
      }
    }
    #expect(old == new && old.configurations == ["Main"])
    #expect(old.fetchRequestTemplate(forName: "cheap")?.predicate == NSPredicate(format: "price < 5"))
  }

  /// The build plugin reads XML alone.
  @Test func itIsConvertedToXML() throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID().uuidString)/Old.xcdatamodel")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder.deletingLastPathComponent()) }
    let elements = folder.appendingPathComponent("elements"), contents = folder.appendingPathComponent("contents")
    try ElementsArchive.shop.write(to: elements)
    let before = try NSManagedObjectModel(validatingContentsOf: folder)
    #expect(try ModelFile.convertElements(in: folder)?.lastPathComponent == "contents")
    #expect(try ModelFile.convertElements(in: folder) == nil)
    try FileManager.default.removeItem(at: elements)
    let after = try NSManagedObjectModel(validatingContentsOf: folder)
    #expect(after == before && after.entityVersionHashesByName == before.entityVersionHashesByName)
    #expect(after.fetchRequestTemplate(forName: "cheap")?.predicate == NSPredicate(format: "price < 5"))

    // A model with a mistake gives no file, and the error names the file that has it.
    try FileManager.default.removeItem(at: contents)
    try ElementsArchive.archive(changing: "price", ["XD_PAttK_attributeType": .integer(150)]).write(to: elements)
    let error = #expect(throws: NSError.self) { try ModelFile.convertElements(in: folder) }
    #expect(error?.code == 134020 && error?.localizedDescription.contains("150 is no attribute type") == true)
    #expect(!FileManager.default.fileExists(atPath: contents.path))
  }

  @Test func theXMLKeepsEveryCharacter() throws {
    let value = "a<b>&\"c'\t\nd\r é 🎈"
    let tree = XMLElementTree("model", ["name": value, "a": nil], [XMLElementTree("entity", ["name": "x", "b": ""])])
    let read = try XMLElementTree.parse(tree.document)
    #expect(read.attributes == ["name": value] && read.children.map(\.attributes) == [["name": "x", "b": ""]])
    #expect(throws: (any Error).self) { try XMLElementTree.parse(XMLElementTree("a", ["b": "\u{1}"]).document) }
  }

  @Test(
    arguments: [
      (["XD_PAttK_attributeType": .integer(150)], "150 is no attribute type"),
      (["XD_PAttK_minValueString": .string("low")], "minValueString is “low”, not a number"),
      (["_class": .string("XDPMNonsense")], "XDPMNonsense is no kind of property"),
    ] as [([String: PropertyListValue], String)])
  func contradictionsAreNamed(_ change: [String: PropertyListValue], _ reason: String) throws {
    let error = #expect(throws: NSError.self) { try read(ElementsArchive.archive(changing: "price", change)) }
    #expect(error?.code == 134020 && error?.localizedDescription.contains(reason) == true, "\(error as Any)")
    #expect(error?.userInfo["property"] as? String == "price")
  }

  /// Damaged bytes are an error, or another model; they never end the program.
  @Test func damagedBytes() throws {
    let whole = ElementsArchive.shop
    try FuzzCampaign("damaged elements", cases: 400).run { seed in
      var random = SeededGenerator(seed: seed), data = whole
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        data[data.indices.randomElement(using: &random) ?? 0] = UInt8.random(in: 0...255, using: &random)
      }
      if Bool.random(using: &random) { data = data.prefix(Int.random(in: 0...data.count, using: &random)) }
      _ = try? read(data)
    }
  }
}
