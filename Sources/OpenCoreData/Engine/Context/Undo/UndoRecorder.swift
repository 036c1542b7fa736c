import Foundation
import OpenCocoaFoundation

/// Connects a context with its undo manager: it registers an action for each event. Belongs to the context's queue.
final class UndoRecorder {
  private(set) var manager: UndoManager
  private let observation: any NSObjectProtocol
  /// The step that the running save has registered. Changes that `willSave` makes are added to it.
  weak var stepOfSave: UndoStep?
  /// The changes of events that a fetch has ended. They are undone together with the changes after the fetch.
  private var kept: ContiguousArray<ContextEvent.Entry> = []
  private var keptObjects: Set<ObjectIdentifier> = []
  /// The records of objects among them that have left the context.
  private var keptRecords: ContiguousArray<UndoRecord> = []
  private struct KnownStep { weak var step: UndoStep? }
  /// The steps that were registered and that the manager still holds.
  private var steps: [KnownStep] = []
  private var stepsToSift = 64
  /// The steps that need values in files which could not be read, registered since the latest save.
  private var stepsWithUnreadValues: [KnownStep] = []
  /// Objects that are being put back, with the snapshot events that they will be told.
  var restored: [(object: NSManagedObject, event: NSSnapshotEventType)] = []

  /// Objects that the delete rules of others have deleted in merges since the latest save: no step has them, and they come
  /// back with the object whose delete rule it was.
  private var cascaded: Set<NSManagedObject> = []

  /// Deleted objects whose delete rules were applied again, since others have changed them.
  private var appliedAgain: Set<NSManagedObject> = []

  /// For a deleted object, those of `appliedAgain` which others have related to it: both were deleted by then.
  private var related: [NSManagedObject: [NSManagedObject]] = [:]

  init(_ manager: UndoManager, for context: NSManagedObjectContext) {
    self.manager = manager
    observation = NotificationCenter.default.addObserver(
      forName: .NSUndoManagerCheckpoint, object: manager, queue: nil
    ) { [reference = WeaklyReferring(context)] _ in
      // Other contexts may share the manager and use it on their own queues.
      guard let context = reference.wrappedValue, context.isEntered else { return }
      context.events.end(isSaving: false)
    }

  }

  deinit { NotificationCenter.default.removeObserver(observation) }

  var hasKept: Bool { !kept.isEmpty || !keptRecords.isEmpty }

  /// Keeps the state of objects before an event that a fetch ends; for an object that is kept already, the earlier state
  /// stays.
  func keep(_ entries: ContiguousArray<ContextEvent.Entry>) {
    for entry in entries where keptObjects.insert(ObjectIdentifier(entry.object)).inserted { kept.append(entry) }
  }

  /// Makes the records of objects that leave the context with an event that a fetch ends, since their state is not known
  /// later.
  func keepRecords(of leaving: ContiguousArray<NSManagedObject>) {
    if leaving.isEmpty { return }
    let identifiers = Set(leaving.map(ObjectIdentifier.init))
    for entry in kept where identifiers.contains(ObjectIdentifier(entry.object)) {
      if let record = UndoRecord(entry, isOver: true) { keptRecords.append(record) }
    }
    kept.removeAll { identifiers.contains(ObjectIdentifier($0.object)) }
  }

  /// Takes the kept changes out of the recorder.
  func takeKept() -> Kept {
    defer {
      kept = []
      keptObjects = []
      keptRecords = []
    }
    return Kept(entries: kept, records: keptRecords, objects: keptObjects)
  }

  /// The changes of events that a fetch has ended.
  struct Kept {
    let entries: ContiguousArray<ContextEvent.Entry>
    let records: ContiguousArray<UndoRecord>
    /// The identifiers of the objects that have entries or records.
    let objects: Set<ObjectIdentifier>
  }

  /// Whether a merge is going on: its changes are not the user's, and are not recorded.
  var isMerging = false

  /// Notes what delete rules have deleted in the event of a merge.
  func noteCascaded(_ entries: ContiguousArray<ContextEvent.Entry>) {
    guard isMerging else { return }
    for entry in entries where !entry.state.contains(.deleted) {
      let state = entry.object.state
      if state.contains(.deleted), state.isDisjoint(with: [.inserted, .inaccessible]) { cascaded.insert(entry.object) }
    }
  }

