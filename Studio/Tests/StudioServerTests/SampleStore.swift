import CoreData
import Foundation

/// A small store in a folder of its own, with names and values that a page must escape.
final class SampleStore: Sendable {
  let folder: URL
  let url: URL
  private let type: String
  private let hasHistory: Bool

  static let hostile = #"<script>alert("1")</script>'"&{{name}}"#

  /// - Parameters:
  ///   - people: how many there are.
  ///   - name: the file's name.
  ///   - names: of the first people; the others have plain ones.
  ///   - type: the kind of the store.
  ///   - hasHistory: whether it keeps a history.
  ///   - place: the URL of a server's store, instead of a file.
  init(
    people: Int = 250, name: String = "People.sqlite", names: [String] = [], type: String = NSSQLiteStoreType,
    hasHistory: Bool = true, at place: URL? = nil
  ) throws {
    folder = FileManager.default.temporaryDirectory.appendingPathComponent("studio-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    url = place ?? folder.appendingPathComponent(name)
    (self.type, self.hasHistory) = (type, hasHistory)
    try write { context in
      var last: NSManagedObject?
      for number in 0..<people {
        let person = NSEntityDescription.insertNewObject(forEntityName: "Person", into: context)
        let name = number < names.count ? names[number] : number == 7 ? Self.hostile : "Person \(number)"
        person.setValue(name, forKey: "name")
        person.setValue(number % 90, forKey: "age")
        person.setValue("secret of \(number)", forKey: "password")
        person.setValue(Date(timeIntervalSinceReferenceDate: Double(number) * 86_400), forKey: "born")
        if number % 3 == 0 { person.setValue(Self.picture, forKey: "picture") }
        person.setValue(last, forKey: "friend")
        last = person
      }
    }
  }

  /// Changes the store as another program does.
  func write(_ body: (NSManagedObjectContext) throws -> Void) throws {
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: Self.model())
    let store = try coordinator.addPersistentStore(
      ofType: type, configurationName: nil, at: url,
      options: hasHistory ? [NSPersistentHistoryTrackingKey: true as NSNumber] : nil)
    let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    context.persistentStoreCoordinator = coordinator
    context.transactionAuthor = Self.hostile
    defer { try? coordinator.remove(store) }
    try context.performAndWait {
      try body(context)
      try context.save()
    }
  }

  deinit { try? FileManager.default.removeItem(at: folder) }

  /// One pixel.
  static let picture =
    Data(
      base64Encoded:
        "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==") ?? Data()

  private static func attribute(_ name: String, _ type: NSAttributeType) -> NSAttributeDescription {
    let attribute = NSAttributeDescription()
    attribute.name = name
    attribute.attributeType = type
    attribute.isOptional = true
    return attribute
  }

  static func model() -> NSManagedObjectModel {
    let person = NSEntityDescription()
    person.name = "Person"
    let password = attribute("password", .stringAttributeType)
    password.userInfo = [OCDSecretAttributeKey: "YES"]
    let friend = NSRelationshipDescription(), friendOf = NSRelationshipDescription()
    (friend.name, friend.destinationEntity, friend.maxCount, friend.isOptional) = ("friend", person, 1, true)
    (friendOf.name, friendOf.destinationEntity, friendOf.maxCount, friendOf.isOptional) = ("friendOf", person, 0, true)
    (friend.inverseRelationship, friendOf.inverseRelationship) = (friendOf, friend)
    friendOf.deleteRule = .cascadeDeleteRule
    person.properties = [
      attribute("name", .stringAttributeType), attribute("age", .integer32AttributeType),
      attribute("born", .dateAttributeType), attribute("picture", .binaryDataAttributeType), password, friend, friendOf,
    ]
    let model = NSManagedObjectModel()
    model.entities = [person]
    return model
  }

  /// Every file of the folder with its bytes.
  func contents() throws -> [String: Data] {
    let names = try FileManager.default.subpathsOfDirectory(atPath: folder.path)
    return try Dictionary(
      uniqueKeysWithValues: names.compactMap { name in
        let file = folder.appendingPathComponent(name)
        var isFolder: ObjCBool = false
        let exists = FileManager.default.fileExists(atPath: file.path, isDirectory: &isFolder)
        return !exists || isFolder.boolValue ? nil : (name, try Data(contentsOf: file))
      })
  }
}
