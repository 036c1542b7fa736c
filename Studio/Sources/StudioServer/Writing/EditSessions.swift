import CoreDataTools
import Foundation
import Synchronization

/// The sessions of the stores that are being changed. Each store has one session, which is opened with the first page that
/// needs it.
final class EditSessions: Sendable {
  private let isAllowed: Bool
  private let sessions = Mutex<[String: EditSession]>([:])
  /// Opens one session after the other, so that no store gets two sessions.
  private let queue = DispatchQueue(label: "studio.writing.opening")

  /// - Parameter isAllowed: Whether stores may be changed at all.
  init(isAllowed: Bool) { self.isAllowed = isAllowed }

  /// - Throws: a `StudioError` if the studio was started without permission to write.
  func requireWriting() throws {
    if isAllowed { return }
    throw StudioError(
      .forbidden, "Writing was not allowed",
      "The studio was started to read alone. Start it with --write to change objects: studio --write store.sqlite")
  }

  /// Returns whether pages of a store lead to forms.
  func areOffered(_ store: OpenedStore) -> Bool { isAllowed && store.namesObjectsForGood }

  /// Returns the session of a store.
  /// - Throws: A `StudioError` if the studio was started without permission to write, a `ToolError` if the store cannot be
  /// opened.
  func session(_ store: OpenedStore) async throws -> EditSession {
    try requireWriting()
    guard store.namesObjectsForGood else {
      throw StudioError(
        .unprocessableContent, "Objects of “\(store.name)” are not changed here",
        store.isService
          ? "The studio reads the objects of a web service from a copy, which numbers them anew, so that a form might change "
            + "another object than the one it shows. Change them with a program of the service, or in its own SQLite file."
          : "A store in one XML or binary file numbers its objects anew each time it is read, so that a form might change "
            + "another object than the one it shows. Copy the store to a SQLite file: coredata store copy.")
    }
    try await store.requireNoMigration()
    return try await withCheckedThrowingContinuation { continuation in
      queue.async { [self] in
        continuation.resume(
          with: Result {
            let known = sessions.withLock { $0[store.name] }
            // A session with unsaved changes is kept, even if another file has taken the store's place.
            if let known, !known.isReplaced || known.changeCount > 0 { return known }
            let session = try EditSession(store.name, store.url, model: store.ownModel())
            sessions.withLock { $0[store.name] = session }
            return session
          })
      }
    }
  }

  /// Returns the number of objects of a store with unsaved changes.
  func changeCount(_ store: String) -> Int { sessions.withLock { $0[store] }?.changeCount ?? 0 }

  /// Closes the session of a store that is about to be migrated or replaced.
  /// - Throws: a `StudioError` if there are changes that are not saved.
  func close(_ store: String) throws {
    let count = changeCount(store)
    guard count == 0 else {
      throw StudioError(
        .conflict, "There are unsaved changes", "Save or discard the changes of \(count) objects of “\(store)” first.")
    }
    _ = sessions.withLock { $0.removeValue(forKey: store) }
  }
}
