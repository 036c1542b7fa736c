import CRuntime
import Foundation

/// Who watches what the framework does: one word for the whole process, so that whoever is not watched pays for one test.
struct Watchers: OptionSet {
  let rawValue: Int32

  /// Lines are logged, by `-com.apple.CoreData.SQLDebug` or `CoreDataInstruments.sqlDebugLevel`.
  static let log = Watchers(rawValue: 1)
  /// Somebody collects statements.
  static let collectors = Watchers(rawValue: 2)
  /// A recording is running.
  static let recorder = Watchers(rawValue: 4)
  /// Who cares for what contexts do, beside their statements.
  static let ofContexts: Watchers = [.log, .recorder]

  /// Those of this moment.
  @inline(__always)
  static var current: Watchers { Watchers(rawValue: runtime_watching()) }

  /// Whether there are any.
  @inline(__always)
  static var areThere: Bool { runtime_watching() != 0 }

  /// Whether what a context does is logged or recorded.
  @inline(__always)
  static var watchContexts: Bool { runtime_watching() & Watchers.ofContexts.rawValue != 0 }

  /// Whether a recording is running.
  @inline(__always)
  static var isRecording: Bool { runtime_watching() & Watchers.recorder.rawValue != 0 }

  static func set(_ watchers: Watchers, _ isOn: Bool) { runtime_set_watching(watchers.rawValue, isOn ? 1 : 0) }
}
