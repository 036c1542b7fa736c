import Dispatch
import Foundation
import OpenCocoaFoundation

/// The answer to a predicate that was evaluated with the pending objects of a context.
struct LookedMatches: Encodable, Sendable {
  struct Fault: Encodable, Sendable {
    let object: String
    /// The fault that would fire, in words.
    let wouldFire: String
  }

  var busy: String?
  /// The number of pending objects of the entity.
  var asked = 0
  var matches: [String] = []
  /// Objects for which a value is missing.
  var faults: [Fault] = []
  /// What else is wrong with the predicate.
  var failure: String?
}

/// Evaluates a predicate with the inserted and updated objects of a context, by values that are there.
struct PredicateLook: @unchecked Sendable {  // the predicate is made for this look, and used on one queue
  let predicate: NSPredicate
  let entity: String?
  let limit: Int
  /// The time that the program's queue is held at most.
  let seconds: Double
  /// The part of the time for an answer that the evaluation may take: the rest is for what the queue does before.
  static let share = 0.8

  /// - Throws: an `OCDPredicateParseError` for a text that is no predicate.
  init(_ format: String, entity: String?, limit: Int, seconds: Double) throws {
    predicate = try NSPredicate(parsing: format)
    (self.entity, self.limit, self.seconds) = (entity, limit, seconds)
  }

  func matches(_ context: NSManagedObjectContext) -> LookedMatches {
    var result = LookedMatches()
    let limits = self.limits
    for object in context.changed {
      guard let kind = PendingLook.kind(of: object), kind != .deleted, isMeant(object), result.failure == nil else {
        continue
      }
      result.asked += 1
      guard result.asked <= limit else { continue }
      let name = LookedValue.name(of: object)
      do {
        let holds = try EvaluationLimit.run(limits) {
          try limits.check()
          return try predicate.holds(for: LookedObject(object))
        }
        if holds { result.matches.append(name) }
      } catch let fault as LookedObject.MissingValue {
        result.faults.append(.init(object: name, wouldFire: fault.words))
      } catch {
        result.failure = (error as NSError).localizedDescription
      }
    }
    return result
  }

  private var limits: EvaluationLimit {
    let end = DispatchTime.now() + seconds, words = Int(seconds * 1000)
    return EvaluationLimit(
      patternSteps: 100_000, isStopped: { DispatchTime.now() >= end },
      error: {
        OCDEvaluationError("The predicate takes longer than \(words) ms, which is the limit for a look.")
      })
  }

  private func isMeant(_ object: NSManagedObject) -> Bool {
    guard let entity else { return true }
    var next: NSEntityDescription? = object.layout.entity
    while let here = next {
      if here.name == entity { return true }
      next = here.superentity
    }
    return false
  }
}
