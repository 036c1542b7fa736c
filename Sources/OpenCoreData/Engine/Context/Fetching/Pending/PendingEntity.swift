/// The changed objects of one entity, without those of its subentities, by the numbers of their records.
///
/// A list may have the numbers of objects that do not belong to it any more: what the record says counts.
struct PendingEntity {
  let layout: EntityLayout
  /// New objects. The place of an object among them does not change.
  var inserted: ContiguousArray<Int32> = []
  var updated: ContiguousArray<Int32> = []
  var deleted: ContiguousArray<Int32> = []
  /// Objects that each fetch asks.
  var others: ContiguousArray<Int32> = []
  /// The updated objects by the places of changed values.
  var touching: [Int: ContiguousArray<Int32>] = [:]
  /// Updated objects whose rows have changed in the store since the objects have read them.
  var outdated: ContiguousArray<Int32> = []
  /// Updated objects whose rows have not been compared with the store's since the objects have read them.
  var unverified: ContiguousArray<Int32> = []
  /// The store and the moment at which the rows of all other updated objects were compared with the store's.
  var verified: (store: ObjectIdentifier, moment: UInt64)?
  /// The new objects by the attributes that fetches have asked for.
  var values: [Int: PendingValues] = [:]

  init(_ layout: EntityLayout) { self.layout = layout }
}
