import Foundation
import OpenCocoaFoundation

/// Changes of a context's objects that the program asks for, on the context's queue: inserting, deleting, taking changes
/// back, choosing stores; and the sets of changed objects.
struct ChangeRun {
  let context: NSManagedObjectContext

  init(in context: NSManagedObjectContext) { self.context = context }

  var insertedObjects: Set<NSManagedObject> {
    context.checkQueue()
    return Set(context.changed.filter(\.isInserted))
  }

  var updatedObjects: Set<NSManagedObject> {
    context.checkQueue()
    context.events.followLooseMembers()
    return Set(context.changed.filter { $0.isUpdated && !$0.state.contains(.inserted) })
  }

  var deletedObjects: Set<NSManagedObject> {
    context.checkQueue()
    return Set(context.changed.filter(\.isDeleted))
  }

  var hasChanges: Bool {
    context.checkQueue()
    context.events.followLooseMembers()
    return context.changed.contains(where: \.hasChanges)
  }

  func insert(_ object: NSManagedObject) {
    context.checkQueue()
    if let other = object.table?.context {
      if other === context { return insertAgain(object) }
      raise(.invalidArgument, "An object of another NSManagedObjectContext cannot be inserted: \(object.objectID)")
    }
    if object.layout.isAbstract { refuseAbstract(object) }
    tableOfNew(object).register(object, object.key < 0 ? object.key : TemporaryKeys.make())
    object.state = object.state.intersection(.observed).union([.inserted, .hasNoRow])
    if object.changes == nil { object.changes = ChangedValues.make(defaultsOf: object.layout) }
    context.events.enterInsertion(object)
    context.list(object)
    context.events.hold { object.awakeFromInsert() }
  }

  /// Stops the program, with the reason why an object is not one of this context's.
  private func refuse(_ object: NSManagedObject, _ work: String) -> Never {
    let named = "An NSManagedObjectContext cannot \(work) "
    if object.table?.context != nil { raise(.invalidArgument, named + "objects in other contexts.") }
    let reason =
      switch object.table {
      case nil: "it was never inserted into one"
      case let table? where !table.isLimbo: "its context is gone"
      case _ where object.state.contains(.deleted): "its deletion was saved"
      default: "it has left its context: its deletion was saved, its insertion taken back, or the context was reset"
      }
    raise(.invalidArgument, named + "an object that no context has: \(object.objectID); \(reason).")
  }

  private func refuseAbstract(_ object: NSManagedObject) -> Never {
    let name = object.layout.name
    raise(
      .internalInconsistency,
      name.isEmpty
        ? "Cannot insert an object that was made by '\(type(of: object))()', since it has no entity: use init(context:) or "
          + "init(entity:insertInto:)."
        : "Cannot insert an object of the abstract entity '\(name)': use one of its subentities.")
  }

  /// The identity map for an object that no store has yet.
  private func tableOfNew(_ object: NSManagedObject) -> IdentityMap {
    let root = object.layout.rootNumber
    if let family = context.identityMaps.family(of: nil) { return family.table(root) }
    let model = context.persistentStoreCoordinator?.managedObjectModel ?? object.layout.entity.managedObjectModel
    return context.objects.tables(for: nil, model: model).table(root)
  }

  private func insertAgain(_ object: NSManagedObject) {
    if object.state.contains(.deleted) {
      object.enterEvent()
      object.state.subtract([.deleted, .deletionPropagated])
      return
    }
    object.enterEvent()
    context.event.noteInsertedAgain(object)
    object.markChanged()
    if object.state.contains(.hasNoRow) { return }
    object.state.insert(.insertedAgain)
    context.saving.noteInsertedAgain()
  }

  func delete(_ object: NSManagedObject) {
    context.checkQueue()
    guard object.table?.context === context else { refuse(object, "delete") }
    context.events.hold { object.prepareForDeletion() }
    object.enterEvent()
    object.state.insert(.deleted)
    context.event.noteDeletion(of: object)
    context.list(object)
  }

  /// Makes the next save look for conflicts of an object that it does not write.
  func detectConflicts(for object: NSManagedObject) {
    context.checkQueue()
    guard object.table?.context === context else { refuse(object, "detect conflicts for") }
    context.saving.guardAgainstConflicts(object)
  }
}
