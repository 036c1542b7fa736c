import CRuntime
import Dispatch
import Foundation

/// The contexts that the calling thread is inside of, innermost first. A frame knows of its context only what is asked here.
///
/// Nested calls hide which dispatch queues the thread is on; this list keeps it, so that parent chains and re-entrant
/// calls run inline instead of waiting for themselves.
final class ContextStack {
  private unowned(unsafe) let context: AnyObject
  private let isMainQueue: Bool
  /// Whether the changes made inside the frame are processed when it ends.
  private let isEvent: Bool
  private let outer: ContextStack?

  private init(_ context: AnyObject, isMainQueue: Bool, isEvent: Bool, outer: ContextStack?) {
    self.context = context
    self.isMainQueue = isMainQueue
    self.isEvent = isEvent
    self.outer = outer
  }

  /// The frames of the calling thread; valid as long as the call that made them.
  static var current: ContextStack? {
    runtime_current_context().pointee.map { Unmanaged<ContextStack>.fromOpaque($0).takeUnretainedValue() }
  }

  /// The innermost context of the calling thread.
  static var innermost: AnyObject? { current?.context }

  /// Whether `isMeant` is true for some frame of the calling thread.
  @inline(__always)
  private static func hasFrame(_ isMeant: (ContextStack) -> Bool) -> Bool {
    guard let innermost = runtime_current_context().pointee else { return false }
    // The calls that made the frames keep them alive.
    var next = Optional(Unmanaged<ContextStack>.fromOpaque(innermost))
    while let here = next {
      let (isFound, outer) = here._withUnsafeGuaranteedRef { frame in
        (isMeant(frame), frame.outer.map(Unmanaged.passUnretained))
      }
      if isFound { return true }
      next = outer
    }
    return false
  }

  static func contains(_ context: AnyObject) -> Bool { hasFrame { $0.context === context } }

  /// Whether the calling thread is inside of a main-queue context, and so has the main queue.
  static var containsMainQueue: Bool { hasFrame { $0.isMainQueue } }

  /// Whether the calling thread is inside of a block of `perform` of that context, at whose end changes are processed.
  static func containsEvent(of context: AnyObject) -> Bool {
    hasFrame { $0.isEvent && $0.context === context }
  }

  /// Runs `body` inside `context`, on behalf of a caller that waits in the frames `waiting`, maybe on another thread.
  @inline(__always)
  static func enter<Result, Failure: Error>(
    _ context: AnyObject, isMainQueue: Bool, isEvent: Bool = false, waiting: ContextStack? = nil,
    _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let slot = runtime_current_context()
    let before = slot.pointee
    let outer = before.map { Unmanaged<ContextStack>.fromOpaque($0).takeUnretainedValue() } ?? waiting
    let frame = ContextStack(context, isMainQueue: isMainQueue, isEvent: isEvent, outer: outer)
    slot.pointee = Unmanaged.passUnretained(frame).toOpaque()
    defer {
      slot.pointee = before
      withExtendedLifetime(frame) {}
    }
    return try body()
  }

  /// A frame that lasts until it is given to `pop`.
  struct Frame {
    fileprivate let frame: ContextStack
    fileprivate let before: UnsafeMutableRawPointer?
  }

  /// Enters a context until `pop` is called on the same thread: for many contexts, which calls of `enter` would nest.
  static func push(_ context: AnyObject, isMainQueue: Bool) -> Frame {
    let slot = runtime_current_context()
    let frame = ContextStack(context, isMainQueue: isMainQueue, isEvent: false, outer: current)
    defer { slot.pointee = Unmanaged.passUnretained(frame).toOpaque() }
    return Frame(frame: frame, before: slot.pointee)
  }

  /// Leaves the context that was entered last.
  static func pop(_ frame: Frame) {
    runtime_current_context().pointee = frame.before
    withExtendedLifetime(frame.frame) {}
  }
}
