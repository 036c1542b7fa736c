/// How a merge policy resolves conflicts.
public enum NSMergePolicyType: UInt, Sendable {
  /// The save fails and names the conflicts.
  case errorMergePolicyType = 0
  /// Property by property: where both have changed one, the store's value stays.
  case mergeByPropertyStoreTrumpMergePolicyType = 1
  /// Property by property: where both have changed one, the context's value is written.
  case mergeByPropertyObjectTrumpMergePolicyType = 2
  /// The objects are written as the context has them.
  case overwriteMergePolicyType = 3
  /// The context's changes of the objects are dropped.
  case rollbackMergePolicyType = 4
}
