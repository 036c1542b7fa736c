import CRuntime
import Dispatch
import Foundation

/// The measurements of one run of a statement.
struct WatchedRun {
  /// Whether the run is measured; false after it has ended.
  var isWatched = false
  /// Whether the run is reported as a part of a recorded fault.
  var isFolded = false
  /// The start, in ticks; 0 if the statement is not recorded.
  var start: UInt64 = 0
  /// The start, in nanoseconds; 0 if the statement is not logged.
  var began: UInt64 = 0
}

// Reports the statement to the log, the recorder and collectors of statements.
extension SQLiteStatement {
  /// Called before the statement runs, if it is watched.
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

  /// The run is over.
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
    if run.began != 0 { SQLDebugLog.logEnd(self, since: run.began) }
  }
}
