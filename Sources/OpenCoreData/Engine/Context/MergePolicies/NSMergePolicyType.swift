/// How a merge policy resolves conflicts: what ``NSMergePolicy/init(merge:)`` takes. The table at ``NSMergePolicy`` has
/// what becomes of which object.
public enum NSMergePolicyType: UInt, Sendable {
  /// The save fails with 133020 or 133021 and names the conflicts; nothing is written.
  case errorMergePolicyType = 0
  /// Property by property: where both have changed one, the store's value stays.
  case mergeByPropertyStoreTrumpMergePolicyType = 1
  /// Property by property: where both have changed one, the context's value is written.
  case mergeByPropertyObjectTrumpMergePolicyType = 2
  /// The objects are written as the context has them; rows that others have deleted are inserted again.
  case overwriteMergePolicyType = 3
  /// The context's changes of the objects in conflict are dropped; the others are saved.
  case rollbackMergePolicyType = 4
}
