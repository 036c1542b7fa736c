import CoreData
import Testing

/// A model with ordered relationships of every kind, and helpers for tests that work in it.
enum Music {
  /// Albums have tracks (one to many), playlists have tracks (many to many), tracks (songs and talks) go before others
  /// (both ends ordered) and have similar ones (its own inverse), bags have things without inverse.
  static func model() -> NSManagedObjectModel {
    let album = TestModel.entity("Album", [TestModel.attribute("name", .stringAttributeType)])
    let track = TestModel.entity(
      "Track",
      [TestModel.attribute("name", .stringAttributeType), TestModel.attribute("number", .integer64AttributeType)])
    let song = TestModel.entity("Song", [TestModel.attribute("singer", .stringAttributeType)], parent: track)
    let talk = TestModel.entity("Talk", [TestModel.attribute("speaker", .stringAttributeType)], parent: track)
    let playlist = TestModel.entity("Playlist", [TestModel.attribute("name", .stringAttributeType)])
    let bag = TestModel.entity("Bag", [TestModel.attribute("name", .stringAttributeType)])
    relate(album, "tracks", true, 0, track, "album", false, 1)
    relate(playlist, "tracks", true, 0, track, "playlists", false, 0)
    relate(track, "followers", true, 0, track, "leaders", true, 0)
    relate(track, "similar", true, 0, track, nil, true, 0).inverseRelationship = track.relationshipsByName["similar"]
    relate(bag, "things", true, 0, track, nil, false, 0)
    relate(bag, "loose", false, 0, track, nil, false, 0)
    relate(bag, "best", false, 1, track, nil, false, 0)
    let model = NSManagedObjectModel()
    model.entities = [album, track, song, talk, playlist, bag]
    return model
  }

  @discardableResult
  private static func relate(
    _ first: NSEntityDescription, _ name: String, _ isOrdered: Bool, _ max: Int, _ second: NSEntityDescription,
    _ inverseName: String?, _ inverseIsOrdered: Bool, _ inverseMax: Int
  ) -> NSRelationshipDescription {
    let there = NSRelationshipDescription()
    (there.name, there.destinationEntity, there.maxCount, there.isOrdered) = (name, second, max, isOrdered)
    (there.isOptional, there.deleteRule) = (true, .nullifyDeleteRule)
    first.properties.append(there)
    guard let inverseName else { return there }
    let back = NSRelationshipDescription()
    (back.name, back.destinationEntity, back.maxCount) = (inverseName, first, inverseMax)
    (back.isOrdered, back.isOptional, back.deleteRule) = (inverseIsOrdered, true, .nullifyDeleteRule)
    back.inverseRelationship = there
    there.inverseRelationship = back
    second.properties.append(back)
    return there
  }

  static func coordinator(_ store: TestStore = .sqlite, url: URL? = nil) throws -> NSPersistentStoreCoordinator {
    try store.coordinator(model(), url: url)
  }

  /// `count` tracks, named t0, t1, ...
  static func tracks(_ count: Int, _ context: NSManagedObjectContext, entity: String = "Track") -> [NSManagedObject] {
    (0..<count).map { context.make(entity, ["name": "t\($0)", "number": $0]) }
  }
}

extension NSManagedObject {
  func list(_ key: String) -> [NSManagedObject] {
    (value(forKey: key) as? NSOrderedSet)?.array.compactMap { $0 as? NSManagedObject } ?? []
  }

  /// The names of the members of an ordered relationship.
  func names(_ key: String) -> String { list(key).map { $0.text("name") ?? "nil" }.joined(separator: " ") }
}
