import CoreData
import Foundation

/// A form for a song, over a child of the list's context.
///
/// What is typed stays in the child until it is pushed: the list does not see half of an edit, and giving up is to throw the child
/// away. The child merges by itself, so that fields that nobody has touched follow what comes in below the form.
@MainActor final class SongEditor {
  /// The song, as an object of the form's context.
  let song: Song
  /// The context of the list below the form.
  let list: NSManagedObjectContext
  let form: NSManagedObjectContext
  /// The values that the fields had when they were first changed in the form.
  private(set) var begun: [String: AnyHashable?] = [:]
  /// Whether the form can still be used. It cannot when it was cancelled, or when it has deleted its song.
  private(set) var isOpen = true

  /// Opens a form for a song of the list.
  ///
  /// - Throws: 133000 if there is no such song any more.
  init(editing id: NSManagedObjectID, in list: NSManagedObjectContext) throws {
    self.list = list
    form = Self.child(of: list)
    guard let song = try form.existingObject(with: id) as? Song else { throw EditorProblem.isGone }
    self.song = song
  }

  /// Opens a form for a new song.
  init(newSongIn list: NSManagedObjectContext) {
    self.list = list
    form = Self.child(of: list)
    song = Song(context: form)
    song.genre = SongValues.genres[0]
    // The empty form is nothing that could be undone.
    form.processPendingChanges()
    form.undoManager?.removeAllActions()
  }

  private static func child(of list: NSManagedObjectContext) -> NSManagedObjectContext {
    let form = NSManagedObjectContext(concurrencyType: .mainQueueConcurrencyType)
    form.name = "form"
    form.parent = list
    form.automaticallyMergesChangesFromParent = true
    let undoManager = UndoManager()
    // Each edit is an action, however many there are in a turn of the run loop.
    undoManager.groupsByEvent = false
    form.undoManager = undoManager
    return form
  }

  // MARK: Typing

  /// Changes the song. All that the block changes is undone together.
  func edit(_ change: (Song) -> Void) { noting { act { change(song) } } }

  /// Deletes the song in the form. It leaves the list when that is pushed, and can be undone until then.
  func delete() { act { form.delete(song) } }

  private func act(_ work: () -> Void) {
    form.undoManager?.beginUndoGrouping()
    work()
    // Ends the event, which registers its action in the group that is open.
    form.processPendingChanges()
    form.undoManager?.endUndoGrouping()
  }

  var canUndo: Bool { form.undoManager?.canUndo ?? false }
  var canRedo: Bool { form.undoManager?.canRedo ?? false }

  /// Takes back the last edit of the form. What was done before the form was opened is the list's, and stays.
  func undo() {
    form.undo()
    forgetUnchanged()
  }

  /// Does again what was taken back.
  func redo() { noting { form.redo() } }

  /// Notes the values that fields had before they were changed in the form for the first time.
  private func noting(_ work: () -> Void) {
    let before = Self.values(of: song)
    work()
    for key in song.changedValues().keys where begun[key] == nil { begun[key] = before[key] }
  }

  /// Throws the form away. The list's context does not hear of it.
  func cancel() {
    isOpen = false
    form.reset()
  }

  // MARK: For the other files

  /// The values of the fields; of the disc, its ID, since its object is another one in each context.
  static func values(of song: Song) -> [String: AnyHashable?] {
    Dictionary(
      uniqueKeysWithValues: song.entity.propertiesByName.keys.map { key in
        let value = song.value(forKey: key)
        return (key, (value as? NSManagedObject)?.objectID ?? value as? AnyHashable)
      })
  }

  /// Fields that are as they were need no base to compare with.
  func forgetUnchanged() {
    let changed = song.changedValues()
    begun = begun.filter { changed[$0.key] != nil }
  }

  /// Has a field's changes count from a value on: what is below the form now.
  func note(_ value: AnyHashable?, asBeginningOf key: String) {
    if begun[key] != nil { begun[key] = .some(value) }
  }

  /// Notes that all changes of the form are the list's now.
  func wasPushed() {
    begun = [:]
    form.undoManager?.removeAllActions()
    if song.managedObjectContext == nil || song.isDeleted { isOpen = false }
  }
}
