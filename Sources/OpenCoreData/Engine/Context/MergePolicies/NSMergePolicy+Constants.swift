import Foundation

// The policies that need no subclass.
extension NSMergePolicy {
  // Unsafe: the policies are immutable.
  nonisolated(unsafe) private static let policies = [
    NSMergePolicy(merge: .errorMergePolicyType), NSMergePolicy(merge: .mergeByPropertyStoreTrumpMergePolicyType),
    NSMergePolicy(merge: .mergeByPropertyObjectTrumpMergePolicyType), NSMergePolicy(merge: .overwriteMergePolicyType),
    NSMergePolicy(merge: .rollbackMergePolicyType),
  ]

  /// A save with conflicts fails and names them; every context's policy at first.
  public class var error: NSMergePolicy { policies[0] }

  /// Merges property by property; where both have changed one, the store's value stays.
  public class var mergeByPropertyStoreTrump: NSMergePolicy { policies[1] }

  /// Merges property by property; where both have changed one, the context's value is written.
  public class var mergeByPropertyObjectTrump: NSMergePolicy { policies[2] }

  /// Writes the objects as the context has them, over whatever others have written.
  public class var overwrite: NSMergePolicy { policies[3] }

  /// Drops the context's changes of objects that are in conflict.
  public class var rollback: NSMergePolicy { policies[4] }
}

/// A save with conflicts fails and names them: `NSMergePolicy.error`.
public var NSErrorMergePolicy: AnyObject { NSMergePolicy.error }

/// The store's values stay where both have changed a property: `NSMergePolicy.mergeByPropertyStoreTrump`.
public var NSMergeByPropertyStoreTrumpMergePolicy: AnyObject { NSMergePolicy.mergeByPropertyStoreTrump }

/// The context's values are written where both have changed a property: `NSMergePolicy.mergeByPropertyObjectTrump`.
public var NSMergeByPropertyObjectTrumpMergePolicy: AnyObject { NSMergePolicy.mergeByPropertyObjectTrump }

/// The objects are written as the context has them: `NSMergePolicy.overwrite`.
public var NSOverwriteMergePolicy: AnyObject { NSMergePolicy.overwrite }

/// The context's changes of objects in conflict are dropped: `NSMergePolicy.rollback`.
public var NSRollbackMergePolicy: AnyObject { NSMergePolicy.rollback }
