import CoreData
import Foundation
import Testing

@testable import ConcurrencyModels

/// The form over a child context: what it has, what the list has below it, and what is in the store.
@MainActor @Suite struct SongEditorTests {
  /// A list's context with a song on a disc, over a store of its own.
  @MainActor private final class World {
    let folder: URL
    let list: NSManagedObjectContext
    let song: Song

    /// - Parameter writes: Whether a context with a queue of its own writes, above the list's.
    init(writes: Bool = false) throws {
      folder = FileManager.default.temporaryDirectory.appending(path: "SongEditorTests-\(UUID().uuidString)")
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      let url = folder.appending(path: "songs.sqlite")
      if writes {
        list = try ThreeLevels(at: url).view
      } else {
        list = try Stack.open(at: url).viewContext
      }
      song = Song(context: list)
      song.title = "Song"
      song.genre = "Jazz"
      song.disc = Disc(context: list)
      song.disc?.title = "Disc"
      var context: NSManagedObjectContext? = list
      while let next = context {
        try next.performAndWait { try next.save() }
        context = next.parent
      }
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    func editor() throws -> SongEditor { try SongEditor(editing: song.objectID, in: list) }

    /// What a coordinator of its own finds in the file.
    func stored() throws -> [String] {
      let context = try Stack.open(at: folder.appending(path: "songs.sqlite")).newBackgroundContext()
      return try context.performAndWait {
        try context.fetch(NSFetchRequest<Song>(entityName: "Song")).map { "\($0.title ?? "") \($0.stars)" }.sorted()
      }
    }

    /// Lets the form merge what the list's context has saved.
    func settle(_ editor: SongEditor) async { await editor.form.perform(schedule: .enqueued) {} }
  }

  @Test func whatIsThrownAwayWasNeverThere() throws {
    let world = try World()
    let editor = try world.editor()
    editor.edit {
      $0.title = "Other"
      $0.disc?.title = "Other"
    }
    editor.cancel()
    #expect(!editor.isOpen && !world.list.hasChanges && world.song.title == "Song" && world.song.disc?.title == "Disc")
    #expect(throws: EditorProblem.self) { try editor.push() }
    #expect(try world.stored() == ["Song 0"])
  }

  @Test func whatIsPushedIsTheListsAndNotInTheStore() async throws {
    let world = try World()
    let list = SongList(world.list)
    try list.fetch()
    let editor = try world.editor()
    editor.edit { $0.title = "Other" }
    #expect(world.song.title == "Song" && list.reports == 0)
    try editor.push()
    #expect(world.song.title == "Other" && world.list.updatedObjects == [world.song] && list.reports == 1)
    #expect(try world.stored() == ["Song 0"])
    // Nothing of the form is left to be undone in it, and it goes on.
    #expect(editor.isOpen && !editor.canUndo && editor.begun.isEmpty)
    editor.edit { $0.stars = 2 }
    try await editor.save()
    #expect(try world.stored() == ["Other 2"])
  }

  @Test func theWriterSavesOnItsOwnQueue() async throws {
    let world = try World(writes: true)
    let editor = try world.editor()
    editor.edit { $0.title = "Other" }
    try editor.push()
    #expect(world.song.title == "Other")
    #expect(try world.stored() == ["Song 0"])
    try world.list.save()
    // It is the writer's now, and nothing was written yet.
    #expect(try world.stored() == ["Song 0"])
    try await SongEditor.write(world.list)
    #expect(try world.stored() == ["Other 0"])
  }

  @Test func aNewSongGetsItsPermanentIDAtTheTop() async throws {
    let world = try World(writes: true)
    let editor = SongEditor(newSongIn: world.list)
    #expect(!editor.canUndo && editor.mistyped.map(\.key) == ["title"])
    editor.edit { $0.title = "New" }
    try editor.push()
    #expect(editor.song.objectID.isTemporaryID)
    let request = NSFetchRequest<Song>(entityName: "Song")
    #expect(try world.list.count(for: request) == 2)
    try await SongEditor.write(world.list)
    #expect(!editor.song.objectID.isTemporaryID)
    #expect(try world.stored() == ["New 0", "Song 0"])
    // It is a song like others now.
    editor.edit { $0.stars = 1 }
    try await editor.save()
    #expect(try world.stored() == ["New 1", "Song 0"])
  }

