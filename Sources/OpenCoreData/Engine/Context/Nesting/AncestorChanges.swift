import Foundation
import OpenCocoaFoundation

/// The pending changes of a fetch's entity in the contexts above a child.
///
/// If several contexts have changed an object, the lowest one of them counts and decides whether the object matches.
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

  /// All changed objects. Their rows in the stores are outdated and left out.
  private(set) var hidden: Set<Identity> = []
  /// The smallest and the largest key of the hidden objects: for most rows of a fetch, comparing with these is enough.
  private var lowest = Int64.max
  private var highest = Int64.min
  /// The changed objects that match the fetch, which has to include them.
  private(set) var matches: ContiguousArray<Match> = []

  /// Called by the child inside of all contexts above.
  /// - Throws: 134060 for a predicate that cannot be evaluated for one of the objects.
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
        // If the child has changes of the object, these count instead.
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
  /// Runs `body` with the pending changes of a request's entity in the contexts above, or with nil where there are none.
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
