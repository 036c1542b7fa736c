import Foundation
import OpenCocoaFoundation

/// Puts the tree together.
struct TreeLook {
  /// Faults are counted up to so many objects.
  static let countedObjects = 200_000

  private var children: [UInt: [UInt]] = [:]
  private var contexts: [UInt: LookedContext] = [:]

  /// Returns coordinators, stores and contexts, after one question to all contexts at once.
  static func tree(_ program: LookedProgram, _ scope: LookScope) -> LookedTree {
    let live = LiveObjects.contexts(in: scope)
    let coordinators = LiveObjects.ofCoordinators(in: scope) { coordinator, name in
      let own = LiveObjects.address(of: coordinator)
      let stores = coordinator.persistentStores.map(store)
      return (
        own, LookedCoordinator(id: LookedID.text(own), name: name, isLocked: coordinator.turns.isLocked, stores: stores)
      )
    }
    let counts = ObjectCounts()
    let answers = ContextQuestion.ask(live, patience: scope.patience) { Facts(of: $0) }
    var look = TreeLook()
    let known = Set(live.map(\.address))
    for (entry, answer) in zip(live, answers) {
      look.contexts[entry.address] = context(entry, answer, counts)
      let above = known.contains(entry.parent) ? entry.parent : entry.coordinator
      look.children[above, default: []].append(entry.address)
    }
    let owners = Set(coordinators.map(\.0))
    let loose = look.children.keys.filter { !known.contains($0) && !owners.contains($0) }
    return LookedTree(
      program: program,
      coordinators: coordinators.map { own, coordinator in
        var coordinator = coordinator
        coordinator.contexts = look.below(own)
        return coordinator
      }.sorted { $0.id < $1.id },
      loose: loose.sorted().flatMap { look.below($0) })
  }

  private func below(_ owner: UInt) -> [LookedContext] {
    (children[owner] ?? []).sorted().compactMap { own in
      guard var context = contexts[own] else { return nil }
      context.children = below(own)
      return context
    }
  }

  private static func store(_ store: NSPersistentStore) -> LookedStore {
    LookedStore(
      type: store.type, place: store.url?.placeOfStore ?? "", isReadOnly: store.isReadOnly,
      cachedRows: store.rows.rowCount, cacheBytes: store.rows.usedBytes, cacheLimit: store.rows.byteLimit)
  }

  /// What a context tells on its queue.
  struct Facts: Sendable {
    let pending: LookedContext.Pending
    let undo: LookedContext.Undo?

    init(of context: NSManagedObjectContext) {
      var (inserted, updated, deleted) = (0, 0, 0)
      for object in context.changed {
        switch PendingLook.kind(of: object) {
        case .inserted: inserted += 1
        case .updated: updated += 1
        case .deleted: deleted += 1
        case nil: break
        }
      }
      pending = .init(inserted: inserted, updated: updated, deleted: deleted)
      undo = context.undoRecorder.map { recorder in
        let names = recorder.manager.namesOfSteps
        return .init(undo: Array(names.undo.suffix(50)), redo: Array(names.redo.suffix(50)))
      }
    }
  }

  private static func context(_ context: LiveContext, _ facts: Facts?, _ counts: ObjectCounts) -> LookedContext {
    var looked = LookedContext(id: context.id, name: context.name, type: kind(of: context))
    (looked.objects, looked.faults) = counts.of(context.address)
    if context.type == .privateQueueConcurrencyType { looked.queue = context.turns.looked }
    if let facts { (looked.pending, looked.undo) = (facts.pending, facts.undo) } else { looked.busy = busy(context) }
    return looked
  }

  private static func kind(of context: LiveContext) -> String {
    switch context.type {
    case .mainQueueConcurrencyType: "main queue"
    case .privateQueueConcurrencyType: "private queue"
    default: "confined"
    }
  }

  /// Why a context has not answered, in words.
  static func busy(_ context: LiveContext) -> String {
    switch context.type {
    case .privateQueueConcurrencyType:
      let holder = context.turns.holder
      if let doing = LiveFeed.shared.doing({ thread, _ in thread == holder }) { return "busy in \(doing)" }
      return holder == 0 ? "busy" : "busy in a block on thread \(holder)"
    case .mainQueueConcurrencyType:
      if let doing = LiveFeed.shared.doing({ $1.isMain }) { return "busy in \(doing)" }
      return "busy: the main queue has not answered within 100 ms"
    default: return "has no queue to ask on: it belongs to thread \(context.home)"
    }
  }
}

/// The numbers of registered objects and faults of each context, counted without its queue.
struct ObjectCounts {
  private var counts: [UInt: (objects: Int, faults: Int?)] = [:]

  init() {
    let maps = MemoryCensus.objectHolders.compactMap { $0 as? IdentityMap }
    let isLarge = maps.reduce(0) { $0 + $1.objectCount } > TreeLook.countedObjects
    for map in maps {
      let faults = isLarge ? nil : map.faultCount
      let known = counts[map.owner] ?? (0, isLarge ? nil : 0)
      counts[map.owner] = (known.objects + map.objectCount, faults.flatMap { more in known.faults.map { $0 + more } })
    }
  }

  func of(_ context: UInt) -> (Int, Int?) { counts[context] ?? (0, 0) }
}

enum LookedID {
  static func text(_ address: UInt) -> String { "0x" + String(address, radix: 16) }
}
