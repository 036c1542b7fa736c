import CRuntime
import Foundation

/// The kinds of watchers that are active. One word holds them for the whole process, so that code needs only a single test
/// while nothing is watched.
package struct Watchers: OptionSet {
  package let rawValue: Int32

  package init(rawValue: Int32) { self.rawValue = rawValue }

  /// Lines are logged, by `-com.apple.CoreData.SQLDebug` or `CoreDataInstruments.sqlDebugLevel`.
  package static let log = Watchers(rawValue: 1)
  /// At least one collector of statements is active.
  package static let collectors = Watchers(rawValue: 2)
  /// A recording is running.
  package static let recorder = Watchers(rawValue: 4)
  /// A client looks into the running program and is told of events.
  package static let live = Watchers(rawValue: 8)
  /// The watchers of contexts' activities, beside their statements.
  package static let ofContexts: Watchers = [.log, .recorder, .live]

  /// The watchers that are active now.
  @inline(__always)
  package static var current: Watchers { Watchers(rawValue: runtime_watching()) }

  /// Whether any watcher is active.
  @inline(__always)
  package static var areThere: Bool { runtime_watching() != 0 }

  /// Whether the activities of contexts are logged, recorded or told to clients.
  @inline(__always)
  package static var watchContexts: Bool { runtime_watching() & Watchers.ofContexts.rawValue != 0 }

  /// Whether a recording is running.
  @inline(__always)
  package static var isRecording: Bool { runtime_watching() & Watchers.recorder.rawValue != 0 }

  package static func set(_ watchers: Watchers, _ isOn: Bool) { runtime_set_watching(watchers.rawValue, isOn ? 1 : 0) }
}
