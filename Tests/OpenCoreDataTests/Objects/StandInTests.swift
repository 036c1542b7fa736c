import CoreData
import Foundation
import Testing

/// Objects that code makes by `X()`, without an entity and a context.
@Suite struct StandInTests {
  private class Song: NSManagedObject {
    var plays = 3
  }

  private static func text(_ result: ExitTest.Result?) -> String {
    String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
  }

  @Test func itIsInNoContextAndHasNoProperties() {
    let (first, second) = (Song(), Song())
    #expect(first.managedObjectContext == nil && first.plays == 3)
    #expect(first.entity.name == nil && first.entity.properties.isEmpty)
    #expect(!first.isInserted && !first.isUpdated && !first.isDeleted && !first.isFault && !first.hasChanges)
    #expect(first.changedValues().isEmpty && first.committedValues(forKeys: nil).isEmpty)
    #expect(first == first && first != second && Set<NSManagedObject>([first, second, first]).count == 2)
    #expect(first.objectID.isTemporaryID && first.objectID != second.objectID)
    #expect(!first.description.isEmpty)
    first.plays = 4
    #expect(first.plays == 4 && second.plays == 3)
    // Nor does it become the entity of its class.
    #expect(Song.entity().name == nil)
  }

  @Test func noContextTakesIt() async {
    let inserted = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      try Society.coordinator().inContext { context in context.insert(Song()) }
    }
    #expect(Self.text(inserted).contains("Cannot insert an object that was made by 'Song()', since it has no entity"))
    let read = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = Song().value(forKey: "title")
    }
    #expect(Self.text(read).contains("title"))
    let related = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      try Society.coordinator().inContext { context in context.make("Person").setValue(Song(), forKey: "boss") }
    }
    #expect(Self.text(related).contains("boss"))
  }

  /// An object of an abstract entity may be made, and no context takes it either.
  @Test func noContextTakesAnObjectOfAnAbstractEntity() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let model = Society.model()
      model.entitiesByName["House"]?.isAbstract = true
      let entity = model.entitiesByName["House"]!
      try TestStore.sqlite.coordinator(model).inContext { context in
        context.insert(NSManagedObject(entity: entity, insertInto: nil))
      }
    }
    #expect(Self.text(result).contains("Cannot insert an object of the abstract entity 'House'"))
  }
}
