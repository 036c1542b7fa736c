import CRuntime
import Dispatch
import Foundation
import OpenCocoaFoundation

/// Measures one activity of a context, such as a fetch or a fault, for the log, for the recorder and for clients that look into the program.
///
/// Made only if `Watchers.watchContexts` is true.
struct ContextWatch {
  private var activity: RecordedActivity
  private let watchers = Watchers.current
  /// The time when the activity began; 0 if it is neither logged nor told to clients.
  private let began: UInt64
  private let opensNote: Bool

  init(_ kind: RecordedActivity.Kind, _ layout: EntityLayout? = nil, _ relationship: NSPropertyDescription? = nil) {
    let watchers = Watchers.current
    began = watchers.isDisjoint(with: [.log, .live]) ? 0 : DispatchTime.now().uptimeNanoseconds
    activity = RecordedActivity(
      kind: kind, start: watchers.contains(.recorder) ? runtime_ticks() : 0, entity: layout?.entity)
    activity.relationship = relationship
    if watchers.contains(.live) { LiveFeed.shared.begin(kind, layout?.entity) }
    if watchers.contains(.log), [.fetch, .fetchKeys, .fetchDictionaries, .count].contains(kind) {
      SQLDebugLog.beginFetch()
    }
    opensNote = watchers.contains(.recorder) && (kind == .objectFault || kind == .relationshipFault)
    if opensNote {
      // Most faults run a single statement, which uses the times of the fault instead of reading the clock again.
      let note = runtime_thread_fault()
      note.pointee.is_open = 1
      note.pointee.has_statement = 0
    }
  }

  private func closeNote() {
    if opensNote { runtime_thread_fault().pointee.is_open = 0 }
  }

  private func record(
    predicate: NSPredicate? = nil, sort: [NSSortDescriptor]? = nil, _ set: (inout RecordedActivity) -> Void
  ) {
    if watchers.contains(.live) { tell(predicate, sort, set) }
    guard watchers.contains(.recorder), activity.start != 0 else { return closeNote() }
    var activity = activity
    activity.end = runtime_ticks()
    set(&activity)
    Recorder.shared.note(activity, predicate: predicate, sort: sort)
    closeNote()
  }

  private func tell(_ predicate: NSPredicate?, _ sort: [NSSortDescriptor]?, _ set: (inout RecordedActivity) -> Void) {
    LiveFeed.shared.end(activity.kind)
    guard Watchers.current.contains(.live) else { return }
    var activity = activity
    set(&activity)
    LiveFeed.shared.note(activity, predicate, sort, began: began)
  }

  private func log(_ line: (_ seconds: String) -> Void) {
    guard watchers.contains(.log), Watchers.current.contains(.log) else { return }
    line(SQLDebugLog.seconds(since: began))
  }

  /// Drops the activity, because there was nothing to do.
  func cancel() {
    if watchers.contains(.live) { LiveFeed.shared.end(activity.kind) }
    closeNote()
  }

  /// Records that the activity has thrown an error.
  func fail() { record { $0.failed = true } }

  // MARK: Ends

  /// Logs and records a fetch that has returned that many results.
  func endFetch(
    _ request: some AnyFetchRequest, rows: Int, objects: ContiguousArray<NSManagedObject>? = nil, number: Int = 0
  ) {
    log { seconds in
      SQLDebugLog.logFetch(activity.entity?.name ?? "", rows: rows, objects?.lazy.map(\.description))
      FrameworkLog.write(.annotation, "total fetch execution time: \(seconds) for \(rows) rows.")
    }
    record(predicate: request.predicate, sort: request.sortDescriptors) {
      $0.rows = rows
      $0.number = number
    }
  }

  func endCount(_ request: some AnyFetchRequest, _ count: Int) {
    log { seconds in
      SQLDebugLog.logCount(request, activity.entity?.name ?? "", count)
      FrameworkLog.write(.annotation, "total count request execution time: \(seconds) for count of \(count).")
    }
    record(predicate: request.predicate) { $0.rows = count }
  }

  /// Logs and records a fault of an object, with the relationship that led to the object if its fault batch knows it.
  func endFault(_ object: NSManagedObject, rows: Int) {
    log { seconds in
      FrameworkLog.write(.annotation, "total fetch execution time: \(seconds) for \(rows) rows.")
      if rows > 0 {
        FrameworkLog.write(.annotation, "fault fulfilled from database for : \(object.objectID)")
      }
    }
    record {
      $0.rows = rows
      if let origin = object.faultBatch?.origin { $0.relationship = origin }
    }
  }

  func endRelationshipFault(_ object: NSManagedObject, _ name: String, rows: Int) {
    log { seconds in
      FrameworkLog.write(.annotation, "total fetch execution time: \(seconds) for \(rows) rows.")
      FrameworkLog.write(
        .annotation,
        "to-many relationship fault \"\(name)\" for objectID \(object.objectID) fulfilled from database.  Got \(rows) rows"
      )
    }
    record { $0.rows = rows }
  }

  func endPrefetch(_ keyPath: String, rows: Int) {
    log { _ in
      FrameworkLog.write(.annotation, "Prefetching with key '\(keyPath)'.  Got \(rows) rows.")
    }
    record {
      $0.rows = rows
      $0.detail = keyPath
    }
  }

  func endSave(inserted: Int, updated: Int, deleted: Int) {
    record {
      $0.rows = inserted
      $0.updated = updated
      $0.deleted = deleted
    }
  }

  func end(rows: Int = 0, detail: String? = nil) {
    record {
      $0.rows = rows
      $0.detail = detail
    }
  }
}
