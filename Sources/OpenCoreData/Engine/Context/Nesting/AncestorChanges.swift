import Foundation
import OpenCocoaFoundation

/// The changes that the contexts above a child have pending of a fetch's entity.
///
/// An object that is pending in several contexts counts as the lowest of them has it; whether it matches is said there.
struct AncestorChanges {
  struct Identity: Hashable {
    let key: Int64
    let store: ObjectIdentifier?

    init(_ object: NSManagedObject) {
      key = object.key
      store = object.table?.store.map { ObjectIdentifier($0) }
    }
  }

  struct Match {
    let key: Int64
    let layout: EntityLayout
    let store: NSPersistentStore?
  }

  /// All changed objects. The stores' rows of them are outdated and left out.
  private(set) var hidden: Set<Identity> = []
  /// The smallest and the largest key among them: most rows of a fetch are told apart by these.
  private var lowest = Int64.max
  private var highest = Int64.min
  /// The changed objects that match the fetch, so that it has to give them.
  private(set) var matches: ContiguousArray<Match> = []

  /// Called inside of all ancestors.
  /// - Throws: 134060 for a predicate that has no answer for one of them.
  init(_ target: FetchTarget, of child: NSManagedObjectContext) throws {
    let translation = target.predicate.map(PredicateTranslation.init)
    var level = child.parentContext
    while let context = level {
      level = context.parentContext
      let pending = FetchRun(in: context).pendingObjects(target)
      if pending.isEmpty { continue }
      let predicate = translation?.predicate(for: context)
      for object in pending where hidden.insert(Identity(object)).inserted {
        lowest = min(lowest, object.key)
        highest = max(highest, object.key)
        guard !object.state.contains(.deleted) else { continue }
        // The child's own changes of it count.
        if AncestorLevel(child).counterpart(of: object)?.hasChanges == true { continue }
        let holds = try FetchWatch.evaluating(predicate, target.watch) { try predicate?.holds(for: object) ?? true }
        if holds {
          matches.append(Match(key: object.key, layout: object.layout, store: object.table?.store))
        }
      }
    }
  }

  @inline(__always)
  func hides(_ object: NSManagedObject) -> Bool {
    let key = object.key
    return key >= lowest && key <= highest && hidden.contains(Identity(object))
  }
}

extension FetchRun {
  /// Runs `body` with the pending changes that the contexts above have of a request's entity, nil where there are none.
  /// The changes stay as they are while `body` runs.
  func withAncestorChanges<Result>(
    _ request: some AnyFetchRequest, _ target: FetchTarget, _ body: (AncestorChanges?) throws -> Result
  ) throws -> Result {
    guard request.includesPendingChanges, context.ancestors.haveChanges else {
      KeyExchange(of: context).absorb()
      try context.ancestors.followRoot()
      return try body(nil)
    }
    return try context.ancestors.inside { () throws -> Result in
      try context.ancestors.followRoot()
      let above = try AncestorChanges(target, of: context)
      return try body(above.hidden.isEmpty ? nil : above)
    }
  }
}
