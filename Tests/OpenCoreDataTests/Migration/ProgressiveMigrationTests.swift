import CoreData
import Foundation
import Testing

@_spi(Store) @testable import OpenCoreData

/// The way through the versions of a model.
@Suite struct ProgressiveMigrationTests {
  private func version(_ attributes: String) throws -> NSManagedObjectModel {
    try MigrationFixture.model("<entity name='A'>\(attributes)</entity>")
  }

  private func attribute(_ name: String, _ type: String = "String", _ more: String = "optional='YES'") -> String {
    "<attribute name='\(name)' attributeType='\(type)' \(more)/>"
  }

  private func metadata(_ model: NSManagedObjectModel) -> [String: Any] {
    [NSStoreModelVersionHashesKey: model.entityVersionHashesByName]
  }

  /// The steps in text: `0>2 inferred`.
  private func way(
    _ versions: [NSManagedObjectModel], _ mapped: [[Int]] = [], from first: Int = 0, to last: Int? = nil
  ) throws -> [String] {
    let destination = versions[last ?? versions.count - 1]
    func place(_ model: NSManagedObjectModel) -> Int { versions.firstIndex { $0 === model } ?? -1 }
    let migration = try ProgressiveMigration(
      from: metadata(versions[first]), among: versions, to: destination,
      mapping: { mapped.contains([place($0), place($1)]) ? NSMappingModel() : nil })
    return migration.steps.map { step in
      let means = if case .mapping = step.means { "mapped" } else { "inferred" }
      return "\(place(step.source))>\(place(step.destination)) \(means)"
    }
  }

  @Test func theFewestSteps() throws {
    let versions = try (0..<4).map { try version((0...$0).map { attribute("v\($0)") }.joined()) }
    #expect(try way(versions) == ["0>3 inferred"])
    #expect(try way(versions, from: 2) == ["2>3 inferred"])
    #expect(try way(versions, to: 2) == ["0>2 inferred"])
    #expect(try way(versions, from: 3) == [])
    // A mapping model is not jumped over.
    #expect(try way(versions, [[1, 2]]) == ["0>1 inferred", "1>2 mapped", "2>3 inferred"])
    #expect(try way(versions, [[0, 1], [2, 3]]) == ["0>1 mapped", "1>2 inferred", "2>3 mapped"])
    // But by another one.
    #expect(try way(versions, [[0, 1], [0, 3]]) == ["0>3 mapped"])
    // Back to an older version only directly.
    #expect(try way(versions, from: 3, to: 0) == ["3>0 inferred"])
  }

  /// Between many versions there are thousands of pairs; without a mapping model none of them is looked at.
  @Test func withoutMappingModelsTheDirectStepIsTakenAtOnce() throws {
    let versions = try (0..<30).map { try version((0...$0).map { attribute("v\($0)") }.joined()) }
    var searches = 0
    func way(_ hasMappings: Bool) throws -> [Int] {
      let migration = try ProgressiveMigration(
        from: metadata(versions[0]), among: versions, to: versions[29], hasMappings: hasMappings,
        mapping: { _, _ in
          searches += 1
          return nil
        })
      return migration.steps.map { step in versions.firstIndex { $0 === step.destination } ?? -1 }
    }
    #expect(try way(false) == [29] && searches == 0)
    #expect(try way(true) == [29] && searches == 30 * 29 / 2)
    // Nor where there are mapping models of other versions; a search by hashes costs little.
    func place(_ model: NSManagedObjectModel) -> Int { versions.firstIndex { $0 === model } ?? -1 }
    func inferences(_ mapped: [[Int]]) throws -> [Int] {
      let migration = try ProgressiveMigration(
        from: metadata(versions[0]), among: versions, to: versions[29],
        mapping: { mapped.contains([place($0), place($1)]) ? NSMappingModel() : nil })
      return [migration.steps.count, migration.inferences]
    }
    #expect(try inferences([]) == [1, 1])
    // To the mapping model, from the version behind it, and from the first to those before it.
    #expect(try inferences([[10, 11]]) == [3, 11])
    #expect(try inferences([[28, 29]])[0] == 2)
    #expect(try inferences([[0, 29]]) == [1, 0])
    // Without a direct step, the versions between are looked at.
    let detour = try [
      version(attribute("a")), version(attribute("b")), version(attribute("a", "Integer 16") + attribute("b")),
    ]
    let steps = try ProgressiveMigration(
      from: metadata(detour[0]), among: detour, to: detour[2], hasMappings: false,
      mapping: { _, _ in nil }
    ).steps
    #expect(steps.count == 2)
  }

