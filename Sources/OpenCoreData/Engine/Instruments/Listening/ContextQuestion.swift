import Dispatch
import Foundation
import Synchronization

/// A question to contexts that is answered on their queues, and waits no longer than its limit.
///
/// The question is put at the end of each queue, and nothing is held meanwhile. A context that does not answer in time is busy: its
/// question stays in the queue and is skipped when its turn comes; until then no second one is put there. Nothing else happens on
/// the queue: changes are not processed, and no transaction is begun or ended.
enum ContextQuestion {
  /// The contexts in whose queues a question waits, by their weak references: a question keeps the reference, so that none of a later
  /// context is taken for it.
  private static let waiting = Mutex<Set<ObjectIdentifier>>([])

  private struct Answers<Answer: Sendable>: Sendable {
    var answers: [Answer?]
    var isOver = false
  }

  private final class Box<Answer: Sendable>: Sendable {
    let state: Mutex<Answers<Answer>>
    init(_ count: Int) { state = Mutex(Answers(answers: Array(repeating: nil, count: count))) }
  }

  /// Asks all contexts at once. None of them is kept alive meanwhile, but while it answers on its own queue.
  /// - Parameter patience: the time in seconds that is waited at most.
  /// - Returns: the answers, in the order of the contexts; nil for a context that is busy, is gone or has no queue.
  static func ask<Answer: Sendable>(
    _ contexts: [LiveContext], patience: Double, _ question: @escaping @Sendable (NSManagedObjectContext) -> Answer
  ) -> [Answer?] {
    let box = Box<Answer>(contexts.count), group = DispatchGroup()
    for (index, context) in contexts.enumerated() where context.hasQueue {
      let reference = context.reference, own = ObjectIdentifier(reference)
      guard waiting.withLock({ $0.insert(own).inserted }) else { continue }
      group.enter()
      put(at: context) {
        _ = waiting.withLock { $0.remove(own) }
        defer { group.leave() }
        // The question does not keep its context alive: the context may be gone when it is its turn.
        guard !box.state.withLock({ $0.isOver }), let object = reference.object,
          let context = object as? NSManagedObjectContext
        else { return }
        let answer = ContextStack.enter(context, isMainQueue: context.concurrencyType == .mainQueueConcurrencyType) {
          question(context)
        }
        box.state.withLock { if !$0.isOver { $0.answers[index] = answer } }
      }
    }
    _ = group.wait(timeout: .now() + patience)
    return box.state.withLock { state in
      state.isOver = true
      return state.answers
    }
  }

  private static func put(at context: LiveContext, _ block: @escaping @Sendable () -> Void) {
    // Not by `MainQueue.async`, which warns of a main queue that nobody serves: that is said in the answer.
    if context.type == .mainQueueConcurrencyType {
      DispatchQueue.main.async(execute: block)
    } else {
      context.turns.async(block)
    }
  }
}
