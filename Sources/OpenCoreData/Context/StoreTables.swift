/// The identity maps of one context for one store, by root entity.
final class StoreTables {
  /// Nil for objects that have no store yet.
  let store: NSPersistentStore?
  private unowned(unsafe) let context: NSManagedObjectContext
  private let model: NSManagedObjectModel
  @exclusivity(unchecked) private var byRoot: ContiguousArray<EntityTable?>

  /// For objects that left the context: it keeps their model alive, since their values can still be read.
  private(set) lazy var limbo = EntityTable(context: nil, store: store, model: model, isLimbo: true)

  init(context: NSManagedObjectContext, store: NSPersistentStore?, model: NSManagedObjectModel) {
    self.context = context
    self.store = store
    self.model = model
    byRoot = ContiguousArray(repeating: nil, count: model.entities.count + 1)
  }

  @inline(__always)
  func table(_ rootNumber: Int) -> EntityTable {
    if let table = byRoot[rootNumber] { return table }
    let table = EntityTable(context: context, store: store, model: model)
    byRoot[rootNumber] = table
    return table
  }

  /// The table of a root entity, if there is one.
  func known(_ rootNumber: Int) -> EntityTable? { byRoot[rootNumber] }

  /// Those that exist.
  var tables: ContiguousArray<EntityTable> { ContiguousArray(byRoot.compactMap { $0 }) }
}