  @Test func fieldsThatBreakRulesAreNamedAndNothingIsPushed() throws {
    let world = try World()
    let editor = try world.editor()
    editor.edit { $0.stars = 9 }
    #expect(editor.mistyped.map(\.key) == ["stars"] && editor.mistyped.map(\.code) == [NSValidationNumberTooLargeError])
    editor.edit {
      $0.title = ""
      $0.seconds = 0
    }
    #expect(editor.mistyped.map(\.key) == ["seconds", "stars", "title"])
    #expect(
      editor.mistyped.map(\.code) == [
        NSValidationNumberTooSmallError, NSValidationNumberTooLargeError, NSValidationStringTooShortError,
      ])
    do {
      try editor.push()
      Issue.record("It was pushed.")
    } catch EditorProblem.invalid(let fields) { #expect(fields.count == 3) }
    #expect(!world.list.hasChanges && editor.isOpen && editor.song.stars == 9)
    editor.undo()
    editor.undo()
    #expect(editor.mistyped.isEmpty)
  }

  @Test func undoEndsWhereTheFormBegan() throws {
    let world = try World()
    world.list.undoManager = UndoManager()
    world.song.stars = 1
    world.list.processPendingChanges()
    let editor = try world.editor()
    #expect(!editor.canUndo && editor.song.stars == 1)
    editor.edit { $0.stars = 2 }
    editor.edit {
      $0.stars = 3
      $0.title = "Other"
    }
    editor.undo()
    #expect(editor.song.stars == 2 && editor.song.title == "Song")
    editor.redo()
    #expect(editor.song.stars == 3 && editor.song.title == "Other")
    editor.undo()
    editor.undo()
    #expect(editor.song.stars == 1 && !editor.canUndo && editor.begun.isEmpty && !editor.form.hasChanges)
    editor.undo()
    #expect(world.song.stars == 1)
  }

  /// All that a form has pushed is one action of the list's.
  @Test func theListUndoesAFormAsAWhole() throws {
    let world = try World()
    let undoManager = UndoManager()
    undoManager.groupsByEvent = false
    world.list.undoManager = undoManager
    let editor = try world.editor()
    editor.edit { $0.stars = 2 }
    editor.edit { $0.title = "Other" }
    undoManager.beginUndoGrouping()
    try editor.push()
    world.list.processPendingChanges()
    undoManager.endUndoGrouping()
    #expect(world.song.stars == 2 && world.song.title == "Other")
    world.list.undo()
    #expect(world.song.stars == 0 && world.song.title == "Song")
  }

  @Test func fieldsThatNobodyTouchedFollowWhatComesIn() async throws {
    let world = try World()
    let editor = try world.editor()
    editor.edit { $0.title = "Mine" }
    world.song.stars = 4
    try world.list.save()
    await world.settle(editor)
    #expect(editor.song.stars == 4 && editor.song.title == "Mine" && editor.conflicts.isEmpty)
    try await editor.save()
    #expect(try world.stored() == ["Mine 4"])
  }

