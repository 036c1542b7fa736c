import CoreData
import Testing

@Suite struct LifeCycleTests {
  @Test func insertSaveUpdateDelete() throws {
    try MusicModel.coordinator().inContext { context in
      let diary = Diary(context: context)
      #expect(diary.calls == ["awakeFromInsert", "init"] || diary.calls == ["init", "awakeFromInsert"])
      #expect(diary.modified == Date(timeIntervalSinceReferenceDate: 0) && diary.code == "from init")
      diary.calls = []
      try context.save()
      #expect(diary.calls == ["willSave", "didSave"] && diary.seenInDidSave == "false false false")
      #expect(diary.modified == Date(timeIntervalSinceReferenceDate: 5))
      diary.calls = []
      try context.save()
      #expect(diary.calls == [])
      diary.text = "a"
      try context.save()
      #expect(diary.calls == ["willSave", "didSave"])
      diary.calls = []
      context.delete(diary)
      #expect(diary.calls == ["prepareForDeletion"] && diary.isDeleted)
      try context.save()
      #expect(diary.calls == ["prepareForDeletion", "willSave", "didSave"])
      #expect(diary.seenInDidSave == "true false true" && !diary.isDeleted && diary.managedObjectContext == nil)
    }
  }

  @Test func fetchedObjectsAwakeWhenTheyFireAndStayClean() throws {
    let coordinator = try MusicModel.coordinator()
    try coordinator.inContext { context in
      let diary = Diary(context: context)
      (diary.text, diary.saves, diary.code) = ("a", 1, "stored")
      try context.save()
    }
    try coordinator.inContext { context in
      let diary = try context.fetch(NSFetchRequest<Diary>(entityName: "Diary"))[0]
      #expect(diary.isFault)
      diary.calls = []
      // What init set was for a new object.
      #expect(diary.code == "stored" && diary.calls == ["awakeFromFetch"])
      #expect(diary.saves == 1001 && !diary.hasChanges && !context.hasChanges)
      diary.calls = []
      context.refresh(diary, mergeChanges: false)
      #expect(diary.calls == ["willTurnIntoFault a", "didTurnIntoFault true"])
      #expect(diary.text == "a" && diary.calls.last == "awakeFromFetch")
      diary.calls = []
      context.refreshAllObjects()
      #expect(diary.calls == ["willTurnIntoFault a", "didTurnIntoFault true"])
      context.refreshAllObjects()
      #expect(diary.calls.count == 2)
    }
  }

  @Test func settersInWillSaveAreSavedAndCallItAgain() throws {
    let coordinator = try MusicModel.coordinator()
    try coordinator.inContext { context in
      let diary = Diary(context: context)
      diary.isWritingOnSave = true
      diary.calls = []
      try context.save()
      #expect(diary.calls == ["willSave", "willSave", "didSave"] && diary.saves == 1)
      diary.isWritingOnSave = true
      diary.text = "b"
      diary.calls = []
      try context.save()
      #expect(diary.calls == ["willSave", "willSave", "didSave"] && diary.saves == 2 && !diary.hasChanges)
    }
    coordinator.emptyRowCache()
    try coordinator.inContext { context in
      let diary = try context.fetch(NSFetchRequest<Diary>(entityName: "Diary"))[0]
      #expect(diary.text == "b" && diary.saves == 1002 && diary.modified == Date(timeIntervalSinceReferenceDate: 5))
    }
  }

  @Test func ownValidation() throws {
    try MusicModel.coordinator().inContext { context in
      let diary = Diary(context: context)
      try context.save()
      diary.text = "invalid"
      var error = #expect(throws: NSError.self) { try context.save() }
      #expect(error?.domain == "Diary" && error?.code == 42 && diary.isUpdated)
      diary.text = "rude"
      error = #expect(throws: NSError.self) { try context.save() }
      #expect(error?.domain == "Diary" && error?.code == 43 && diary.isUpdated)
      diary.setValue(nil, forKey: "code")
      diary.text = "fine"
      error = #expect(throws: NSError.self) { try context.save() }
      #expect(error?.code == NSValidationMissingMandatoryPropertyError)
      diary.code = "x"
      diary.text = "valid"
      diary.calls = []
      try context.save()
      #expect(diary.calls == ["willSave", "didSave"])
    }
  }

  @Test func awakeFromInsertMayRelate() throws {
    try MusicModel.coordinator().inContext { context in
      let owner = Linking.makeBand(context)
      #expect(owner.albums?.count == 1)
    }
  }
}

/// Relates in awakeFromInsert: both ends must know.
enum Linking {
  nonisolated(unsafe) static var band: Band?

  static func makeBand(_ context: NSManagedObjectContext) -> Band {
    let band = Band(context: context)
    Linking.band = band
    _ = RelatingAlbum(
      entity: context.persistentStoreCoordinator!.managedObjectModel.entitiesByName["Album"]!,
      insertInto: context)
    Linking.band = nil
    return band
  }
}

final class RelatingAlbum: Album {
  override func awakeFromInsert() {
    super.awakeFromInsert()
    band = Linking.band
  }
}
