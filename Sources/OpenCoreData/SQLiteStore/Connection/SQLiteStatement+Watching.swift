import CRuntime
import Dispatch
import Foundation

/// What the log, the recorder and the live feed know of one run of a statement.
struct WatchedRun {
  /// Whether the log, the recorder or a client watches the run, until it ends.
  var isWatched = false
  /// Whether the run is recorded as part of a fault.
  var isFolded = false
  /// When the run started, in ticks; 0 if the run is not recorded by itself.
  var start: UInt64 = 0
  /// When the run began, in nanoseconds; 0 if the run is not logged.
  var began: UInt64 = 0
  /// When the run began, in nanoseconds; 0 if no client is told of it.
  var told: UInt64 = 0
}

// What statements tell the log, the recorder, and the collectors of statements.
extension SQLiteStatement {
  /// Notes that the statement is about to run, for the log, the recorder and the collectors.
  @inline(never)
  func beginWatching() {
    let watchers = Watchers.current
    if watchers.contains(.collectors) { StatementLog.record(sql) }
    watched = WatchedRun()
    if watchers.contains(.log) {
      SQLDebugLog.logBegin(self)
      watched.began = DispatchTime.now().uptimeNanoseconds
      watched.isWatched = true
    }
    if watchers.contains(.live), isWork {
      watched.told = DispatchTime.now().uptimeNanoseconds
      watched.isWatched = true
    }
    guard watchers.contains(.recorder) else { return }
    watched.isWatched = true
    let fault = runtime_thread_fault()
    if isWork, fault.pointee.is_open != 0, fault.pointee.has_statement == 0 {
      fault.pointee.has_statement = 1
      watched.isFolded = true
    } else {
      watched.start = runtime_ticks()
    }
  }

  /// Notes that the run is over.
  /// - Parameter explains: whether SQLite may be asked for the plan of a statement that is new to a recording.
  @inline(never)
  func endWatching(explains: Bool = true) {
    let run = watched
    watched.isWatched = false
    if run.isFolded || run.start != 0 {
      let end = run.isFolded ? 0 : runtime_ticks()
      if recorded.session != Recorder.shared.sessionNumber.load(ordering: .relaxed) {
        let known = Recorder.shared.number(of: sql)
        recorded = (known.session, known.number)
        if known.isNew, explains { Recorder.shared.note(isSelect && isWork ? plan : [], of: recorded, path) }
      }
      if run.isFolded {
        let fault = runtime_thread_fault()
        fault.pointee.statement = recorded.number
        fault.pointee.recording = recorded.session
        fault.pointee.rows = rowCount
      } else if recorded.session != 0 {
        Recorder.shared.note(recorded.number, of: recorded.session, start: run.start, end: end, rows: rowCount)
      }
    }
    if run.told != 0 { LiveFeed.shared.noteStatement(sql, rows: rowCount, since: run.told) }
    if run.began != 0 { SQLDebugLog.logEnd(self, since: run.began) }
  }
}