  @Test(arguments: [true, false]) func fieldsThatBothChangedAreAskedFor(_ keepsMine: Bool) async throws {
    let world = try World()
    let editor = try world.editor()
    editor.edit {
      $0.title = "Mine"
      $0.stars = 2
    }
    world.song.title = "Theirs"
    try world.list.save()
    await world.settle(editor)
    let conflict = SongEditor.Conflict(key: "title", begun: "Song", below: "Theirs", mine: "Mine")
    #expect(editor.conflicts == [conflict])
    do {
      try editor.push()
      Issue.record("It was pushed.")
    } catch EditorProblem.conflicts(let found) { #expect(found == [conflict]) }
    #expect(world.song.title == "Theirs" && !world.list.hasChanges)
    if keepsMine { editor.keepMine() } else { editor.takeTheirs() }
    #expect(editor.conflicts.isEmpty)
    try await editor.save()
    #expect(try world.stored() == [keepsMine ? "Mine 2" : "Theirs 2"])
  }

  @Test func takingTheirsCanBeUndone() async throws {
    let world = try World()
    let other = Disc(context: world.list)
    other.title = "Other"
    try world.list.save()
    let editor = try world.editor()
    editor.edit { $0.disc = nil }
    world.song.disc = other
    try world.list.save()
    await world.settle(editor)
    #expect(editor.conflicts.map(\.key) == ["disc"] && editor.conflicts.map(\.below) == ["\(other.objectID)"])
    editor.takeTheirs()
    #expect(editor.conflicts.isEmpty && editor.song.disc?.title == "Other")
    editor.undo()
    #expect(editor.conflicts.map(\.key) == ["disc"])
  }

  /// What somebody else has saved meanwhile: the list's context merges it, the form hears of it.
  @Test func whatIsSavedElsewhereIsAConflictOnceTheListHasIt() async throws {
    let world = try World()
    world.list.automaticallyMergesChangesFromParent = true
    let editor = try world.editor()
    editor.edit { $0.stars = 1 }
    let other = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    other.persistentStoreCoordinator = world.list.persistentStoreCoordinator
    let id = world.song.objectID
    try await other.perform {
      (try other.existingObject(with: id) as? Song)?.stars = 5
      try other.save()
    }
    await world.list.perform(schedule: .enqueued) {}
    await world.settle(editor)
    #expect(world.song.stars == 5 && editor.song.stars == 1)
    #expect(editor.conflicts.map(\.below) == ["5"])
  }

  /// The list has not merged what another context has saved: the store notices, the form was pushed already.
  @Test func aConflictInTheStoreLeavesTheChangesInTheList() async throws {
    let world = try World()
    let editor = try world.editor()
    editor.edit { $0.stars = 1 }
    let other = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    other.persistentStoreCoordinator = world.list.persistentStoreCoordinator
    let id = world.song.objectID
    try await other.perform {
      (try other.existingObject(with: id) as? Song)?.stars = 5
      try other.save()
    }
    do {
      try await editor.save()
      Issue.record("It was saved.")
    } catch { #expect((error as NSError).code == NSManagedObjectMergeError) }
    #expect(world.list.hasChanges && world.song.stars == 1)
    #expect(try world.stored() == ["Song 5"])
    world.list.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
    try await SongEditor.write(world.list)
    #expect(try world.stored() == ["Song 1"])
  }

  @Test func whatTheFormDeletesLeavesTheListWhenItIsPushed() async throws {
    let world = try World()
    let list = SongList(world.list)
    try list.fetch()
    let editor = try world.editor()
    editor.edit { $0.stars = 3 }
    editor.delete()
    #expect(editor.song.isDeleted && list.count == 1 && editor.mistyped.isEmpty)
    editor.undo()
    #expect(!editor.song.isDeleted && editor.song.stars == 3)
    editor.redo()
    try editor.push()
    #expect(list.count == 0 && world.song.isDeleted && !editor.isOpen)
    #expect(try world.stored() == ["Song 0"])
    try await SongEditor.write(world.list)
    #expect(try world.stored() == [])
    #expect(throws: EditorProblem.self) { try editor.push() }
  }

  @Test(arguments: [true, false]) func whatIsDeletedBelowTheFormCannotBePushed(_ isSaved: Bool) async throws {
    let world = try World()
    let editor = try world.editor()
    editor.edit { $0.stars = 3 }
    world.list.delete(world.song)
    if isSaved { try world.list.save() }
    await world.settle(editor)
    #expect(editor.isGone)
    do {
      try editor.push()
      Issue.record("It was pushed.")
    } catch EditorProblem.isGone {}
    try world.list.save()
    #expect(try world.stored() == [])
    #expect(throws: (any Error).self) { try world.editor() }
  }
}