  @Test func whatCannotBeInferredTakesSeveralSteps() throws {
    // In the middle the attribute is optional, and what there is is filled by a mapping model.
    let versions = [
      try version(attribute("a")), try version(attribute("a") + attribute("b", "Integer 16")),
      try version(attribute("b", "Integer 16", "")), try version(attribute("b", "String", "")),
    ]
    #expect(try way(versions, [[1, 2], [2, 3]]) == ["0>1 inferred", "1>2 mapped", "2>3 mapped"])
    let error = try #require(throws: NSError.self) { try way(versions, [[1, 2]]) }
    #expect(error.code == 134140 && error.localizedDescription.contains("A.b"))
    #expect(error.localizedDescription.contains("version 3 to 4 of 4"))
    // Jumping over a mapping model is better than nothing.
    let other = [
      try version(attribute("a")), try version(attribute("a", "Date")),
      try version(attribute("a", "Date") + attribute("c")),
      try version(attribute("a") + attribute("c")),
    ]
    #expect(try way(other, [[1, 2]]) == ["0>3 inferred"])
  }

  @Test func stepsThatRowsMayPreventAreTheLastChoice() throws {
    let versions = [try version(attribute("a")), try version(attribute("a") + attribute("b", "String", ""))]
    #expect(throws: NSError.self) { try way(versions) }
    func steps(_ versions: [NSManagedObjectModel]) throws -> Int {
      try ProgressiveMigration(
        from: metadata(versions[0]), among: versions, to: versions[versions.count - 1], mapping: { _, _ in nil },
        risksRows: true
      ).steps.count
    }
    #expect(try steps(versions) == 1)
    #expect(throws: NSError.self) { try steps([versions[0], version(attribute("a", "Date"))]) }
  }

