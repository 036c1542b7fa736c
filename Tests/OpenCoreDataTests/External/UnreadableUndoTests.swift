import CoreData
import Testing

@_spi(Store) @testable import OpenCoreData

/// A value whose file cannot be read, and that a deletion or another value takes away: the save that would remove its file
/// fails as long as undoing needs the value.
@Suite struct UnreadableUndoTests {
  typealias Blocked = UnreadableValueTests.Blocked

  enum Change: CaseIterable {
    case deletion, otherValue, noValue

    func make(_ picture: NSManagedObject, _ context: NSManagedObjectContext) {
      switch self {
      case .deletion: context.delete(picture)
      case .otherValue: picture.setValue(Data([3]), forKey: "data")
      case .noValue:
        picture.setValue(Data([3]), forKey: "data")
        picture.setValue(nil, forKey: "data")
      }
    }
  }

  private func code(_ body: () throws -> Void) -> Int? {
    do { try body() } catch { return (error as NSError).code }
    return nil
  }

  private func large(_ context: NSManagedObjectContext) throws -> [Data?] {
    try context.all("Picture").map { $0.value(forKey: "data") as? Data }
  }

  @Test(arguments: Change.allCases) func theSaveFailsUntilTheValueCanBeRead(_ change: Change) throws {
    let blocked = try Blocked()
    let before = try blocked.reference()
    let opened = try blocked.open()
    try opened.inContext { context in
      let manager = UndoManager()
      manager.groupsByEvent = false
      context.undoManager = manager
      let picture = try #require(try context.all("Picture").first)
      change.make(picture, context)
      #expect(code { try context.save() } == 256)
      #expect(context.hasChanges)
      #expect(try blocked.reference() == before)
      try blocked.repair()
      try context.save()
      #expect(try blocked.reference() != before && opened.files().isEmpty)
      context.undo()
      #expect(picture.value(forKey: "data") as? Data == ExternalFixture.large)
      try context.save()
    }
    let again = try blocked.open()
    #expect(try again.inContext(large) == [ExternalFixture.large])
    #expect(try again.files() == again.references() && again.files().count == 1)
  }

  /// In a child, whose parent's save takes the file away.
  @Test(arguments: Change.allCases) func soDoesAChilds(_ change: Change) throws {
    let blocked = try Blocked()
    let opened = try blocked.open()
    try opened.inContext { parent in
      let child = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
      child.parent = parent
      try child.performAndWait {
        let manager = UndoManager()
        manager.groupsByEvent = false
        child.undoManager = manager
        change.make(try #require(try child.all("Picture").first), child)
        #expect(code { try child.save() } == 256)
        try blocked.repair()
        try child.save()
      }
      try parent.save()
      #expect(opened.files().isEmpty)
      try child.performAndWait {
        child.undo()
        try child.save()
      }
      try parent.save()
    }
    #expect(try blocked.open().inContext(large) == [ExternalFixture.large])
  }

  /// Undone before the save, nothing was lost, whether the file can be read by then or not.
  @Test(arguments: Change.allCases, [false, true]) func undoneBefore(_ change: Change, _ isRepaired: Bool) throws {
    let blocked = try Blocked()
    let before = try blocked.reference()
    try blocked.open().inContext { context in
      let manager = UndoManager()
      manager.groupsByEvent = false
      context.undoManager = manager
      let picture = try #require(try context.all("Picture").first)
      change.make(picture, context)
      context.processPendingChanges()
      if isRepaired { try blocked.repair() }
      context.undo()
      if picture.hasChanges { try context.save() }
      #expect(try blocked.reference() == before)
      if !isRepaired { try blocked.repair() }
      #expect(picture.value(forKey: "data") as? Data == ExternalFixture.large)
    }
  }

  /// What cannot be undone is taken away.
  @Test(arguments: [Change.deletion, .otherValue], ["no manager", "not registering", "forgotten"])
  func withoutUndoItIsSaved(_ change: Change, _ why: String) throws {
    let blocked = try Blocked()
    try blocked.open().inContext { context in
      let manager = UndoManager()
      manager.groupsByEvent = false
      if why != "no manager" { context.undoManager = manager }
      let picture = try #require(try context.all("Picture").first)
      if why == "not registering" { manager.disableUndoRegistration() }
      change.make(picture, context)
      context.processPendingChanges()
      if why == "forgotten" { manager.removeAllActions() }
      try context.save()
    }
    #expect(try blocked.reference() == (change == .deletion ? [] : [["0103"]]))
  }
}
