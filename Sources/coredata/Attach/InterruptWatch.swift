import Dispatch
import Foundation
import Synchronization

/// Notes ctrl-C, so that a command can end what it has begun.
final class InterruptWatch {
  private let flag = Flag()
  private let source: any DispatchSourceSignal

  private final class Flag: Sendable { let isSet = Atomic<Bool>(false) }

  init() {
    signal(SIGINT, SIG_IGN)
    source = DispatchSource.makeSignalSource(signal: SIGINT, queue: .global())
    let flag = flag
    source.setEventHandler { flag.isSet.store(true, ordering: .relaxed) }
    source.activate()
  }

  /// Whether ctrl-C was pressed.
  var isInterrupted: Bool { flag.isSet.load(ordering: .relaxed) }
}