  @Test func versionsThatAreNotThere() throws {
    let versions = try (0..<3).map { try version(attribute("v\($0)")) }
    let stranger = try version(attribute("w"))
    let error = try #require(throws: NSError.self) {
      try ProgressiveMigration(from: metadata(stranger), among: versions, to: versions[2], mapping: { _, _ in nil })
    }
    #expect(error.code == 134130)
    // The destination need not be among them.
    let migration = try ProgressiveMigration(
      from: metadata(versions[0]), among: versions, to: stranger, mapping: { _, _ in nil })
    #expect(migration.steps.count == 1 && migration.steps[0].destination === stranger)
  }

  // MARK: An application of the corpus

  /// A title and a size that version 4 demands.
  final class ImagePolicy: NSEntityMigrationPolicy {
    override func createDestinationInstances(
      forSource sInstance: NSManagedObject, in mapping: NSEntityMapping, manager: NSMigrationManager
    ) throws {
      try super.createDestinationInstances(forSource: sInstance, in: mapping, manager: manager)
      let image = manager.destinationInstances(forEntityMappingName: mapping.name, sourceInstances: [sInstance])[0]
      if image.text("title") == nil { image.setValue("untitled", forKey: "title") }
      if image.value(forKey: "creationDate") == nil {
        image.setValue(Date(timeIntervalSince1970: 5), forKey: "creationDate")
      }
      image.setValue(Float((sInstance.value(forKey: "imageData") as? Data)?.count ?? 0), forKey: "width")
    }
  }

  /// An identifier that version 5 demands.
  final class ReviewPolicy: NSEntityMigrationPolicy {
    override func createDestinationInstances(
      forSource sInstance: NSManagedObject, in mapping: NSEntityMapping, manager: NSMigrationManager
    ) throws {
      try super.createDestinationInstances(forSource: sInstance, in: mapping, manager: manager)
      let review = manager.destinationInstances(forEntityMappingName: mapping.name, sourceInstances: [sInstance])[0]
      review.setValue(UUID().uuidString, forKey: "uuid")
    }
  }

  /// ReviewJournal's five versions, and the three mapping models between them, two with policies.
  @Test(.enabled(if: Corpus.isThere, "the corpus is not there"), arguments: 1...5)
  func anApplicationsVersionsWithItsMappingModels(_ first: Int) throws {
    NSEntityMigrationPolicy.register(
      ImagePolicy.self, forName: "ReviewJournal.ImageAttachmentToImageAttachment_v3_to_v4")
    NSEntityMigrationPolicy.register(ReviewPolicy.self, forName: "ReviewJournal.ReviewToReview_v4_to_v5")
    let data = try #require(Corpus.root).appendingPathComponent(
      "stores/cypherpoet-coredatakit/Examples/ReviewJournal/Shared/Data")
    let versions = try (1...5).map { number in
      try NSManagedObjectModel(
        validatingContentsOf: data.appendingPathComponent(
          "ReviewJournal.xcdatamodeld/ReviewJournal\(number == 1 ? "" : " v\(number)").xcdatamodel"))
    }
    let mappings = try #require(Bundle(path: data.appendingPathComponent("Migration/Mapping Models").path))
    let url = try MigrationFixture.temporaryFolder().appendingPathComponent("Reviews.sqlite")
    let model = versions[first - 1]
    let large = Data((0..<200_000).map { UInt8(truncatingIfNeeded: $0 &* 31) })
    try MigrationStores.open(url, model) { context in
      for number in 0..<40 {
        let review = context.make("Review", ["title": "review \(number)", "score": Double(number)])
        if first == 5 { review.setValue("id \(number)", forKey: "uuid") }
        if first == 2 { review.setValue(number == 7 ? large : Data([UInt8(number)]), forKey: "imageData") }
        guard first > 2, number % 2 == 0 else { continue }
        let image = context.make("ImageAttachment", ["imageData": number == 8 ? large : Data([UInt8(number)])])
        image.setValue(review, forKey: "review")
        if first > 3 {
          image.setValue("image \(number)", forKey: "title")
          image.setValue(Date(), forKey: "creationDate")
        }
      }
      try context.save()
    }
    let metadata = try MigrationPlace(url, NSSQLiteStoreType, nil).metadata()
    let migration = try ProgressiveMigration(
      from: metadata, among: versions, to: versions[4],
      mapping: { NSMappingModel(from: [mappings], forSourceModel: $0, destinationModel: $1) })
    #expect(migration.steps.count == 5 - first)
    var progress: [Float] = []
    try migration.run(storeAt: url, type: NSSQLiteStoreType, progress: { progress.append($0) }) {
      url, source, destination in
      let place = MigrationPlace(url, NSSQLiteStoreType, nil)
      try StoreRemaking.migrate(
        place, from: source, to: destination,
        .inferredMappingModel(forSourceModel: source, destinationModel: destination))
    }
    #expect(progress == progress.sorted() && progress.last == 1)
    try MigrationStores.open(url, versions[4]) { context in
      let reviews = try context.all("Review", sortedBy: "score")
      #expect(reviews.map { $0.text("title") } == (0..<40).map { "review \($0)" })
      #expect(Set(reviews.compactMap { $0.text("uuid") }).count == 40)
      let images = try context.all("ImageAttachment")
      if first > 2 {
        #expect(
          images.count == 20 && images.allSatisfy { $0.value(forKey: "review") != nil && $0.text("title") != nil })
        #expect(images.contains { $0.value(forKey: "imageData") as? Data == large })
      }
      if first == 3 { #expect(images.contains { $0.value(forKey: "width") as? Float == 200_000 }) }
    }
    #expect(try StoreCheck.errors(url) == [])
    let left = try FileManager.default.contentsOfDirectory(atPath: url.deletingLastPathComponent().path)
    #expect(left.filter { $0.contains("migrationdestination") } == [])
  }
}
