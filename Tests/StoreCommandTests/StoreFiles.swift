import CSQLite
import CoreData
import Foundation
import OpenCoreData

/// A store of a small library in a folder of its own, removed with this object.
final class StoreFiles {
  let folder: URL
  let model: String
  let store: URL

  /// Writes the model; with objects, or without a store.
  init(withStore: Bool = true) throws {
    folder = FileManager.default.temporaryDirectory.appending(path: "StoreCommandTests-\(UUID().uuidString)")
    let package = folder.appending(path: "Library.xcdatamodel")
    try FileManager.default.createDirectory(at: package, withIntermediateDirectories: true)
    try Data("<model>\(Self.library)</model>".utf8).write(to: package.appending(path: "contents"))
    model = package.path
    store = folder.appending(path: "Library.sqlite")
    if withStore { try fill() }
  }

  deinit { try? FileManager.default.removeItem(at: folder) }

  func path(_ name: String) -> String { folder.appending(path: name).path }

  /// Every file beside the store and below, with its bytes.
  func contents() throws -> [String: Data] {
    var result: [String: Data] = [:]
    for case let name as String in FileManager.default.enumerator(atPath: folder.path) ?? .init() {
      result[name] = FileManager.default.contents(atPath: path(name)) ?? Data()
    }
    return result
  }

  /// Runs statements on the store, as nobody should, and leaves nothing in the log.
  func damage(_ sql: String, of file: URL? = nil) throws {
    var database: OpaquePointer?
    defer { sqlite3_close(database) }
    guard sqlite3_open((file ?? store).path, &database) == SQLITE_OK,
      sqlite3_exec(database, sql + "; PRAGMA wal_checkpoint(TRUNCATE)", nil, nil, nil) == SQLITE_OK
    else { throw CocoaError(.fileWriteUnknown, userInfo: ["reason": String(cString: sqlite3_errmsg(database))]) }
  }

  /// What `coredata store verify` finds in a store, by kind, severity and place.
  func kinds(of file: URL) throws -> [String] {
    StoreVerification(try InspectedStore(file)).problems().map { "\($0.kind) \($0.severity) \($0.place)" }.sorted()
  }

  /// A value in a file of its own, and the row's reference to it.
  func moveCoverToFile(of item: Int, named name: String = "6F1B1C9E-0A53-4E0B-9B46-1F4C4A1B5D11") throws {
    let folder = self.folder.appending(path: ".Library_SUPPORT/_EXTERNAL_DATA")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try Data(repeating: 7, count: 1000).write(to: folder.appending(path: name))
    let digits = name.utf8.map { String(format: "%02x", $0) }.joined()
    try damage("UPDATE ZITEM SET ZCOVER = x'02\(digits)00' WHERE Z_PK = \(item)")
  }

  /// Two books, a film, two persons, tags: the film is p3.
  private func fill() throws {
    let coordinator = NSPersistentStoreCoordinator(
      managedObjectModel: try NSManagedObjectModel(validatingContentsOf: URL(fileURLWithPath: model)))
    let store = try coordinator.addPersistentStore(
      ofType: NSSQLiteStoreType, configurationName: nil, at: self.store, options: nil)
    let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    context.persistentStoreCoordinator = coordinator
    try context.performAndWait { () throws in
      func make(_ name: String, _ values: [String: Any]) -> NSManagedObject {
        let object = NSEntityDescription.insertNewObject(forEntityName: name, into: context)
        for (key, value) in values { object.setValue(value, forKey: key) }
        return object
      }
      let people = ["Ada", "Ben"].map { make("Person", ["name": $0]) }
      let card = make("Card", ["number": 17, "person": people[0]])
      let tags = ["old", "new, \"quoted\""].map { make("Tag", ["name": $0]) }
      for number in 1...2 {
        let book = make(
          "Book",
          [
            "title": "Book \(number) é\n\u{1F600}", "code": "B\(number)", "pages": 30000 + number, "big": -70000,
            "huge": Int64.max, "isNew": number == 1, "added": Date(timeIntervalSinceReferenceDate: 737130851.669581),
            "rating": 0.1, "share": Float(0.3), "price": NSDecimalNumber(string: "12.34"),
            "link": URL(string: "https://example.com/a?b=c") as Any,
            "key": UUID(uuidString: "173EF017-8551-4A76-AD07-19D8830FDC8\(number)") as Any,
            "cover": Data([0, 1, 2, 255]), "raw": Data(), "isbn": "",
            "owner": people[0], "tags": NSSet(array: tags),
          ])
        try context.save()
        _ = make("Chapter", ["title": "First", "book": book])
        try context.save()
      }
      let film = make("Film", ["title": "Film", "code": "F", "owner": people[1], "tags": NSSet(array: [tags[0]])])
      people[0].setValue(film, forKey: "favourite")
      try context.save()
      withExtendedLifetime(card) {}
    }
    try coordinator.remove(store)
    // Bytes that only another program can read.
    try damage("UPDATE ZCHAPTER SET Z_FOK_BOOK = 1024 * Z_PK; UPDATE ZITEM SET ZSHAPE = x'0102' WHERE Z_PK < 3")
  }

