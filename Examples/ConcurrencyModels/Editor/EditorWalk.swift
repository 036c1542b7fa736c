import CoreData
import Foundation

/// What one does with a form, and what form, list and store have after each step; over three levels, whose writer saves later.
@MainActor struct EditorWalk {
  struct Step: Codable {
    var title: String
    /// The title and the stars of the song in the form, in the list and in the store.
    var form: String
    var list: String
    var store: String
    /// What the form says.
    var words: String
  }

  let url: URL

  /// - Throws: The errors of opening and saving.
  func run() async throws -> [Step] {
    try Stack.fill(at: url)
    let contexts = try ThreeLevels(at: url)
    let list = SongList(contexts.view)
    try list.fetch()
    guard let song = list.onScreen.first else { return [] }
    song.title = "Song"
    try await SongEditor.write(contexts.view)
    let store = try Stack.open(at: url).newBackgroundContext()
    var steps: [Step] = []
    func note(_ title: String, _ editor: SongEditor, _ words: String = "") async throws {
      steps.append(
        Step(
          title: title, form: editor.isOpen ? Self.text(editor.song) : "-", list: Self.text(song),
          store: try await Self.text(song.objectID, in: store), words: words))
    }
    func refusal(_ editor: SongEditor) -> String {
      do {
        try editor.push()
        return "pushed"
      } catch { return "\(error)" }
    }

    var editor = try SongEditor(editing: song.objectID, in: contexts.view)
    editor.edit { $0.title = "Sing" }
    editor.edit { $0.stars = 3 }
    try await note("typed", editor)
    editor.undo()
    try await note("undone in the form", editor, editor.canRedo ? "can be done again" : "")
    editor.cancel()
    try await note("thrown away", editor)

    editor = try SongEditor(editing: song.objectID, in: contexts.view)
    editor.edit { $0.title = "Sang" }
    try editor.push()
    try await note("pushed one level", editor, list.reports > 0 ? "the list was told" : "")
    editor.edit { $0.stars = 4 }
    try await editor.save()
    try await note("pushed, and saved by the writer", editor)

    editor.edit {
      $0.title = ""
      $0.stars = 9
    }
    try await note("mistyped", editor, refusal(editor))
    editor.undo()
    try await note("undone", editor, refusal(editor))

    editor.edit { $0.stars = 1 }
    song.stars = 5
    song.title = "Sung"
    try contexts.view.save()
    // Behind the merge of what the list's context has saved.
    await editor.form.perform(schedule: .enqueued) {}
    try await note("both have changed it", editor, refusal(editor))
    editor.keepMine()
    try await editor.save()
    try await note("mine kept, and saved", editor)

    editor.delete()
    try await note("deleted in the form", editor)
    editor.undo()
    try await note("undone", editor)
    editor.edit { $0.title = "Sign" }
    contexts.view.delete(song)
    try await SongEditor.write(contexts.view)
    await editor.form.perform(schedule: .enqueued) {}
    try await note("deleted below the form", editor, refusal(editor))
    return steps
  }

  private nonisolated static func text(_ song: Song) -> String {
    guard song.managedObjectContext != nil, !song.isDeleted else { return "-" }
    return "\(song.title ?? "nothing") \(song.stars)"
  }

  /// The song as it is in the store, by another coordinator.
  private static func text(_ id: NSManagedObjectID, in store: NSManagedObjectContext) async throws -> String {
    let uri = id.uriRepresentation()
    return try await store.perform {
      guard let own = store.persistentStoreCoordinator?.managedObjectID(forURIRepresentation: uri) else { return "-" }
      // A fetch notices what others have written; a row that is cached would be as old as the cache.
      let request = NSFetchRequest<Song>(entityName: "Song")
      request.predicate = NSPredicate(format: "SELF == %@", own)
      return try store.fetch(request).first.map(text) ?? "-"
    }
  }
}
