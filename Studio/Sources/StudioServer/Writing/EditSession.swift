import CoreData
import CoreDataTools
import Foundation
import Synchronization

/// The unsaved changes of a store, and the context that contains them.
///
/// All forms use one context, so that two windows of a browser show the same changes. Forms are processed one at a time. Each
/// form is first tried in a child context that is discarded, so that a form with an error leaves no partial changes. Then its
/// changes are made as one group of the undo manager.
final class EditSession: @unchecked Sendable {  // all state belongs to the queue, or is behind a lock
  /// The maximal number of forms that can be undone.
  private static let undoLevels = 100

  let store: String
  let writer: StoreWriter
  private let context: NSManagedObjectContext
  private let undoManager = UndoManager()
  private let queue: DispatchQueue
  /// The new objects, by the numbers that they have in addresses.
  private var made: [Int: NSManagedObject] = [:]
  private var lastNumber = 0
  private let count = Mutex(0)
  /// The conflicts that made the last save fail.
  private(set) var conflicts: [VersionConflict] = []
  /// The identity of the file when the session was opened.
  private let file: FileMark?

  /// - Parameter model: The store's model, if the store keeps none.
  /// - Throws: a `ToolError` if the store cannot be written.
  init(_ store: String, _ url: URL, model: NSManagedObjectModel?) throws {
    self.store = store
    file = FileMark(url)
    writer = try StoreWriter(url, model: model)
    context = writer.context(author: "studio")
    context.name = "studio"
    queue = DispatchQueue(label: "studio.writing")
    undoManager.groupsByEvent = false
    undoManager.levelsOfUndo = Self.undoLevels
    let (context, undoManager) = (context, undoManager)
    context.performAndWait { context.undoManager = undoManager }
  }

  /// The number of objects with unsaved changes.
  var changeCount: Int { count.withLock { $0 } }

  /// Whether the store's file was replaced by another file.
  var isReplaced: Bool { file != FileMark(writer.url) }

  /// Runs a function with the session, one at a time, on a thread that may wait for the store.
  func work<Value: Sendable>(_ body: @escaping @Sendable (EditSession) throws -> Value) async throws -> Value {
    try await withCheckedThrowingContinuation { continuation in
      queue.async { [self] in
        let result = Result { try body(self) }
        context.performAndWait { [self] in
          let changed = context.insertedObjects.count + context.deletedObjects.count
          let count = changed + context.updatedObjects.count { !$0.changedValues().isEmpty }
          self.count.withLock { $0 = count }
          if count == 0 { conflicts = [] }
        }
        continuation.resume(with: result)
      }
    }
  }

  // MARK: Within work

  /// Runs `body` with the context of the unsaved changes.
  func perform<Value>(_ body: (NSManagedObjectContext) throws -> Value) rethrows -> Value {
    try context.performAndWait { try body(context) }
  }

  /// Runs `body` with a child context whose changes are discarded.
  func trying<Value>(_ body: (NSManagedObjectContext) throws -> Value) rethrows -> Value {
    let child = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    child.parent = context
    return try child.performAndWait {
      defer { child.reset() }
      return try body(child)
    }
  }

  /// Runs `body`, whose changes become one action that can be undone.
  func act<Value>(_ name: String, _ body: (NSManagedObjectContext) throws -> Value) rethrows -> Value {
    try perform { context in
      context.processPendingChanges()
      undoManager.beginUndoGrouping()
      defer {
        context.processPendingChanges()
        undoManager.setActionName(name)
        undoManager.endUndoGrouping()
      }
      return try body(context)
    }
  }

  /// The names of the next undo and redo steps; nil if there are none.
  var steps: (undo: String?, redo: String?) {
    perform { _ in
      (
        undoManager.canUndo ? undoManager.undoActionName : nil, undoManager.canRedo ? undoManager.redoActionName : nil
      )
    }
  }

  func undo() { perform { if undoManager.canUndo { $0.undo() } } }

  func redo() { perform { if undoManager.canRedo { $0.redo() } } }

  /// Discards all changes.
  func discard() {
    perform { context in
      context.rollback()
      undoManager.removeAllActions()
      context.reset()
    }
    conflicts = []
  }

  /// Saves all changes in one transaction.
  /// - Parameter choices: The user's choices for the conflicts that a page has shown.
  /// - Throws: the error of the save; conflicts are kept for the page that shows them.
  func save(_ choices: ConflictChoices? = nil) throws {
    try perform { context in
      context.mergePolicy = choices.map { ChosenMergePolicy($0, self) } ?? NSMergePolicy.error
      defer { context.mergePolicy = NSMergePolicy.error }
      do {
        try context.save()
        conflicts = []
        // Merged values cannot be undone, because the undo manager does not know them.
        if choices != nil { undoManager.removeAllActions() }
      } catch {
        let found = (error as? CocoaError)?.persistentStoreSaveConflicts ?? []
        conflicts = found.map { VersionConflict($0, reference($0.sourceObject), store: store) }
        throw error
      }
    }
  }

  // MARK: Names of objects

  /// Assigns a number to a new object.
  func enlist(_ object: NSManagedObject) -> EditReference {
    if let number = made.first(where: { $0.value === object })?.key {
      return .new(entity: object.entity.name ?? "", number: number)
    }
    lastNumber += 1
    made[lastNumber] = object
    return .new(entity: object.entity.name ?? "", number: lastNumber)
  }

  /// Returns the reference of an object. An object of a child context has the reference of the same object in the session's
  /// context.
  func reference(_ object: NSManagedObject) -> EditReference {
    if let reference = ObjectReference(object.objectID) { return .stored(reference) }
    if let number = made.first(where: { $0.value.objectID == object.objectID })?.key {
      return .new(entity: object.entity.name ?? "", number: number)
    }
    return object.managedObjectContext === context ? enlist(object) : .new(entity: object.entity.name ?? "", number: 0)
  }

  /// Returns the ID of an object that an address names; nil if there is none.
  func objectID(_ reference: EditReference) -> NSManagedObjectID? {
    switch reference {
    case .stored(let reference): return writer.objectID(of: reference)
    case .new(_, let number):
      guard let object = made[number], object.managedObjectContext != nil else { return nil }
      return object.objectID
    }
  }
}
