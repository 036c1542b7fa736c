import Foundation
import Synchronization

/// The statements of fetches that differ in their constants alone, by the shape of the fetch.
///
/// A shape is known once it has come, and gets its statement when it comes again: to learn which variable takes which
/// constant costs as much as to make the statement, which a fetch that comes once does not pay.
final class ShapedPlans<Statement: Sendable>: Sendable {
  struct Entry: Sendable {
    let template: StatementTemplate
    let statement: Statement
    let count: RowCount
  }

  private enum State {
    /// The shape has come once.
    case seen
    /// The statement's text depends on the constants.
    case refused
    case known(Entry)
  }

  private struct Slot {
    var state: State
    /// The time of the last use, by the number of lookups.
    var time: Int
    /// The predicate of the last fetch. Its object may be gone.
    var predicate: ObjectIdentifier?
  }

  private struct Slots {
    var time = 0
    var all: [FetchShape: Slot] = [:]
  }

  private let slots = Mutex(Slots())
  private let limit: Int

  init(limit: Int = 128) { self.limit = limit }

  /// How many shapes the cache has.
  var count: Int { slots.withLock { $0.all.count } }

  /// Returns the statement of a shape.
  func find(_ shape: FetchShape) -> Entry? {
    slots.withLock { slots in
      slots.time += 1
      guard let index = slots.all.index(forKey: shape) else { return nil }
      slots.all.values[index].time = slots.time
      guard case .known(let entry) = slots.all.values[index].state else { return nil }
      return entry
    }
  }

  /// Whether the last fetch of a known shape had the same predicate. A program that keeps its predicates finds their
  /// plans by identity.
  func isRepeated(_ shape: FetchShape, _ predicate: AnyObject?) -> Bool {
    let predicate = predicate.map(ObjectIdentifier.init)
    return slots.withLock { slots in
      guard let index = slots.all.index(forKey: shape) else { return false }
      if slots.all.values[index].predicate == predicate { return true }
      slots.all.values[index].predicate = predicate
      return false
    }
  }

  /// Whether a shape has come before and has no statement yet; notes a shape that comes for the first time.
  func isWanted(_ shape: FetchShape) -> Bool {
    slots.withLock { slots in
      if let slot = slots.all[shape] {
        if case .seen = slot.state { return true }
        return false
      }
      if slots.all.count >= limit, let oldest = slots.all.min(by: { $0.value.time < $1.value.time })?.key {
        slots.all[oldest] = nil
      }
      slots.all[shape] = Slot(state: .seen, time: slots.time)
      return false
    }
  }

  /// Keeps the statement of a shape; without a template, that it has none.
  func keep(_ template: StatementTemplate?, _ plan: FetchPlan<Statement>, for shape: FetchShape) {
    let state: State =
      template.map { .known(Entry(template: $0, statement: plan.statement, count: plan.sharedCount)) } ?? .refused
    slots.withLock { slots in slots.all[shape]?.state = state }
  }
}
