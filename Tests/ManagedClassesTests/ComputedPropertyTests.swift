import CoreData
import Foundation
import Testing

/// Properties that the class has and the model does not, by their names.
@Suite struct ComputedPropertyTests {
  private static func context(_ className: String = "JournalEntry") throws -> NSManagedObjectContext {
    let model = JournalEntry.model()
    model.entities[0].managedObjectClassName = className
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("ocd-" + UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try coordinator.addPersistentStore(
      ofType: NSSQLiteStoreType, configurationName: nil, at: folder.appendingPathComponent("Entries.sqlite"))
    let context = NSManagedObjectContext(.privateQueue)
    context.persistentStoreCoordinator = coordinator
    return context
  }

  private static func fill(_ context: NSManagedObjectContext) throws {
    for (title, mood) in [("berlin", 1), ("aachen", 0), ("bonn", -1), ("aalen", 3)] {
      let entry = JournalEntry(context: context)
      (entry.title, entry.mood) = (title, Int16(mood))
    }
    try context.save()
  }

  @Test func areReadAndSetByKey() throws {
    let context = try Self.context()
    context.performAndWait {
      let entry = JournalEntry(context: context)
      entry.title = "monday"
      #expect(entry.value(forKey: "sectionTitle") as? String == "M")
      #expect(entry.value(forKeyPath: "sectionTitle.length") as? Int == 1)
      entry.setValue("tuesday", forKey: "heading")
      #expect(entry.title == "tuesday")
      entry.setValue("a", forKey: "draft")
      #expect(entry.draft == "a" && entry.dictionaryWithValues(forKeys: ["draft"])["draft"] as? String == "a")
      #expect(entry.value(forKey: "isHappy") as? Bool == false && entry.value(forKey: "happy") as? Bool == false)
    }
  }

  @Test func filterAndSortInMemory() throws {
    let context = try Self.context()
    try context.performAndWait {
      try Self.fill(context)
      let all = try context.fetch(NSFetchRequest<JournalEntry>(entityName: "JournalEntry"))
      let found = (all as NSArray).filtered(using: NSPredicate(format: "sectionTitle == 'A' AND happy == YES"))
      #expect((found as? [JournalEntry])?.map(\.title) == ["aalen"])
      let sorted = (all as NSArray).sortedArray(using: [NSSortDescriptor(key: "heading", ascending: true)])
      #expect((sorted as? [JournalEntry])?.map(\.title) == ["aachen", "aalen", "berlin", "bonn"])
    }
  }

  @Test func areSectionsOfAController() throws {
    let context = try Self.context()
    try context.performAndWait {
      try Self.fill(context)
      let request = NSFetchRequest<JournalEntry>(entityName: "JournalEntry")
      request.sortDescriptors = [NSSortDescriptor(key: "title", ascending: true)]
      let controller = NSFetchedResultsController(
        fetchRequest: request, managedObjectContext: context, sectionNameKeyPath: "sectionTitle", cacheName: nil)
      try controller.performFetch()
      #expect(controller.sections?.map(\.name) == ["A", "B"])
      #expect(controller.sections?.map(\.numberOfObjects) == [2, 2])
    }
  }

  /// What a class method says that a property depends on.
  @Test func areObserved() throws {
    let context = try Self.context()
    context.performAndWait {
      let entry = JournalEntry(context: context)
      nonisolated(unsafe) var heard: [String] = []
      let observation = entry.observe(\.heading, options: [.new]) { _, change in heard.append(change.newValue ?? "nil")
      }
      entry.title = "x"
      entry.mood = 2
      observation.invalidate()
      #expect(heard == ["x (0)", "x (2)"])
    }
  }

  @Test func haveNamesOfTheirKeyPaths() {
    #expect((\JournalEntry.sectionTitle)._kvcKeyPathString == "sectionTitle")
    #expect((\LongJournalEntry.sectionTitle)._kvcKeyPathString == "sectionTitle")
    #expect((\LongJournalEntry.title)._kvcKeyPathString == "title")
    #expect(NSExpression(forKeyPath: \JournalEntry.isHappy).keyPath == "isHappy")
    #expect((\String.count)._kvcKeyPathString == nil)
  }

  @Test func changesThatTheClassIgnoresLeaveTheObjectUnchanged() throws {
    let context = try Self.context()
    try context.performAndWait {
      let entry = JournalEntry(context: context)
      try context.save()
      entry.glance = "seen"
      #expect(entry.glance == "seen" && !entry.hasChanges && !context.hasChanges)
      entry.willChangeValue(forKey: "glance")
      entry.setPrimitiveValue("again", forKey: "glance")
      entry.didChangeValue(forKey: "glance")
      #expect(entry.glance == "again" && !entry.hasChanges)
      entry.mood = 1
      #expect(entry.hasChanges)
    }
  }

  /// Without `@objc`, which no Linux source has, a modelled key means the modelled value.
  @Test func whatIsNotExposedIsNoAccessor() throws {
    let context = try Self.context("LongJournalEntry")
    context.performAndWait {
      let entry = LongJournalEntry(context: context)
      entry.text = "Ab"
      #expect(entry.text == "AB" && entry.value(forKey: "text") as? String == "ab")
    }
  }

  @Test func anExposedPropertyIsTheAccessorOfItsKey() throws {
    _ = ExposedJournalEntry.registration
    let context = try Self.context("ExposedJournalEntry")
    try context.performAndWait {
      let entry = ExposedJournalEntry(context: context)
      entry.setValue("Ab", forKey: "text")
      #expect(entry.primitiveValue(forKey: "text") as? String == "ab")
      #expect(entry.value(forKey: "text") as? String == "AB")
      #expect(NSPredicate(format: "text == 'AB'").evaluate(with: entry))
      // An accessor that asks for its own key gets the modelled value.
      entry.setValue("late", forKey: "title")
      #expect(entry.value(forKey: "title") as? String == "<late>" && entry.title == "late")
      try context.save()
      let request = NSFetchRequest<ExposedJournalEntry>(entityName: "JournalEntry")
      request.sortDescriptors = [NSSortDescriptor(key: "title", ascending: true)]
      let controller = NSFetchedResultsController(
        fetchRequest: request, managedObjectContext: context, sectionNameKeyPath: "title", cacheName: nil)
      try controller.performFetch()
      #expect(controller.sections?.map(\.name) == ["<late>"])
    }
  }

  @Test func plainObjectsHaveWhatIsListed() {
    _ = PlainTrack.registration
    let track = PlainTrack()
    track.setValue(7, forKey: "plays")
    #expect(track.plays == 7 && track.value(forKey: "twice") as? Int == 14)
    let tracks = [track, PlainTrack()] as NSArray
    #expect(tracks.filtered(using: NSPredicate(format: "twice > 10")).count == 1)
    #expect((\PlainTrack.twice)._kvcKeyPathString == "twice")
    nonisolated(unsafe) var heard = 0
    let observation = track.observe(\.twice) { _, _ in heard += 1 }
    track.setValue(8, forKey: "plays")
    observation.invalidate()
    #expect(heard == 1)
  }
}

/// What the rewriter lists for `@objc` properties.
final class ExposedJournalEntry: LongJournalEntry {
  var loud: String? { (value(forKey: "title") as? String).map { "<\($0)>" } }

  static let registration: Void = _registerClassMembers {
    [
      _ClassMember(ExposedJournalEntry.self, "text", \ExposedJournalEntry.text, isExposed: true),
      _ClassMember(ExposedJournalEntry.self, "title", \ExposedJournalEntry.loud, isExposed: true),
    ]
  }
}

final class PlainTrack: NSObject {
  var plays = 0
  var twice: Int { plays * 2 }

  static let registration: Void = _registerClassMembers {
    [
      _ClassMember(PlainTrack.self, "plays", \PlainTrack.plays, isExposed: true),
      _ClassMember(PlainTrack.self, "twice", \PlainTrack.twice, isExposed: true),
      _ClassMember(PlainTrack.self, affecting: "Twice") { ["plays"] },
    ]
  }
}