  static let library = """
    <entity name="Item" isAbstract="YES">
      <attribute name="title" attributeType="String"/>
      <attribute name="code" optional="YES" attributeType="String"/>
      <attribute name="pages" optional="YES" attributeType="Integer 16"/>
      <attribute name="big" optional="YES" attributeType="Integer 32"/>
      <attribute name="huge" optional="YES" attributeType="Integer 64"/>
      <attribute name="isNew" optional="YES" attributeType="Boolean"/>
      <attribute name="added" optional="YES" attributeType="Date"/>
      <attribute name="rating" optional="YES" attributeType="Double"/>
      <attribute name="share" optional="YES" attributeType="Float"/>
      <attribute name="price" optional="YES" attributeType="Decimal"/>
      <attribute name="link" optional="YES" attributeType="URI"/>
      <attribute name="key" optional="YES" attributeType="UUID"/>
      <attribute name="cover" optional="YES" attributeType="Binary" allowsExternalBinaryDataStorage="YES"/>
      <attribute name="raw" optional="YES" attributeType="Binary"/>
      <attribute name="shape" optional="YES" attributeType="Transformable" valueTransformerName="NotInThisProgram"/>
      <relationship name="owner" optional="YES" maxCount="1" destinationEntity="Person" inverseName="items" inverseEntity="Person"/>
      <relationship name="tags" optional="YES" toMany="YES" destinationEntity="Tag" inverseName="items" inverseEntity="Tag"/>
      <relationship name="fans" optional="YES" toMany="YES" destinationEntity="Person" inverseName="favourite" inverseEntity="Person"/>
      <uniquenessConstraints><uniquenessConstraint><constraint value="code"/></uniquenessConstraint></uniquenessConstraints>
    </entity>
    <entity name="Book" parentEntity="Item">
      <attribute name="isbn" optional="YES" attributeType="String"/>
      <relationship name="chapters" optional="YES" toMany="YES" ordered="YES" minCount="1" maxCount="3" deletionRule="Cascade" destinationEntity="Chapter" inverseName="book" inverseEntity="Chapter"/>
    </entity>
    <entity name="Film" parentEntity="Item"/>
    <entity name="Chapter">
      <attribute name="title" optional="YES" attributeType="String"/>
      <relationship name="book" optional="YES" maxCount="1" destinationEntity="Book" inverseName="chapters" inverseEntity="Book"/>
    </entity>
    <entity name="Person">
      <attribute name="name" optional="YES" attributeType="String"/>
      <relationship name="items" optional="YES" toMany="YES" destinationEntity="Item" inverseName="owner" inverseEntity="Item"/>
      <relationship name="favourite" optional="YES" maxCount="1" destinationEntity="Item" inverseName="fans" inverseEntity="Item"/>
      <relationship name="card" optional="YES" maxCount="1" destinationEntity="Card" inverseName="person" inverseEntity="Card"/>
    </entity>
    <entity name="Card">
      <attribute name="number" optional="YES" attributeType="Integer 64"/>
      <relationship name="person" optional="YES" maxCount="1" destinationEntity="Person" inverseName="card" inverseEntity="Person"/>
    </entity>
    <entity name="Tag">
      <attribute name="name" optional="YES" attributeType="String"/>
      <relationship name="items" optional="YES" toMany="YES" destinationEntity="Item" inverseName="tags" inverseEntity="Item"/>
    </entity>
    """
}
