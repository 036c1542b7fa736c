/// The identity maps of one context for one store, by root entity.
final class StoreTables {
  /// Nil for objects that have no store yet.
  let store: NSPersistentStore?
  private unowned(unsafe) let context: NSManagedObjectContext
  private let model: NSManagedObjectModel
  @exclusivity(unchecked) private var byRoot: ContiguousArray<IdentityMap?>

  /// The map for objects that left the context: it keeps their model alive, since their values can still be read.
  private(set) lazy var limbo = IdentityMap(context: nil, store: store, model: model, isLimbo: true)

  init(context: NSManagedObjectContext, store: NSPersistentStore?, model: NSManagedObjectModel) {
    self.context = context
    self.store = store
    self.model = model
    byRoot = ContiguousArray(repeating: nil, count: model.entities.count + 1)
  }

  @inline(__always)
  func table(_ rootNumber: Int) -> IdentityMap {
    if let table = byRoot[rootNumber] { return table }
    let table = IdentityMap(context: context, store: store, model: model)
    byRoot[rootNumber] = table
    return table
  }

  /// The identity map of a root entity, if it has been made.
  func known(_ rootNumber: Int) -> IdentityMap? { byRoot[rootNumber] }

  /// The identity maps that have been made so far: a root entity gets one with its first object.
  var tables: ContiguousArray<IdentityMap> { ContiguousArray(byRoot.compactMap { $0 }) }
}
