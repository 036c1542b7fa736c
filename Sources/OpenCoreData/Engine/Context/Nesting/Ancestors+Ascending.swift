import CRuntime
import Foundation
import OpenCocoaFoundation

// The way up a chain of contexts, without recursion: a thread's stack is not as deep as a chain may be.
extension Ancestors {
  /// Enters the context and those above it, each from inside of the one below, and asks each until one answers.
  /// - Parameter obeysOverrides: whether contexts are entered by their `performAndWait`, which a subclass may override.
  /// - Returns: nil if no context has answered.
  func ascend<Answer, Failure: Error>(
    obeysOverrides: Bool = false, _ ask: (NSManagedObjectContext) throws(Failure) -> Answer?
  ) throws(Failure) -> Answer? {
    if context.parentContext == nil {
      return try enterForAscent(obeysOverrides) { () throws(Failure) in try ask(context) }
    }
    let log = root.nesting.permanentKeys
    var entries: ContiguousArray<ContextEntry> = []
    defer { while let entry = entries.popLast() { entry.leave() } }
    var level: NSManagedObjectContext? = context
    while let next = level {
      let rest = Ancestors(of: next)
      guard rest.canBeEnteredInLine(obeysOverrides) else {
        return try rest.enterForAscent(obeysOverrides) { () throws(Failure) -> Answer? in
          if let answer = try ask(next) { return answer }
          guard let above = next.parentContext else { return nil }
          return try Ancestors(of: above).ascend(obeysOverrides: obeysOverrides, ask)
        }
      }
      entries.append(ContextEntry(next, log))
      if let answer = try ask(next) { return answer }
      level = next.parentContext
    }
    return nil
  }

  /// Whether the context can be entered without another thread and without code of a subclass.
  private func canBeEnteredInLine(_ obeysOverrides: Bool) -> Bool {
    if obeysOverrides, Swift.type(of: context) != NSManagedObjectContext.self { return false }
    return context.concurrencyType == .privateQueueConcurrencyType
      || context.concurrencyType == .mainQueueConcurrencyType && context.isEntered
  }

  private func enterForAscent<Answer, Failure: Error>(
    _ obeysOverrides: Bool, _ body: () throws(Failure) -> Answer?
  ) throws(Failure) -> Answer? {
    if !obeysOverrides { return try Performer(in: context).performAndWait(body) }
    let outcome = context.performAndWait { () -> Swift.Result<Answer?, Failure> in
      do throws(Failure) { return .success(try body()) } catch { return .failure(error) }
    }
    return try outcome.get()
  }
}

/// A context that the calling thread is inside of until `leave`, which has to be called for the innermost context first.
/// It does what `performAndWait` does before and after its block.
private struct ContextEntry {
  private let context: NSManagedObjectContext
  private let hasTurn: Bool
  private let frame: ContextStack.Frame

  /// Enters a context with a private queue, or one whose queue the thread has.
  /// - Parameter log: the log of the context at the top.
  init(_ context: NSManagedObjectContext, _ log: PermanentKeys) {
    self.context = context
    let isPrivate = context.concurrencyType == .privateQueueConcurrencyType
    // A context that this thread is inside of has its queue taken by some thread. Most queues are free, and then the
    // stack need not be searched.
    let isInside = context.turns.holder != 0 && ContextStack.contains(context)
    // If the thread that has the queue waits for this one, this one can act in its place.
    hasTurn = isPrivate && !isInside && context.turns.take()
    if hasTurn { KeyExchange(of: context).absorb(log, upTo: log.count) }
    frame = ContextStack.push(context, isMainQueue: !isPrivate)
  }

  func leave() {
    ContextStack.pop(frame)
    guard hasTurn else { return }
    context.reads.end()
    context.turns.leave()
  }
}