  /// Whether a merge has deleted the object by the delete rule of another one, of which this forgets.
  func takeCascaded(_ object: NSManagedObject) -> Bool {
    object.state.contains(.deleted) && cascaded.remove(object) != nil
  }

  var hasCascaded: Bool { !cascaded.isEmpty }

  /// Notes an object that a delete rule deletes again while its deletion is undone.
  func noteCascaded(_ object: NSManagedObject) { cascaded.insert(object) }

  // MARK: Delete rules that are applied again

  func noteAppliedAgain(_ object: NSManagedObject) { appliedAgain.insert(object) }

  /// Notes two deleted objects in a many-to-many relationship that the delete rules of both were not applied to.
  func noteDeleted(_ object: NSManagedObject, relatedTo other: NSManagedObject) {
    if appliedAgain.contains(object) { related[other, default: []].append(object) }
  }

  /// The objects whose delete rules have to be applied again, now that the deletion of `other` is undone.
  func takeDeleted(relatedTo other: NSManagedObject) -> [NSManagedObject] { related.removeValue(forKey: other) ?? [] }

  /// Called after a save.
  func forgetCascaded() {
    if !cascaded.isEmpty { cascaded = [] }
    if !appliedAgain.isEmpty { (appliedAgain, related) = ([], [:]) }
  }

  var isRegistering: Bool { manager.isUndoRegistrationEnabled && !isMerging }

  /// Registers an event with the manager: as a group of its own if no run loop ends the manager's groups.
  func register(_ records: ContiguousArray<UndoRecord>, of context: NSManagedObjectContext) {
    guard isRegistering else { return }
    let hasUnreadValues = records.contains(where: \.hasUnread)
    if context.saving.isRunning, let stepOfSave, !manager.isUndoing, !manager.isRedoing {
      stepOfSave.events.append(records)
      if hasUnreadValues { stepsWithUnreadValues.append(KnownStep(step: stepOfSave)) }
      return
    }
    let step = UndoStep(records)
    keep(step)
    if hasUnreadValues { stepsWithUnreadValues.append(KnownStep(step: step)) }
    if context.saving.isRunning { stepOfSave = step }
    func register() { manager.registerUndo(withTarget: context) { UndoRun(of: $0).takeBack(step) } }
    if context.concurrencyType == .mainQueueConcurrencyType, manager.groupsByEvent {
      register()
    } else {
      manager.group(register)
    }
  }

  private func keep(_ step: UndoStep) {
    steps.append(KnownStep(step: step))
    guard steps.count > stepsToSift else { return }
    steps.removeAll { $0.step == nil }
    stepsToSift = max(64, steps.count * 2)
  }

  /// Reads those values that undoing needs and that are in files which could not be read: a save that removes or replaces
  /// the values removes the files. A value that another program has removed is lost to undoing, and keeps no save from
  /// being made.
  /// - Throws: 257 without permission, else 256, for a value that still cannot be read.
  func readUnreadValues() throws {
    if stepsWithUnreadValues.isEmpty { return }
    for record in stepsWithUnreadValues.lazy.compactMap(\.step).flatMap(\.events).joined() {
      for value in record.unread {
        do { _ = try value.read() } catch CocoaError.fileReadNoSuchFile {}
      }
    }
    stepsWithUnreadValues = []
  }

  /// Closes the group that registrations by other code have opened in an event of a private queue, which no run loop closes.
  func endEventGroup(of context: NSManagedObjectContext) {
    if context.concurrencyType != .mainQueueConcurrencyType { manager.closeEventGroup() }
  }

  /// Removes the actions that the context has registered from the manager.
  func clear(_ context: NSManagedObjectContext) {
    stepOfSave = nil
    forgetCascaded()
    _ = takeKept()
    manager.removeAllActions(withTarget: context)
  }

  /// Called when the context is released, on any thread: its registered actions are removed from the manager, unless
  /// the manager is being released as well.
  func end(_ context: NSManagedObjectContext) {
    // The notification centre's observation may keep the manager alive.
    NotificationCenter.default.removeObserver(observation)
    if isKnownUniquelyReferenced(&manager) { return }
    // Other code that shares the undo manager may be using it now, but only this context runs these steps.
    for known in steps { known.step?.events = [] }
    manager.forgetGoneTarget(context)
  }
}
