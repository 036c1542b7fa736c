import CRuntime
import Dispatch
import Foundation

/// The contexts that the calling thread is inside of, innermost first.
///
/// A queue's own notion of where one is gets lost in nested `sync` calls; this list does not, so that parent chains and
/// re-entrant calls run inline instead of waiting for themselves.
final class ContextStack {
  unowned(unsafe) let context: NSManagedObjectContext
  private let outer: ContextStack?

  private init(_ context: NSManagedObjectContext, outer: ContextStack?) {
    self.context = context
    self.outer = outer
  }

  /// The frames of the calling thread; valid as long as the call that made them.
  static var current: ContextStack? {
    runtime_current_context().pointee.map { Unmanaged<ContextStack>.fromOpaque($0).takeUnretainedValue() }
  }

  /// The innermost context of the calling thread.
  static var innermost: NSManagedObjectContext? { current?.context }

  static func contains(_ context: NSManagedObjectContext) -> Bool {
    var frame = current
    while let here = frame {
      if here.context === context { return true }
      frame = here.outer
    }
    return false
  }

  /// Runs `body` inside `context`, on behalf of a caller that waits in the frames `waiting`, maybe on another thread.
  static func enter<Result, Failure: Error>(
    _ context: NSManagedObjectContext, waiting: ContextStack? = nil, _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let frame = ContextStack(context, outer: current ?? waiting)
    let slot = runtime_current_context()
    let before = slot.pointee
    slot.pointee = Unmanaged.passUnretained(frame).toOpaque()
    defer {
      slot.pointee = before
      withExtendedLifetime(frame) {}
    }
    return try body()
  }
}

/// Whether the calling code runs on the main thread or, after a top-level `await`, on the main queue.
enum MainQueue {
  private static let mark: DispatchSpecificKey<Bool> = {
    let key = DispatchSpecificKey<Bool>()
    DispatchQueue.main.setSpecific(key: key, value: true)
    return key
  }()

  static var isCurrent: Bool { Thread.isMainThread || DispatchQueue.getSpecific(key: mark) == true }
}
