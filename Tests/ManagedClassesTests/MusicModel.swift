import CoreData

/// The model of the classes in Model/, made in code.
enum MusicModel {
  static func make() -> NSManagedObjectModel {
    let band = entity("Band", [("name", .stringAttributeType), ("founded", .integer16AttributeType)])
    let album = entity(
      "Album",
      [
        ("title", .stringAttributeType), ("subtitle", .stringAttributeType), ("year", .integer16AttributeType),
        ("copies", .integer32AttributeType), ("plays", .integer64AttributeType), ("count", .integer64AttributeType),
        ("rating", .doubleAttributeType), ("gain", .floatAttributeType), ("isLive", .booleanAttributeType),
        ("released", .dateAttributeType), ("cover", .binaryDataAttributeType), ("identifier", .UUIDAttributeType),
        ("link", .URIAttributeType), ("price", .decimalAttributeType), ("boxed", .doubleAttributeType),
        ("genre", .integer16AttributeType), ("note", .stringAttributeType),
      ])
    let note = album.attributesByName["note"]
    note?.isTransient = true
    note?.defaultValue = "no note"
    let live = entity("LiveAlbum", [("venue", .stringAttributeType)])
    let demo = entity("Demo", [])
    demo.managedObjectClassName = "NSManagedObject"
    album.subentities = [live, demo]
    let track = entity("Track", [("name", .stringAttributeType), ("length", .doubleAttributeType)])
    let diary = entity(
      "Diary",
      [
        ("text", .stringAttributeType), ("modified", .dateAttributeType), ("saves", .integer32AttributeType),
        ("code", .stringAttributeType),
      ])
    relate(band, "albums", 0, album, "band", 1)
    relate(album, "tracks", 0, track, "album", 1)
    relate(diary, "next", 1, diary, "previous", 1)
    diary.attributesByName["code"]?.isOptional = false
    let model = NSManagedObjectModel()
    model.entities = [band, album, live, demo, track, diary]
    return model
  }

  private static func entity(_ name: String, _ attributes: [(String, NSAttributeType)]) -> NSEntityDescription {
    let entity = NSEntityDescription()
    entity.name = name
    entity.managedObjectClassName = name
    entity.properties = attributes.map { name, type in
      let attribute = NSAttributeDescription()
      (attribute.name, attribute.attributeType, attribute.isOptional) = (name, type, true)
      return attribute
    }
    return entity
  }

  private static func relate(
    _ first: NSEntityDescription, _ firstName: String, _ firstMax: Int, _ second: NSEntityDescription,
    _ secondName: String, _ secondMax: Int
  ) {
    let there = NSRelationshipDescription(), back = NSRelationshipDescription()
    (there.name, there.destinationEntity, there.maxCount, there.isOptional) = (firstName, second, firstMax, true)
    (back.name, back.destinationEntity, back.maxCount, back.isOptional) = (secondName, first, secondMax, true)
    (there.inverseRelationship, back.inverseRelationship) = (back, there)
    first.properties.append(there)
    second.properties.append(back)
  }

  static func coordinator() throws -> NSPersistentStoreCoordinator {
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: make())
    try coordinator.addPersistentStore(
      ofType: NSSQLiteStoreType, configurationName: nil, at: URL(fileURLWithPath: "/dev/null"))
    return coordinator
  }
}

extension NSPersistentStoreCoordinator {
  /// Runs `body` in a new context of this coordinator.
  func inContext<Result>(_ body: (NSManagedObjectContext) throws -> Result) throws -> Result {
    let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    context.persistentStoreCoordinator = self
    return try context.performAndWait { try body(context) }
  }
}
