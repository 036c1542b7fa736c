import CoreData
import Foundation
import FuzzSupport
import Testing

@_spi(Store) @testable import OpenCoreData

/// Migrations of models whose inverses do not lead back.
@Suite struct UnevenMigrationTests {
  private static let extra =
    #"<entity name="Painter"><attribute name="extra" optional="YES" attributeType="Integer 16"/>"#

  private static func changed(_ xml: String) -> String {
    xml.replacingOccurrences(of: #"<entity name="Painter">"#, with: extra)
  }

  /// `painter` and `sketches` by other names.
  private static func renamed(_ xml: String) -> String {
    xml.replacingOccurrences(of: #"name="painter""#, with: #"name="maker" elementID="painter""#)
      .replacingOccurrences(of: #"inverseName="painter""#, with: #"inverseName="maker""#)
      .replacingOccurrences(of: #"name="sketches""#, with: #"name="drafts" elementID="sketches""#)
  }

  struct Case: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let old: String
    let new: String
    /// Whether each list has the same order before and after.
    var isSameOrder = true
  }

  static let cases: [Case] = {
    func xml(_ pictures: Bool, _ sketches: Bool) -> String { Gallery.ordered(pictures: pictures, sketches: sketches) }
    var cases = [
      Case(testDescription: "renamed", old: xml(false, true), new: renamed(xml(false, true))),
      Case(testDescription: "both renamed", old: xml(true, true), new: renamed(xml(true, true)), isSameOrder: false),
      Case(testDescription: "order comes", old: xml(false, false), new: xml(false, true), isSameOrder: false),
      Case(testDescription: "order goes", old: xml(false, true), new: xml(false, false), isSameOrder: false),
      Case(testDescription: "the other's order", old: xml(false, true), new: xml(true, false), isSameOrder: false),
      Case(testDescription: "a second order", old: xml(false, true), new: xml(true, true), isSameOrder: false),
    ]
    for (pictures, sketches) in [(false, false), (false, true), (true, false)] {
      let old = xml(pictures, sketches)
      cases.append(Case(testDescription: "attribute, \(pictures) \(sketches)", old: old, new: changed(old)))
    }
    return cases
  }()

  private func fill(_ url: URL, _ model: NSManagedObjectModel, _ type: String, seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    try MigrationStores.open(url, model, type) { context in
      for (entity, count) in [("Painter", 4), ("Picture", 8), ("Tag", 4)] {
        for number in 0..<count {
          let object = NSEntityDescription.insertNewObject(forEntityName: entity, into: context)
          object.setValue("\(entity)\(number)", forKey: entity == "Picture" ? "title" : "name")
        }
      }
      for _ in 0..<40 { try UnevenFacts.change(context, &random) }
      try context.save()
    }
  }

  private func facts(
    _ url: URL, _ model: NSManagedObjectModel, _ type: String, _ isSameOrder: Bool
  ) throws -> [String] {
    let names = UnevenFacts(unordered: isSameOrder ? [] : ["pictures", "sketches", "drafts", "labels", "tags"])
    return try MigrationStores.open(url, model, type) { try names.all($0) }.map {
      $0.replacingOccurrences(of: ".maker=", with: ".painter=").replacingOccurrences(of: ".drafts=", with: ".sketches=")
    }.sorted()
  }

  @Test(arguments: cases, [NSSQLiteStoreType, NSXMLStoreType, NSBinaryStoreType])
  func everyRelationshipIsKept(_ change: Case, _ type: String) throws {
    let models = try (old: Gallery.model(change.old), new: Gallery.model(change.new))
    for seed in UInt64(0)..<3 {
      let stores = try MigrationStores(models.old, models.new)
      defer { try? FileManager.default.removeItem(at: stores.folder) }
      try fill(stores.source, models.old, type, seed: seed)
      let before = try facts(stores.source, models.old, type, change.isSameOrder)
      // By a mapping model, into another file.
      try stores.migrate(
        stores.inferred(), from: .init(rawValue: type), to: .init(rawValue: type))
      #expect(try facts(stores.destination, models.new, type, change.isSameOrder) == before, "mapped, seed \(seed)")
      // In place.
      let coordinator = NSPersistentStoreCoordinator(managedObjectModel: models.new)
      let options = [NSMigratePersistentStoresAutomaticallyOption: true, NSInferMappingModelAutomaticallyOption: true]
      let store = try coordinator.addPersistentStore(
        ofType: type, configurationName: nil, at: stores.source, options: options)
      try coordinator.remove(store)
      #expect(try facts(stores.source, models.new, type, change.isSameOrder) == before, "in place, seed \(seed)")
      if type == NSSQLiteStoreType {
        for file in [stores.source, stores.destination] { #expect(try StoreCheck.errors(file) == []) }
      }
    }
  }

  /// Another inverse would have others follow: that is not inferred (D-MIG-09).
  @Test func anotherInverseIsRefused() throws {
    let uneven = Gallery.ordered(pictures: false, sketches: true)
    let mutual = uneven.replacingOccurrences(
      of: #"Painter" inverseName="portrait"/>"#, with: #"Painter" inverseName="pictures"/>"#)
    for (old, new) in [(uneven, mutual), (mutual, uneven)] {
      let obstacles = InferredMigration(from: try Gallery.model(old), to: try Gallery.model(new)).obstacles
      #expect(obstacles.contains { $0.text.contains("its inverse was") }, "\(obstacles)")
    }
  }
}
