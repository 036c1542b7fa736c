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

  /// The contexts above that have changed objects, the nearest first.
  private(set) var levels: ContiguousArray<Level> = []
  /// The objects that have to be asked, or are deleted. Their rows in the stores are outdated and left out.
  private(set) var hidden: Set<Identity> = []
  /// The smallest and the largest key of the hidden objects: for most rows of a fetch, comparing with these is enough.
  private var lowest = Int64.max
  private var highest = Int64.min
  /// The changed objects that match the fetch, which has to include them.
  private(set) var matches: ContiguousArray<Match> = []
  /// The child's own changed objects that have to be asked because a context above has changed them, too.
  private(set) var returned: ContiguousArray<NSManagedObject> = []

  /// A context above.
  struct Level {
    let context: NSManagedObjectContext
    let byEntity: PendingObjects?
    fileprivate let predicate: NSPredicate?
  }

  /// Called by the child inside of all contexts above. Nil if none of these has a changed object of the entity.
  /// - Parameters:
  ///   - question: nil if every changed object is to be asked.
  ///   - areRowsKnown: as for `PendingObjects.select`.
  /// - Throws: 134060 for a predicate that cannot be evaluated for one of the objects.
  init?(
    _ target: FetchTarget, _ question: PendingQuestion?, areRowsKnown: Bool, of child: NSManagedObjectContext
  ) throws {
    let translation = target.predicate.map(PredicateTranslation.init)
    var above = child.parentContext
    while let context = above {
      above = context.parentContext
      if context.changed.isEmpty { continue }
      let items: ContiguousArray<PendingItem>, byEntity: PendingObjects?
      if context.saving.isRunning {
        byEntity = nil
        items = PendingChanges(own: FetchRun(in: context).pendingObjects(target), above: nil).own
        if items.isEmpty { continue }
      } else {
        let known = context.changed.madeByEntity()
        known.follow(context)
        guard known.hasObjects(of: target) else { continue }
        byEntity = known
        items = known.select(target, question, areRowsKnown: areRowsKnown)
      }
      levels.append(Level(context: context, byEntity: byEntity, predicate: translation?.predicate(for: context)))
      for item in items { try take(item, at: levels.count - 1, target, of: child) }
    }
    if levels.isEmpty { return nil }
  }

  private mutating func take(
    _ item: PendingItem, at level: Int, _ target: FetchTarget, of child: NSManagedObjectContext
  ) throws {
    guard hidden.insert(Identity(item.object)).inserted else { return }
    lowest = min(lowest, item.object.key)
    highest = max(highest, item.object.key)
    // If a context further down has changes of the object, these count instead, even if they do not matter by themselves.
    if let own = AncestorLevel(child).counterpart(of: item.object), own.hasChanges { return returned.append(own) }
    for below in levels[..<level] {
      guard let lower = AncestorLevel(below.context).counterpart(of: item.object), lower.hasChanges else { continue }
      return try ask(lower, below, target)
    }
    if item.isAsked { try ask(item.object, levels[level], target) }
  }

  private mutating func ask(_ object: NSManagedObject, _ level: Level, _ target: FetchTarget) throws {
    // Objects whose rows another context has deleted take no part in fetches.
    if !object.state.isDisjoint(with: [.deleted, .inaccessible]) { return }
    let predicate = level.predicate
    let holds = try FetchWatch.evaluating(predicate, target.watch) { try predicate?.holds(for: object) ?? true }
    if holds { matches.append(Match(key: object.key, layout: object.layout, store: object.table?.store)) }
  }

  /// Whether a context above has changes of an object.
  func haveChanged(_ object: NSManagedObject) -> Bool {
    hides(object) || levels.contains { AncestorLevel($0.context).counterpart(of: object)?.isPending == true }
  }

  @inline(__always)
  func hides(_ object: NSManagedObject) -> Bool {
    let key = object.key
    return key >= lowest && key <= highest && hidden.contains(Identity(object))
  }
}

extension FetchRun {
  /// Runs `body`, inside of all contexts above where one of these has changes that count for the request.
  /// - Parameter body: is given whether that is so. The changes above stay as they are while it runs.
  func insideAncestors<Result>(_ request: some AnyFetchRequest, _ body: (Bool) throws -> Result) throws -> Result {
    guard request.includesPendingChanges, context.ancestors.haveChanges else {
      KeyExchange(of: context).absorb()
      try context.ancestors.followRoot()
      return try body(false)
    }
    return try context.ancestors.inside { () throws -> Result in
      try context.ancestors.followRoot()
      return try body(true)
    }
  }
}
