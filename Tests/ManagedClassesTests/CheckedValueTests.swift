import CoreData
import Foundation
import Testing

/// Keys and values that come from outside, set by key.
@Suite struct CheckedValueTests {
  private static func context() -> NSManagedObjectContext {
    let context = NSManagedObjectContext(.privateQueue)
    context.persistentStoreCoordinator = NSPersistentStoreCoordinator(managedObjectModel: MusicModel.make())
    return context
  }

  /// The description of the error, and that nothing was set.
  private static func refused(
    _ value: Any?, _ key: String, of object: NSManagedObject, sourceLocation: SourceLocation = #_sourceLocation
  ) -> String {
    do {
      try object.setCheckedValue(value, forKey: key)
      Issue.record("\(key) was set", sourceLocation: sourceLocation)
      return ""
    } catch let error as NSError {
      #expect(error.code == NSManagedObjectValidationError, sourceLocation: sourceLocation)
      #expect(error.userInfo[NSValidationKeyErrorKey] as? String == key, sourceLocation: sourceLocation)
      #expect(error.userInfo[NSValidationObjectErrorKey] as? NSManagedObject === object, sourceLocation: sourceLocation)
      return error.localizedDescription
    }
  }

  @Test func whatFitsIsSet() throws {
    let context = Self.context()
    try context.performAndWait {
      let album = Album(context: context), band = Band(context: context), track = Track(context: context)
      try album.setCheckedValue("Blue", forKey: "title")
      try album.setCheckedValue(1959.0, forKey: "year")
      try album.setCheckedValue(band, forKey: "band")
      try album.setCheckedValue(Set([track]), forKey: "tracks")
      try album.setCheckedValue("LOUD", forKey: "loudTitle")
      #expect(album.title == "loud" && album.year == 1959 && album.band === band && album.tracks == [track])
      try album.setCheckedValues(["subtitle": "x", "note": NSNull(), "copies": 3])
      #expect(album.subtitle == "x" && album.note == nil && album.copies == 3)
      #expect(try album.checkedValue(forKey: "copies") as? Int == 3)
      #expect(try album.checkedValue(forKey: "loudTitle") as? String == "LOUD")
      #expect(try album.checkedValue(forKey: "hasChanges") as? Bool == true)
    }
  }

  @Test func whatDoesNotFitIsAnError() throws {
    let context = Self.context(), other = Self.context()
    context.performAndWait {
      let album = Album(context: context)
      #expect(Self.refused(1, "tilte", of: album).contains("The entity Album has no property 'tilte'"))
      #expect(Self.refused(1, "objectID", of: album).contains("has no property 'objectID'"))
      #expect(Self.refused("many", "copies", of: album).contains("desired type = NSNumber; given type = String"))
      #expect(Self.refused(70_000, "year", of: album).contains("out of range"))
      #expect(Self.refused("x", "band", of: album).contains("desired type = Band; given type = String"))
      #expect(Self.refused(album, "band", of: album).contains("desired type = Band; given type = Album"))
      #expect(Self.refused([], "tracks", of: album).contains("desired type = NSSet"))
      #expect(Self.refused(NSSet(object: "x"), "tracks", of: album).contains("desired type = Track"))
      #expect(Self.refused(5, "loudTitle", of: album).contains("desired type = String"))
      let foreign = other.performAndWait { Band(context: other) }
      #expect(!Self.refused(foreign, "band", of: album).isEmpty)
      #expect(throws: (any Error).self) { try album.checkedValue(forKey: "tilte") }
      let date = Date(timeIntervalSinceReferenceDate: .nan)
      #expect(Self.refused(date, "title", of: album).contains("value = a date that is not a number"))
      #expect(Self.refused([date], "copies", of: album).contains("[a date that is not a number]"))
      #expect(album.changedValues().isEmpty)
    }
  }

  @Test func ofSeveralValuesAllAreSetOrNone() {
    let context = Self.context()
    context.performAndWait {
      let album = Album(context: context)
      let error = #expect(throws: NSError.self) {
        try album.setCheckedValues(["subtitle": "x", "copies": "y", "z": 1])
      }
      #expect(error?.code == NSValidationMultipleErrorsError)
      #expect((error?.userInfo[NSDetailedErrorsKey] as? [NSError])?.count == 2)
      #expect(album.subtitle == nil)
    }
  }

  /// Standard output is a pipe there, as under most supervisors, and so is buffered.
  @Test func whatWasPrintedIsWrittenOutBeforeTheEnd() async throws {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardOutputContent]) {
      let context = Self.context()
      print("printed before the end")
      context.performAndWait { Album(context: context).setValue(1, forKey: "tilte") }
    }
    let output = try #require(result).standardOutputContent
    #expect(String(decoding: output, as: UTF8.self).contains("printed before the end"))
  }
}
