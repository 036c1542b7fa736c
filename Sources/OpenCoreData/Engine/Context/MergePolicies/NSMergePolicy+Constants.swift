import Foundation

// The policies that need no subclass.
extension NSMergePolicy {
  // `nonisolated(unsafe)` is right here, since the policies are immutable.
  nonisolated(unsafe) private static let policies = [
    NSMergePolicy(merge: .errorMergePolicyType), NSMergePolicy(merge: .mergeByPropertyStoreTrumpMergePolicyType),
    NSMergePolicy(merge: .mergeByPropertyObjectTrumpMergePolicyType), NSMergePolicy(merge: .overwriteMergePolicyType),
    NSMergePolicy(merge: .rollbackMergePolicyType),
  ]

  /// A save with conflicts fails and names them (133020, 133021). Every context has this policy at first. Use it where a
  /// person or a program has to look at what others did.
  public class var error: NSMergePolicy { policies[0] }

  /// Merges property by property; where both have changed one, the store's value stays. For background work that must
  /// not undo what a user has done meanwhile.
  public class var mergeByPropertyStoreTrump: NSMergePolicy { policies[1] }

  /// Merges property by property; where both have changed one, the context's value is written. Changes that others have
  /// made to other properties stay.
  ///
  /// The usual choice for data that a user edits, and for imports: with a uniqueness constraint, an inserted object whose
  /// value is taken becomes the object of the existing row, and gives the row the values that were set.
  ///
  /// ```swift
  /// context.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
  /// let tag = Tag(context: context)
  /// tag.name = "swift"
  /// tag.addToEntries(try fetchEntry("Monday", in: context))
  /// try context.save()
  /// print(try context.count(for: NSFetchRequest<Tag>(entityName: "Tag")), tag.entries?.count ?? 0)  // 2 3
  /// ```
  ///
  /// A row that others have deleted stays deleted (D-CTX-11).
  ///
  /// See also ``NSMergePolicy/mergeByPropertyStoreTrump``, ``NSMergePolicy/overwrite``.
  public class var mergeByPropertyObjectTrump: NSMergePolicy { policies[2] }

  /// Writes the objects as the context has them, over whatever others have written; a row that others have deleted is
  /// inserted again, with its ID.
  public class var overwrite: NSMergePolicy { policies[3] }

  /// Drops the context's changes of objects that are in conflict: what others have written stays, and the save goes on
  /// with the rest.
  public class var rollback: NSMergePolicy { policies[4] }
}

/// A save with conflicts fails and names them: ``NSMergePolicy/error`` under its older name.
public var NSErrorMergePolicy: AnyObject { NSMergePolicy.error }

/// The store's values stay where both have changed a property: ``NSMergePolicy/mergeByPropertyStoreTrump`` under its
/// older name.
public var NSMergeByPropertyStoreTrumpMergePolicy: AnyObject { NSMergePolicy.mergeByPropertyStoreTrump }

/// The context's values are written where both have changed a property: ``NSMergePolicy/mergeByPropertyObjectTrump``
/// under its older name, where it is described.
///
/// ```swift
/// context.mergePolicy = NSMergeByPropertyObjectTrumpMergePolicy
/// print(context.mergePolicy as? NSMergePolicy === NSMergePolicy.mergeByPropertyObjectTrump)  // true
/// ```
public var NSMergeByPropertyObjectTrumpMergePolicy: AnyObject { NSMergePolicy.mergeByPropertyObjectTrump }

/// The objects are written as the context has them: ``NSMergePolicy/overwrite`` under its older name.
public var NSOverwriteMergePolicy: AnyObject { NSMergePolicy.overwrite }

/// The context's changes of objects in conflict are dropped: ``NSMergePolicy/rollback`` under its older name.
public var NSRollbackMergePolicy: AnyObject { NSMergePolicy.rollback }
