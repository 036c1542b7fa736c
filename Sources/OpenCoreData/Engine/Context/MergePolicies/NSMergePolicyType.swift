/// How a merge policy resolves conflicts: the parameter of ``NSMergePolicy/init(merge:)``. The table at ``NSMergePolicy``
/// shows what each type does.
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
