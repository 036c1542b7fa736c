import CoreData
import Testing

@_spi(Store) @testable import OpenCoreData

/// A store with albums of pictures, whose large values are in files.
struct ExternalFixture {
  let file: URL
  let coordinator: NSPersistentStoreCoordinator

  /// Albums own pictures (cascade); photos are pictures with a second large value; names of pictures are unique.
  static func model() -> NSManagedObjectModel {
    let album = TestModel.entity("Album", [TestModel.attribute("name", .stringAttributeType)])
    let picture = TestModel.entity(
      "Picture",
      [
        TestModel.attribute("name", .stringAttributeType), large("data"),
        TestModel.attribute("plain", .binaryDataAttributeType),
      ])
    let photo = TestModel.entity("Photo", [large("negative")], parent: picture)
    TestModel.relate(album, "pictures", max: 0, picture, "album", max: 1, rule: .cascadeDeleteRule)
    picture.uniquenessConstraints = [["name"]]
    let model = NSManagedObjectModel()
    model.entities = [album, picture, photo]
    return model
  }

  private static func large(_ name: String) -> NSAttributeDescription {
    let attribute = TestModel.attribute(name, .binaryDataAttributeType)
    attribute.allowsExternalBinaryDataStorage = true
    return attribute
  }

  init(_ name: String = "Store.sqlite") throws { try self.init(at: TestModel.temporaryFile(name)) }

  init(at file: URL) throws {
    self.file = file
    coordinator = try TestModel.coordinator(Self.model(), url: file)
  }

  /// `count` bytes, the same for the same `seed`.
  static func bytes(_ count: Int, _ seed: UInt8 = 1) -> Data {
    Data((0..<count).map { UInt8(truncatingIfNeeded: $0) &* 7 &+ seed })
  }

  /// More than goes into a row.
  static let large = bytes(150_000)

  var folder: URL { URL(fileURLWithPath: ExternalStorage(storePath: file.path).folder) }

  /// The names of the files.
  func files() -> Set<String> {
    Set((try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? [])
  }

  /// The one file's content.
  func onlyFile() throws -> Data {
    let names = files()
    #expect(names.count == 1)
    return try Data(contentsOf: folder.appendingPathComponent(try #require(names.first)))
  }

  /// The rows of a query, read by a connection of its own.
  func sql(_ query: String) throws -> [[String?]] {
    try SQLiteConnection(path: file.path, readOnly: false, create: false, timeout: 5, pragmas: []).rows(query)
  }

  /// The names that rows refer to.
  func references() throws -> Set<String> {
    let rows = try ["ZDATA", "ZNEGATIVE"].flatMap {
      try sql(
        "SELECT CAST(substr(\($0), 2, 36) AS TEXT), hex(substr(\($0), 1, 1) || substr(\($0), 38)) FROM ZPICTURE WHERE length(\($0)) = 38"
      )
    }
    #expect(rows.allSatisfy { $0[1] == "0200" })
    return Set(rows.compactMap { $0[0] })
  }

  func inContext<Result>(_ body: (NSManagedObjectContext) throws -> Result) throws -> Result {
    try coordinator.inContext(body)
  }
}
